"""Jobs and their event logs: the source of truth about long-running work."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord


class JobRecord(OwnedRecord):
    """One piece of long-running work. Celery only carries its id; this row decides who does it."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        WAITING = "waiting"
        PAUSED = "paused"
        SUCCEEDED = "succeeded"
        FAILED = "failed"
        CANCELLED = "cancelled"

    class Priority(models.IntegerChoices):
        """The lowest number is claimed first."""

        PERSON = 0
        """A person has just started it and is watching it."""

        BULK = 10
        """One of many made together: it lets the others go first."""

    kind = models.CharField(max_length=30)
    """Which service handles it: run, import, …"""

    queue = models.CharField(max_length=20, default="agents")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.PERSON)
    title = models.CharField(max_length=300, blank=True, default="")
    request = JsonTextField(default=dict)
    """What was requested; never secrets."""

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, null=True, related_name="jobs"
    )
    batch = models.ForeignKey(
        "tapes_app.BatchRecord", on_delete=models.PROTECT, null=True, related_name="jobs"
    )
    group = models.UUIDField(null=True)
    """Jobs that share a limit; `None`: it is claimed as soon as a worker has room."""

    group_limit = models.PositiveSmallIntegerField(null=True)
    """How many jobs of the group may run at the same time."""

    attempt = models.PositiveIntegerField(default=0)
    """Incremented with every claim; a writer with an older number is fenced off."""

    lost_count = models.PositiveSmallIntegerField(default=0)
    """How often its worker vanished; a job that keeps killing its workers is eventually given
    up."""

    lease_expires_at = models.DateTimeField(null=True)
    nudged_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=200, blank=True, default="")
    checkpoint = JsonTextField(null=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(null=True)
    message = models.TextField(blank=True, default="")
    """Why it waits or failed, or what it is doing; one sentence."""

    error_code = models.CharField(max_length=50, blank=True, default="")
    result = JsonTextField(null=True)
    is_cancel_requested = models.BooleanField(default=False)
    cancelled_by = models.CharField(max_length=200, blank=True, default="")
    control = JsonTextField(default=dict)
    """What people request while it runs: pause, breakpoints, messages to deliver."""

    last_seq = models.BigIntegerField(default=0)
    """Number of the newest event; kept after events are pruned."""

    pruned_seq = models.BigIntegerField(default=0)
    """Events up to this number are folded into steps and deleted."""

    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "job"
        verbose_name = "job"
        indexes = [
            models.Index(fields=["state", "queue", "priority", "created_at"], name="job_by_state"),
            models.Index(fields=["project", "-created_at", "-id"], name="job_newest"),
            # Across all projects, for operators.
            models.Index(fields=["-created_at", "-id"], name="job_newest_of_all"),
            models.Index(fields=["state", "-created_at", "-id"], name="job_newest_of_state"),
            models.Index(
                fields=["project", "state", "-created_at", "-id"], name="job_newest_of_both"
            ),
            models.Index(fields=["state", "finished_at"], name="job_ended_in_state"),
            models.Index(fields=["tape", "-created_at"], name="job_by_tape"),
            models.Index(
                fields=["lease_expires_at"],
                name="job_by_lease",
                condition=models.Q(state="running"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class JobEventRecord(models.Model):
    """One event of a job's log. One writer at a time; `seq` counts from 1 without gaps."""

    job = models.ForeignKey(JobRecord, on_delete=models.CASCADE, related_name="events")
    seq = models.BigIntegerField()
    attempt = models.PositiveIntegerField()
    payload = models.TextField()
    """JSON text without the number; forwarded unchanged and never parsed (`jobs.protocol`)."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "job_event"
        verbose_name = "job event"
        constraints = [
            models.UniqueConstraint(fields=["job", "seq"], name="event_once_per_job_and_seq")
        ]

    def __str__(self) -> str:
        return f"event {self.seq}"


class DrainedWorkerRecord(models.Model):
    """A worker that an operator told to take no new jobs; it finishes the ones it holds."""

    worker = models.CharField(max_length=200, primary_key=True)
    """As recorded in the jobs that it holds: host and process id."""

    person = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "drained_worker"
        verbose_name = "drained worker"

    def __str__(self) -> str:
        return self.worker
