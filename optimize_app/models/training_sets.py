"""Training sets and the tapes that they were made from."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord
from tapes_app.models.tapes import TapeRecord


class TrainingSetRecord(NamedRecord):
    """A set that never changes; its examples are in the folder of that content hash."""

    name = models.CharField(max_length=200)
    job_id = models.UUIDField(unique=True)
    """The job that made it."""

    request = JsonTextField(default=dict)
    content_hash = models.CharField(max_length=64)
    train_count = models.PositiveIntegerField()
    held_out_count = models.PositiveIntegerField()
    tape_count = models.PositiveIntegerField()
    size_bytes = models.PositiveBigIntegerField()
    left_out = JsonTextField(default=list)
    facts = JsonTextField(default=dict)
    """`SetFacts`: what is reported of its examples in addition to their number."""

    stands_on = JsonTextField(default=list)
    """The dataset versions that its tapes were chosen from."""

    class Meta:
        db_table = "training_set"
        verbose_name = "training set"
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="training_set_name_once_per_project"
            )
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="training_set_new")]


class TrainingSetTapeRecord(models.Model):
    """A tape that gave examples to a set."""

    training_set = models.ForeignKey(
        TrainingSetRecord, on_delete=models.CASCADE, related_name="sources", db_index=False
    )
    tape = models.ForeignKey(TapeRecord, on_delete=models.CASCADE, related_name="+", db_index=False)
    side = models.CharField(max_length=10)
    """train or held_out."""

    example_count = models.PositiveIntegerField()

    class Meta:
        db_table = "training_set_tape"
        verbose_name = "tape of a training set"
        verbose_name_plural = "tapes of training sets"
        constraints = [
            models.UniqueConstraint(
                fields=["training_set", "tape"], name="tape_once_per_training_set"
            )
        ]
        # The reverse look-up: what was trained on a tape.
        indexes = [models.Index(fields=["tape", "training_set"], name="training_set_by_tape")]

    def __str__(self) -> str:
        return f"tape {self.tape_id} of {self.training_set}"
