"""Run N: many branches of one tape, run side by side and judged alike."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord


class ExperimentRecord(OwnedRecord):
    """One question to a tape: what comes of it from here, N times, under these conditions.

    Or to many tapes, once each: what comes of them with another agent (a re-run).
    """

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, null=True, related_name="experiments"
    )
    """`None`: a re-run, whose branches are each of a tape of their own."""

    batch = models.ForeignKey(
        "tapes_app.BatchRecord", on_delete=models.PROTECT, null=True, related_name="experiments"
    )
    """Of a re-run: where its branches are."""

    revision = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )
    """The child that holds the draft's edit; the branches of the edited arm fork from it."""

    name = models.CharField(max_length=300, blank=True, default="")
    request = JsonTextField(default=dict)
    """Arms, models, temperatures, steps to fork at, repeats, check and budget."""

    arm_words = JsonTextField(default=dict)
    """What each edited arm changes, in one line, as its fix was when it began."""

    branch_count = models.PositiveIntegerField(default=0)
    clock_started_at = models.DateTimeField(default=timezone.now)
    """From when the budget's seconds are counted: its beginning, or its last retry."""

    stopped_reason = models.TextField(blank=True, default="")
    """Why it stopped before its end: the budget, or a person; empty while neither."""

    judge_tokens = models.BigIntegerField(default=0)
    judge_micro_usd = models.BigIntegerField(default=0)
    """What its judge has spent; what the branches spent is on their tapes."""

    class Meta:
        db_table = "experiment"
        verbose_name = "experiment"
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="experiment_newest")]

    def __str__(self) -> str:
        return self.name or str(self.id)


class ExperimentBranchRecord(models.Model):
    """One branch: a child tape, the run that grows it, and what was thought of the result."""

    class Verdict(models.TextChoices):
        CHECKER = "checker"
        JUDGE = "judge"
        PERSON = "person"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    experiment = models.ForeignKey(
        ExperimentRecord, on_delete=models.CASCADE, related_name="branches", db_index=False
    )
    number = models.PositiveIntegerField()
    """Its place in the experiment, from 0."""

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, related_name="experiment_branches"
    )
    job = models.ForeignKey(
        "tapes_app.JobRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )
    """Its newest run; a retry makes another one."""

    arm = models.CharField(max_length=20)
    """`original`, the letter of a fix, or `edited`, which is the first fix."""

    kept_count = models.PositiveIntegerField()
    """How many steps it began with."""

    recorded_count = models.PositiveIntegerField()
    """How many leading steps of the recorded tape those stand for."""

    base_tokens = models.BigIntegerField(default=0)
    base_micro_usd = models.BigIntegerField(default=0)
    """What its tape's counters held when it began: the steps that it keeps."""

    spent_tokens = models.BigIntegerField(default=0)
    spent_micro_usd = models.BigIntegerField(default=0)
    step_count = models.PositiveIntegerField(default=0)
    """What its runs have spent and how many steps they added, by their last node run.

    Kept here, because a person may continue with the tape when the experiment has finished.
    """

    model = models.ForeignKey(
        "tapes_app.ModelRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )
    temperature = models.FloatField(null=True)
    spark = models.TextField(blank=True, default="")
    """One letter for the family of each new step: thought, action, observation, control,
    message to a member of the team, error."""

    last_kind = models.CharField(max_length=100, blank=True, default="")
    outcome = models.CharField(max_length=300, blank=True, default="")
    """What it came to, in one line: branches with equal outcomes form a group."""

    first_divergence = models.PositiveIntegerField(null=True)
    """First position of its own at which it differs from the recorded tape; `None`: nowhere."""

    pass_check = JsonTextField(null=True)
    """What passes, of a branch that begins at a regression test, as it was then; `None`: what the
    experiment says."""

    passed = models.BooleanField(null=True)
    """`None`: not judged, or it did not come to its end, which is never a failure."""

    score = models.FloatField(null=True)
    judged_as = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default="")
    judged_by = models.CharField(max_length=200, blank=True, default="")
    """Which check, which model or which person; empty while nobody has judged."""

    reason = models.TextField(blank=True, default="")
    has_told_tape = models.BooleanField(default=False)
    """Its tape's outcome is the verdict on this branch; else it is the tape's own."""

    judge_call = models.ForeignKey(
        "tapes_app.LLMCallRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        db_table = "experiment_branch"
        verbose_name = "experiment branch"
        verbose_name_plural = "experiment branches"
        ordering = ["experiment", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["experiment", "number"], name="branch_number_once_per_experiment"
            )
        ]

    def __str__(self) -> str:
        return f"branch {self.number}"
