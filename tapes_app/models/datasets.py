"""Datasets: named collections of tapes to train on and to evaluate with."""

from django.db import models
from django.db.models import Q

from tapes_app.models.projects import NamedRecord
from tapes_app.models.tapes import TapeRecord


class DatasetRecord(NamedRecord):
    """A collection of tapes; a tape's split is recorded on the tape."""

    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    updated_at = models.DateTimeField(auto_now=True)
    """When the dataset, or the set of its tapes, last changed."""

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
    """The membership of a tape in a dataset."""

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
        # The reverse: which datasets a tape is in.
        indexes = [models.Index(fields=["tape", "dataset"], name="dataset_by_tape")]

    def __str__(self) -> str:
        return f"tape {self.tape_id} of {self.dataset}"


class DatasetVersionRecord(models.Model):
    """A dataset as it was when it was used for measuring or training; it never changes."""

    dataset = models.ForeignKey(
        DatasetRecord, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField()
    """Counted from 1."""

    content_hash = models.CharField(max_length=64)
    """Hash of the ids of its tapes and their expected answers."""

    tape_count = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "dataset_version"
        verbose_name = "version of a dataset"
        verbose_name_plural = "versions of datasets"
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "number"], name="version_number_once_per_dataset"
            )
        ]

    def __str__(self) -> str:
        return f"{self.dataset}@{self.number}"


class DatasetVersionTapeRecord(models.Model):
    """The membership of a tape in a version of a dataset, with its expected answer at the time."""

    version = models.ForeignKey(
        DatasetVersionRecord, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    tape = models.ForeignKey(TapeRecord, on_delete=models.CASCADE, related_name="+")
    expected = models.TextField(blank=True, default="")

    class Meta:
        db_table = "dataset_version_tape"
        verbose_name = "tape of a version"
        verbose_name_plural = "tapes of versions"
        constraints = [
            models.UniqueConstraint(
                fields=["version", "tape"], name="tape_once_per_dataset_version"
            )
        ]

    def __str__(self) -> str:
        return f"tape {self.tape_id} of {self.version}"
