"""What a sweep is decided by: a scorer, and which expected answers it is given."""

from typing import Literal

from optimize_app.evaluation.scoring.scorers import Scorer
from tapes_app.engine.frozen_model import FrozenModel

SCORING_KIND = "scoring"


class ScoringRequest(FrozenModel):
    """How all attempts of a sweep are scored."""

    scorer: Scorer
    expected: Literal["frozen", "now"] = "frozen"
    """Which expected answers count: those of the version that the sweep stands on, or, where it
    stands on none, as they were when a run began; or what the start tapes say now."""
