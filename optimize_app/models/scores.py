"""Scores of attempts, and the scorers kept with a dataset."""

from uuid import uuid4

from django.db import models

from tapes_app.models.datasets import DatasetRecord
from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord
from tapes_app.models.tapes import TapeRecord


class DatasetScorerRecord(models.Model):
    """A scorer that can decide sweeps over a dataset, under a name."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    dataset = models.ForeignKey(
        DatasetRecord, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    name = models.CharField(max_length=200)
    scorer = JsonTextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "dataset_scorer"
        verbose_name = "scorer of a dataset"
        verbose_name_plural = "scorers of datasets"
        constraints = [
            models.UniqueConstraint(fields=["dataset", "name"], name="scorer_name_once_per_dataset")
        ]

    def __str__(self) -> str:
        return self.name


class ScoringRecord(OwnedRecord):
    """All attempts of a sweep scored by one scorer, at any time."""

    sweep_id = models.UUIDField(db_index=True)
    """The job of the sweep."""

    scorer = JsonTextField()
    digest = models.CharField(max_length=64)
    """Hash of the scorer: the same one is asked only once."""

    tokens = models.BigIntegerField(default=0)
    micro_usd = models.BigIntegerField(default=0)
    """What a judge has spent, in millionths of a US dollar."""

    call_count = models.PositiveIntegerField(default=0)
    unpriced_call_count = models.PositiveIntegerField(default=0)
    job_id = models.UUIDField(null=True)
    """The newest job that scores by it; while it runs, no other is started."""

    class Meta:
        db_table = "scoring"
        verbose_name = "scoring"
        constraints = [
            models.UniqueConstraint(
                fields=["sweep_id", "digest"], name="scoring_once_per_sweep_and_scorer"
            )
        ]

    def __str__(self) -> str:
        return f"scoring of {self.sweep_id}"


class ScoreRecord(models.Model):
    """An attempt's score by one scorer."""

    scoring = models.ForeignKey(
        ScoringRecord, on_delete=models.CASCADE, related_name="scores", db_index=False
    )
    tape = models.ForeignKey(TapeRecord, on_delete=models.CASCADE, related_name="+")
    value = models.FloatField(null=True)
    """From 0 to 1; `None`: it could not be decided, which is never a zero."""

    passed = models.BooleanField(null=True)
    explanation = models.TextField(blank=True, default="")
    judge_call = models.ForeignKey(
        "tapes_app.LLMCallRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )
    earlier_call_ids = JsonTextField(default=list)
    """Earlier calls of its verdict: answers that could not be read, and the other order."""

    preferred = models.CharField(max_length=20, blank=True, default="")
    """For a comparison: the place its judge preferred with the attempt first and with it second, as
    `first second`; empty: it compared nothing, or a verdict could not be read."""

    asked_again_at = models.DateTimeField(null=True)
    """Without a value: since when it is to be asked again. With one: before, it had none."""

    class Meta:
        db_table = "score"
        verbose_name = "score"
        constraints = [
            models.UniqueConstraint(fields=["scoring", "tape"], name="score_once_per_scoring")
        ]

    def __str__(self) -> str:
        return f"score of {self.tape_id}"
