"""What decides a sweep: a scorer, and which expected answers it uses."""

from typing import Literal

from optimize_app.evaluation.scoring.scorers import Scorer
from tapes_app.engine.frozen_model import FrozenModel

SCORING_KIND = "scoring"
ExpectedAs = Literal["frozen", "now"]


class ScoringRequest(FrozenModel):
    """How all attempts of a sweep are scored."""

    scorer: Scorer
    expected: ExpectedAs = "frozen"
    """Which expected answers count: `frozen`, those of the dataset version that the sweep is based
    on or, without a version, those at the start of each run; or `now`, the current ones of the
    start tapes."""
