"""What answers where no model was chosen, under the name that its agents were stored with."""

from tapes_app.engine.registry import scripts
from tapes_app.engine.stand_in import stand_in

MODEL = "script:continuation"

scripts.add("continuation", stand_in)
