"""Datasets: collections of tapes under a name, to train on and to evaluate with."""

from django.db import models
from django.db.models import Q

from tapes_app.models.projects import NamedRecord
from tapes_app.models.tapes import TapeRecord


class DatasetRecord(NamedRecord):
    """A collection of tapes; which split each is of is said on the tape."""

    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    updated_at = models.DateTimeField(auto_now=True)
    """When it, or which tapes are in it, was changed last."""

    deleted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "dataset"
        verbose_name = "dataset"
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"],
                condition=Q(deleted_at__isnull=True),
                name="dataset_name_once_per_project",
            )
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="dataset_newest")]


class DatasetTapeRecord(models.Model):
    """That a tape is in a dataset."""

    dataset = models.ForeignKey(
        DatasetRecord, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    tape = models.ForeignKey(
        TapeRecord, on_delete=models.CASCADE, related_name="dataset_places", db_index=False
    )
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "dataset_tape"
        verbose_name = "tape of a dataset"
        verbose_name_plural = "tapes of datasets"
        constraints = [
            models.UniqueConstraint(fields=["dataset", "tape"], name="tape_once_per_dataset")
        ]
        # The other way round: in which datasets a tape is.
        indexes = [models.Index(fields=["tape", "dataset"], name="dataset_by_tape")]

    def __str__(self) -> str:
        return f"tape {self.tape_id} of {self.dataset}"
