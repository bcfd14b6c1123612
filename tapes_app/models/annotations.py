"""What people, judges and checkers say about a tape: rows next to it, never in it."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord


class AnnotationRecord(OwnedRecord):
    """One note, score, label or correction: on a tape, a step, a field or a piece of its text."""

    class Kind(models.TextChoices):
        NOTE = "note"
        SCORE = "score"
        LABEL = "label"
        CORRECTION = "correction"

    class Source(models.TextChoices):
        PERSON = "person"
        JUDGE = "judge"
        CHECKER = "checker"
        LINTER = "linter"

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.CASCADE, related_name="annotations"
    )
    """The tape on which it was made."""

    step = models.ForeignKey(
        "tapes_app.StepRecord", on_delete=models.CASCADE, null=True, related_name="annotations"
    )
    """`None`: about the tape as a whole. On a step that forks share, it appears on all of them."""

    field = models.CharField(max_length=300, blank=True, default="")
    """JSON pointer (RFC 6901) into the step's body; empty: the entire step."""

    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    """A span of the field's text in Unicode code points, the end exclusive; both ends or
    neither."""

    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=200, blank=True, default="")
    """What is scored or labeled; empty for a note."""

    value = models.FloatField(null=True)
    text = models.TextField(blank=True, default="")
    """The text of a note, or the text with which a correction replaces its span."""

    source = models.CharField(max_length=10, choices=Source.choices, default=Source.PERSON)
    source_name = models.CharField(max_length=200, blank=True, default="")
    """The judge, checker or detector; empty for a person, who is the owner."""

    details = JsonTextField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "annotation"
        verbose_name = "annotation"
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="annotation_newest")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()
