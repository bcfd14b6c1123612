"""Tables of training, evaluation and tuning."""

from optimize_app.models.adapters import AdapterRecord
from optimize_app.models.serving import ServedModelRecord
from optimize_app.models.training_sets import TrainingSetRecord, TrainingSetTapeRecord

__all__ = ["AdapterRecord", "ServedModelRecord", "TrainingSetRecord", "TrainingSetTapeRecord"]
