"""The attempts of many experiments at once, light enough for ten thousands of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from tapes_app.experiments.branch_states import BranchState, RunEnd, find_state
from tapes_app.experiments.store.experiments import asks_next_step
from tapes_app.models import ExperimentBranchRecord, ExperimentRecord

_COLUMNS = (
    "experiment_id",
    "tape_id",
    "tape__parent_id",
    "tape__task",
    "tape__parent__title",
    "tape__outcome",
    "tape__score",
    "tape__expected",
    "tape__parent__expected",
    "kept_count",
    "spent_tokens",
    "spent_micro_usd",
    "tape__llm_call_count",
    "tape__unpriced_call_count",
    "pass_check",
    "job__state",
    "job__result",
    "job__cancelled_by",
    "judged_as",
    "passed",
    "reason",
    "job__message",
    "job__started_at",
    "job__finished_at",
)


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One run from a start tape, and what its tape says of itself."""

    experiment_id: UUID
    tape_id: UUID
    start_id: UUID | None
    """The tape whose first steps it ran again."""

    task: str
    start_title: str | None
    outcome: str
    score: float | None
    expected: str
    """The right answer, as it was when the run began."""

    expected_now: str | None
    """That of its start tape, as it is now."""

    kept_count: int
    """With how many steps of that it began."""

    tokens: int
    micro_usd: int
    llm_call_count: int
    unpriced_call_count: int
    """LLM calls that nobody knows the price of."""

    asks_next_step: bool
    """Whether it was over at the first action, which was compared with the recorded one."""

    state: BranchState
    status: str
    """How its main loop ended; empty while it goes on, or where it failed."""

    passed: bool | None
    """What its own check came to; `None`: it has none, or it was not decided."""

    reason: str
    """Why it passed, failed or was not decided; empty where no check asked."""

    message: str
    """Why its run failed or waits; empty otherwise."""

    seconds: float | None
    """Worked and waited, from the start of its newest run; `None` before its end."""


def list_attempts(experiment_ids: Collection[UUID]) -> list[AttemptRow]:
    """Return the attempts whose tapes are not deleted, in one query."""
    branches = ExperimentBranchRecord.objects.filter(
        experiment_id__in=experiment_ids, tape__deleted_at__isnull=True
    )
    return [_row(values) for values in branches.order_by("number").values_list(*_COLUMNS)]


def read_checks(tape_ids: Collection[UUID]) -> dict[UUID, dict[str, Any] | None]:
    """Return what passes each of some attempts, as it was asked; `None`: no check of its own."""
    branches = ExperimentBranchRecord.objects.filter(tape_id__in=tape_ids)
    return dict(branches.values_list("tape_id", "pass_check"))


def list_newest_runs(tape_ids: Collection[UUID], *, limit: int) -> list[UUID]:
    """Return the newest re-runs that began at one of some tapes, the newest first."""
    begun = ExperimentBranchRecord.objects.filter(
        experiment_id=OuterRef("pk"),
        tape__parent_id__in=tape_ids,
        tape__deleted_at__isnull=True,
    )
    runs = ExperimentRecord.objects.filter(Exists(begun), tape__isnull=True)
    return list(runs.order_by("-created_at", "-id").values_list("id", flat=True)[:limit])


def _row(values: Sequence[Any]) -> AttemptRow:
    *told, pass_check, job_state, result, cancelled_by, judged_as = values[:-5]
    passed, reason, message, started_at, finished_at = values[-5:]
    end = RunEnd(
        job_state=job_state or "",
        job_status=str((result or {}).get("status", "")),
        cancelled_by=cancelled_by or "",
        judged_as=judged_as,
    )
    took = (finished_at - started_at).total_seconds() if started_at and finished_at else None
    state = find_state(end)
    asks = asks_next_step(pass_check)
    return AttemptRow(*(*told, asks, state, end.job_status, passed, reason, message or "", took))
