"""Tapes, their steps, batches and drafts.

A step row belongs to the log of the tape that it was first written for. A tape is a list of spans
over such logs, so forking copies a short list, never rows (ADR 2).
"""

from django.conf import settings
from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord, OwnedRecord


class BatchRecord(NamedRecord):
    """Tapes that were imported or ran together."""

    name = models.CharField(max_length=300)
    tape_count = models.PositiveIntegerField(default=0)
    error_count = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "batch"
        verbose_name = "batch"
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="batch_name_once_per_project")
        ]


class TapeRecord(OwnedRecord):
    """One tape: lineage, spans, and counters that lists and headers read."""

    class Outcome(models.TextChoices):
        PASSED = "pass"
        FAILED = "fail"

    source_id = models.CharField(max_length=200, blank=True, default="", db_index=True)
    """The tape's id in the file that it came from; ids from files are not unique here."""

    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    forked_at = models.PositiveIntegerField(null=True)
    """How many leading steps it shares with its parent; `None` without a parent."""

    root = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="family")
    """The oldest ancestor; `None` for a tape that has no parent."""

    metadata = JsonTextField(default=dict)
    context = JsonTextField(null=True)
    title = models.CharField(max_length=300, blank=True, default="")
    """One line: the task or the first message."""

    author = models.CharField(max_length=200, blank=True, default="")
    agent_name = models.CharField(max_length=200, blank=True, default="")
    agent_version = models.ForeignKey(
        "tapes_app.AgentVersionRecord", on_delete=models.PROTECT, null=True, related_name="tapes"
    )
    batch = models.ForeignKey(
        BatchRecord, on_delete=models.PROTECT, null=True, related_name="tapes"
    )
    digest = models.CharField(max_length=32, blank=True, default="")
    """Content digest of an imported tape: used to find it when the same tape is imported again."""

    import_part = models.UUIDField(null=True, editable=False)
    """The import that stored it, and which of its files: a worker that takes an import over knows
    what is its own. `None`: no import stored it."""

    spans = JsonTextField(default=list)
    """`[[log tape id, start, count], …]`; their concatenation is the tape."""

    step_count = models.PositiveIntegerField(default=0)
    own_step_count = models.PositiveIntegerField(default=0)
    """How many step rows are in this tape's own log."""

    error_count = models.PositiveIntegerField(default=0)
    has_error = models.BooleanField(default=False)
    input_tokens = models.BigIntegerField(default=0)
    cache_read_tokens = models.BigIntegerField(default=0)
    output_tokens = models.BigIntegerField(default=0)
    cost_micro_usd = models.BigIntegerField(default=0)
    llm_call_count = models.PositiveIntegerField(default=0)
    unpriced_call_count = models.PositiveIntegerField(default=0)
    """How many of these calls have an unknown cost: they are not in the sum."""

    duration_seconds = models.FloatField(default=0)
    """The total duration of its LLM calls."""

    task = models.CharField(max_length=200, blank=True, default="")
    """The task of a set that it is an attempt at; tapes of two batches are paired by it."""

    expected = models.TextField(blank=True, default="")
    """The expected answer, as text; empty: none is known."""

    actual = models.TextField(blank=True, default="")
    """The actual answer, as text."""

    outcome = models.CharField(max_length=8, choices=Outcome.choices, blank=True, default="")
    """Whether it did its task; empty: it was not judged."""

    outcome_before = models.CharField(max_length=8, null=True)  # noqa: DJ001 - empty is an outcome
    """Its outcome before that was first changed; `None`: it never was."""

    outcome_changed_at = models.DateTimeField(null=True)
    """When its outcome was first changed."""

    score = models.FloatField(null=True)
    """How well it did its task, larger is better; `None`: it was not scored."""

    edit_words = models.CharField(max_length=200, blank=True, default="")
    """The edit that made it from its parent, in one line; empty: none did."""

    version = models.PositiveIntegerField(default=0)
    """Incremented with every append: a writer that lost the race is refused."""

    updated_at = models.DateTimeField(auto_now=True)
    pinned_at = models.DateTimeField(null=True)
    """Always shown in its family, however many branches there are."""

    archived_at = models.DateTimeField(null=True)
    """Hidden and read-only until it is restored."""

    is_kept_from_training = models.BooleanField(default=False)
    """Do not train: excluded from all training sets and training formats; its children inherit
    this."""

    split = models.CharField(max_length=12, blank=True, default="")
    """train, validation or test; empty: unspecified. Children inherit it."""

    deleted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tape"
        verbose_name = "tape"
        indexes = [
            # Every list is newest first within a project, narrowed by one of these.
            models.Index(fields=["project", "-created_at", "-id"], name="tape_newest"),
            # Across all projects, for operators.
            models.Index(fields=["-created_at", "-id"], name="tape_newest_of_all"),
            # Tapes that are neither deleted nor archived can be counted without reading a tape.
            models.Index(
                fields=["project", "-created_at", "-id"],
                name="tape_live",
                condition=models.Q(deleted_at__isnull=True, archived_at__isnull=True),
            ),
            models.Index(fields=["batch", "-created_at", "-id"], name="tape_by_batch"),
            models.Index(
                fields=["agent_version", "-created_at", "-id"], name="tape_by_agent_version"
            ),
            models.Index(
                fields=["project", "agent_name", "-created_at", "-id"], name="tape_by_agent"
            ),
            models.Index(fields=["project", "digest"], name="tape_by_digest"),
            models.Index(fields=["project", "task", "-created_at"], name="tape_by_task"),
            models.Index(
                fields=["project", "-created_at", "-id"],
                name="tape_with_error",
                condition=models.Q(has_error=True),
            ),
            models.Index(
                fields=["project", "-created_at", "-id"],
                name="tape_pinned",
                condition=models.Q(pinned_at__isnull=False),
            ),
            models.Index(
                fields=["project", "-created_at", "-id"],
                name="tape_archived",
                condition=models.Q(archived_at__isnull=False),
            ),
            # Lists sorted by a number in either direction: an index is read from both ends.
            models.Index(fields=["project", "updated_at", "id"], name="tape_by_update"),
            models.Index(fields=["project", "step_count", "id"], name="tape_by_steps"),
            models.Index(fields=["project", "error_count", "id"], name="tape_by_errors"),
            models.Index(fields=["project", "cost_micro_usd", "id"], name="tape_by_cost"),
            models.Index(fields=["project", "duration_seconds", "id"], name="tape_by_duration"),
            models.Index(
                fields=["project", "score", "id"],
                name="tape_by_score",
                condition=models.Q(score__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title or str(self.id)


class TapeTagRecord(models.Model):
    """A word that a person put on a tape."""

    project = models.ForeignKey(
        "tapes_app.ProjectRecord", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    tape = models.ForeignKey(
        TapeRecord, on_delete=models.CASCADE, related_name="tags", db_index=False
    )
    name = models.CharField(max_length=100)

    class Meta:
        db_table = "tape_tag"
        verbose_name = "tag"
        constraints = [models.UniqueConstraint(fields=["tape", "name"], name="tag_once_per_tape")]
        indexes = [models.Index(fields=["project", "name", "tape"], name="tape_by_tag")]

    def __str__(self) -> str:
        return self.name


class TapeWordsRecord(models.Model):
    """What a word search covers of a tape besides its steps; triggers on `tape` write it.

    Its ids increase as tapes are made, so that a search can read its newest hits first.
    """

    tape = models.OneToOneField(
        TapeRecord, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    text = models.TextField()
    """Title, task, expected and actual answer, one per line; long answers are truncated."""

    created_at = models.DateTimeField()
    """When the tape was made."""

    class Meta:
        db_table = "tape_words"
        verbose_name = "words of a tape"
        verbose_name_plural = "words of tapes"

    def __str__(self) -> str:
        return self.text


class StepRecord(models.Model):
    """One step, stored once; several tapes may show it."""

    log = models.ForeignKey(
        TapeRecord, on_delete=models.CASCADE, related_name="own_steps", db_index=False
    )
    position = models.PositiveIntegerField()
    """Its position in its log, from 0."""

    kind = models.CharField(max_length=100)
    family = models.CharField(max_length=12)
    writer = models.CharField(max_length=12)
    """agent, environment, person or import."""

    agent = models.CharField(max_length=500, blank=True, default="")
    node = models.CharField(max_length=200, blank=True, default="")
    prompt_id = models.CharField(max_length=100, blank=True, default="")
    lane = models.CharField(max_length=100, null=True)  # noqa: DJ001 - adding it must be cheap
    """Whose step it is, of agents that were called together, like `2/1`; empty or `None`: none."""

    llm_call = models.ForeignKey(
        "tapes_app.LLMCallRecord", on_delete=models.PROTECT, null=True, related_name="steps"
    )
    is_error = models.BooleanField(default=False)
    gist = models.CharField(max_length=200, blank=True, default="")
    """One line for outlines."""

    text = models.TextField(blank=True, default="")
    """Its text, for full-text search."""

    tools = models.CharField(max_length=500, null=True)  # noqa: DJ001 - unknown is not none
    """Names of the tools that it calls, separated by blanks; `None`: older than this column."""

    call_digest = models.CharField(max_length=32, null=True)  # noqa: DJ001 - unknown is not none
    """For an action, the digest of its kind and arguments; `None` as for `tools`."""

    body = JsonTextField()
    """The step as `Step.to_json` returns it."""

    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "step"
        verbose_name = "step"
        constraints = [
            models.UniqueConstraint(fields=["log", "position"], name="step_once_per_log_position")
        ]
        indexes = [
            # Few steps out of many: those that a branch map marks.
            models.Index(
                fields=["log", "position"],
                name="step_edited",
                condition=models.Q(edited_by__isnull=False),
            ),
            models.Index(
                fields=["log", "position"], name="step_error", condition=models.Q(is_error=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.position}"


class DraftRecord(models.Model):
    """One person's edits of one tape: operations, and how many of them are in effect (undo)."""

    tape = models.ForeignKey(TapeRecord, on_delete=models.CASCADE, related_name="drafts")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    letter = models.CharField(max_length=1, default="A")
    """Which of the person's fixes of this tape it is: A, B, C …"""

    name = models.CharField(max_length=60, blank=True, default="")
    operations = JsonTextField(default=list)
    applied_count = models.PositiveIntegerField(default=0)
    base_step_count = models.PositiveIntegerField(default=0)
    """How many steps the tape had when the draft was started: it may have grown since."""

    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "draft"
        verbose_name = "draft"
        constraints = [
            models.UniqueConstraint(
                fields=["tape", "person", "letter"], name="one_draft_per_person_tape_and_letter"
            )
        ]

    def __str__(self) -> str:
        return f"fix {self.letter} of {self.person} on {self.tape}"


class KindFamilyRecord(models.Model):
    """The family that a person set for a kind which no class here knows."""

    project = models.ForeignKey(
        "tapes_app.ProjectRecord", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=100)
    family = models.CharField(max_length=12)

    class Meta:
        db_table = "step_kind_family"
        verbose_name = "family of a step kind"
        verbose_name_plural = "families of step kinds"
        constraints = [
            models.UniqueConstraint(fields=["project", "kind"], name="family_once_per_step_kind")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.family}"
