"""Rubrics, and the queues in which people answer them about tapes."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord


class RubricRecord(NamedRecord):
    """A rubric by name; its versions hold its questions."""

    name = models.CharField(max_length=200)
    version_count = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "rubric"
        verbose_name = "rubric"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="rubric_name_once_per_project")
        ]


class RubricVersionRecord(models.Model):
    """A rubric's questions between two changes; never changed, because answers refer to it."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    rubric = models.ForeignKey(RubricRecord, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    """Counted from 1."""

    definition = JsonTextField()
    """An `engine.rubric.Rubric` as JSON."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "rubric_version"
        verbose_name = "rubric version"
        constraints = [
            models.UniqueConstraint(fields=["rubric", "number"], name="rubric_version_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.rubric} v{self.number}"


class QueueRecord(NamedRecord):
    """Tapes that wait for people to answer a rubric about them."""

    class Mode(models.TextChoices):
        SINGLE = "single"
        PAIRWISE = "pairwise"

    name = models.CharField(max_length=200)
    rubric_version = models.ForeignKey(
        RubricVersionRecord, on_delete=models.PROTECT, related_name="queues"
    )
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.SINGLE)
    annotators_per_item = models.PositiveSmallIntegerField(default=1)
    audit_percent = models.FloatField(default=0)
    """Share of the items that one additional person answers."""

    lock_minutes = models.PositiveIntegerField(default=30)
    seed = models.CharField(max_length=40)
    """Decides which items are audited."""

    people = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="+", db_table="queue_person"
    )
    """Who may answer; if nobody is named, everybody who may write."""

    item_count = models.PositiveIntegerField(default=0)
    done_count = models.PositiveIntegerField(default=0)
    answer_count = models.PositiveIntegerField(default=0)
    pair_count = models.PositiveIntegerField(default=0)
    agreeing_count = models.PositiveIntegerField(default=0)
    """Pairs of answers to the same item, and how many of those pairs reach the same verdict."""

    deleted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "queue"
        verbose_name = "annotation queue"
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"],
                condition=Q(deleted_at__isnull=True),
                name="queue_name_once_per_project",
            )
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="queue_newest")]


class QueueItemRecord(models.Model):
    """A tape, a pair of tapes or a step that waits for answers."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    queue = models.ForeignKey(
        QueueRecord, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    number = models.PositiveIntegerField()
    """Its index in the queue, from 0."""

    key = models.CharField(max_length=100)
    """The subject of the item, as text: nothing is in a queue twice."""

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.CASCADE, related_name="queue_items"
    )
    other_tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.CASCADE, null=True, related_name="+"
    )
    """The tape on the right in a pair."""

    position = models.PositiveIntegerField(null=True)
    """Position of the step that it is about; `None`: the tape as a whole."""

    place_count = models.PositiveSmallIntegerField()
    answer_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "queue_item"
        verbose_name = "queue item"
        constraints = [
            models.UniqueConstraint(fields=["queue", "number"], name="queue_item_number_once"),
            models.UniqueConstraint(fields=["queue", "key"], name="queue_item_once"),
        ]

    def __str__(self) -> str:
        return f"item {self.number} of {self.queue}"


class AnswerRecord(models.Model):
    """A place for one person's answer to an item: open, held for a limited time, or answered.

    The database enforces the rules: a place belongs to one person, and a person has at most one
    place per item.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    item = models.ForeignKey(
        QueueItemRecord, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    queue = models.ForeignKey(
        QueueRecord, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    """Its index among the places of its item, from 0."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    """The person who holds or answered it; `None`: it is open."""

    held_until = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)
    values = JsonTextField(default=dict)
    score = models.FloatField(null=True)
    seconds = models.FloatField(default=0)
    """How long the person worked on it, as reported by the page."""

    note = models.TextField(blank=True, default="")

    class Meta:
        db_table = "queue_answer"
        verbose_name = "answer"
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="answer_place_once"),
            models.UniqueConstraint(fields=["item", "person"], name="answer_once_per_person"),
        ]
        indexes = [
            models.Index(fields=["queue", "person", "-answered_at"], name="answer_of_person"),
            models.Index(
                fields=["queue", "item"],
                condition=Q(answered_at__isnull=True),
                name="answer_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.number} to {self.item}"


class QueueSkipRecord(models.Model):
    """A person has skipped an item."""

    item = models.ForeignKey(QueueItemRecord, on_delete=models.CASCADE, related_name="skips")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "queue_skip"
        verbose_name = "skipped item"
        constraints = [
            models.UniqueConstraint(fields=["item", "person"], name="skip_once_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.item} skipped by {self.person}"
