"""Run N: many branches of one tape, run in parallel and judged alike."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord


class ExperimentRecord(OwnedRecord):
    """One question about a tape: how it continues from here, N times, under these conditions.

    Or about many tapes, once each: how they come out with another agent (a re-run).
    """

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, null=True, related_name="experiments"
    )
    """`None`: a re-run, each of whose branches belongs to a different tape."""

    batch = models.ForeignKey(
        "tapes_app.BatchRecord", on_delete=models.PROTECT, null=True, related_name="experiments"
    )
    """The batch with the branches of a re-run."""

    revision = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )
    """The child that holds the draft's edit; the branches of the edited arm fork from it."""

    name = models.CharField(max_length=300, blank=True, default="")
    request = JsonTextField(default=dict)
    """Arms, models, temperatures, steps to fork at, repeats, check and budget."""

    arm_words = JsonTextField(default=dict)
    """What each edited arm changes, in one line, as its fix was at the start."""

    branch_count = models.PositiveIntegerField(default=0)
    clock_started_at = models.DateTimeField(default=timezone.now)
    """Start of the count of the budget's seconds: the experiment's start, or its last retry."""

    stopped_reason = models.TextField(blank=True, default="")
    """Why it stopped before its end: the budget, or a person; empty if neither stopped it."""

    is_out_of_budget = models.BooleanField(default=False)
    """Whether that was a call for which the budget had no room: what needs none still finishes."""

    budget_id = models.UUIDField(null=True)
    """The budget that it shares with others; `None`: its own, if its request has limits."""

    judge_tokens = models.BigIntegerField(default=0)
    judge_micro_usd = models.BigIntegerField(default=0)
    """What its judge has spent; the spending of the branches is on their tapes."""

    class Meta:
        db_table = "experiment"
        verbose_name = "experiment"
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="experiment_newest")]

    def __str__(self) -> str:
        return self.name or str(self.id)


class ExperimentBranchRecord(models.Model):
    """One branch: a child tape, the run that extends it, and the verdict on the result."""

    class Verdict(models.TextChoices):
        CHECKER = "checker"
        JUDGE = "judge"
        PERSON = "person"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    experiment = models.ForeignKey(
        ExperimentRecord, on_delete=models.CASCADE, related_name="branches", db_index=False
    )
    number = models.PositiveIntegerField()
    """Its index in the experiment, from 0."""

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
    """How many steps it started with."""

    recorded_count = models.PositiveIntegerField()
    """How many leading steps of the recorded tape those correspond to."""

    base_tokens = models.BigIntegerField(default=0)
    base_micro_usd = models.BigIntegerField(default=0)
    """What its tape's counters held when it started: the cost of the steps that it keeps."""

    spent_tokens = models.BigIntegerField(default=0)
    spent_micro_usd = models.BigIntegerField(default=0)
    step_count = models.PositiveIntegerField(default=0)
    """What its runs have spent and how many steps they added, as of their last node run.

    Stored here, because a person may continue the tape after the experiment has finished.
    """

    model = models.ForeignKey(
        "tapes_app.ModelRecord", on_delete=models.PROTECT, null=True, related_name="+"
    )
    temperature = models.FloatField(null=True)
    spark = models.TextField(blank=True, default="")
    """One letter for the family of each new step: thought, action, observation, control, message to
    a member of the team, error."""

    last_kind = models.CharField(max_length=100, blank=True, default="")
    outcome = models.CharField(max_length=300, blank=True, default="")
    """Its result in one line: branches with equal outcomes form a group."""

    first_divergence = models.PositiveIntegerField(null=True)
    """The first of its own positions where it differs from the recorded tape; `None`: nowhere."""

    pass_check = JsonTextField(null=True)
    """For a branch that starts at a regression test, the test's check at the time; `None`: the
    experiment's check applies."""

    passed = models.BooleanField(null=True)
    """`None`: not judged, or it did not reach its end, which never counts as a failure."""

    score = models.FloatField(null=True)
    judged_as = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default="")
    judged_by = models.CharField(max_length=200, blank=True, default="")
    """The check, model or person that judged it; empty while it is not judged."""

    reason = models.TextField(blank=True, default="")
    has_told_tape = models.BooleanField(default=False)
    """Whether its tape's outcome was set from this branch's verdict; if not, the tape has its
    own."""

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
