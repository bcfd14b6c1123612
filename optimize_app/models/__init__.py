"""Tables of training, evaluation and tuning."""

from optimize_app.models.adapters import AdapterRecord
from optimize_app.models.scores import DatasetScorerRecord, ScoreRecord, ScoringRecord
from optimize_app.models.serving import ServedModelRecord
from optimize_app.models.suites import PinnedSuiteRecord, SweptVersionRecord
from optimize_app.models.training_sets import TrainingSetRecord, TrainingSetTapeRecord

__all__ = [
    "AdapterRecord",
    "DatasetScorerRecord",
    "PinnedSuiteRecord",
    "ScoreRecord",
    "ScoringRecord",
    "ServedModelRecord",
    "SweptVersionRecord",
    "TrainingSetRecord",
    "TrainingSetTapeRecord",
]
