"""Suites that an agent pins, and the sweeps that measured an agent version on a dataset."""

from django.db import models

from tapes_app.models.agents import AgentRecord, AgentVersionRecord
from tapes_app.models.datasets import DatasetRecord
from tapes_app.models.projects import OwnedRecord


class PinnedSuiteRecord(OwnedRecord):
    """A pin: versions of the agent are published only if the suite's tests pass."""

    agent = models.ForeignKey(
        AgentRecord, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    dataset = models.ForeignKey(DatasetRecord, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "pinned_suite"
        verbose_name = "pinned suite"
        constraints = [
            models.UniqueConstraint(fields=["agent", "dataset"], name="suite_pinned_once_per_agent")
        ]

    def __str__(self) -> str:
        return f"{self.dataset} pinned by {self.agent}"


class SweptVersionRecord(models.Model):
    """A sweep variant that is an unchanged agent version, run on tapes of a dataset.

    The plan has the same data, but only for a reader who knows which sweep to ask.
    """

    sweep_id = models.UUIDField()
    """The job of the sweep."""

    variant = models.PositiveSmallIntegerField()
    """Its number in the plan, from 0."""

    version = models.ForeignKey(
        AgentVersionRecord, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    dataset = models.ForeignKey(DatasetRecord, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "swept_version"
        verbose_name = "measured version"
        constraints = [
            models.UniqueConstraint(
                fields=["sweep_id", "variant", "dataset"], name="variant_once_per_dataset"
            )
        ]
        indexes = [
            models.Index(fields=["version", "dataset", "-created_at"], name="swept_version_newest")
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.sweep_id}"
