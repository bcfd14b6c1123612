"""The attempts of many experiments at once, light enough for ten thousands of them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from tapes_app.experiments.branch_states import ENDS, BranchState, RunEnd, find_state
from tapes_app.experiments.store.experiments import asks_next_step
from tapes_app.models import ExperimentBranchRecord, ExperimentRecord, TapeRecord
from tapes_app.models.json_text import load_json_text

_READ_HERE = (
    "experiment_id",
    "tape_id",
    "tape__parent_id",
    "pass_check",
    "job__result",
    "job__started_at",
    "job__finished_at",
)
"""Columns that come as text. Reading each value apart, as Django does, takes half of the time of
20,000 rows; most of these values are in many of them."""

_COLUMNS = (
    "tape__task",
    "tape__outcome",
    "tape__score",
    "tape__expected",
    "kept_count",
    "spent_tokens",
    "spent_micro_usd",
    "tape__llm_call_count",
    "tape__unpriced_call_count",
    "job__state",
    "job__cancelled_by",
    "judged_as",
    "passed",
    "reason",
    "job__message",
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

    @property
    def can_be_judged(self) -> bool:
        """Whether what it came to says something about the agent.

        One that would now wait for what a person says next has succeeded.
        """
        return self.status in ENDS or self.state == "succeeded"


def list_attempts(experiment_ids: Collection[UUID]) -> list[AttemptRow]:
    """Return the attempts whose tapes are not deleted, in two queries."""
    branches = _branches_of(experiment_ids).filter(tape__deleted_at__isnull=True)
    texts = {f"{name}_text": Cast(name, TextField()) for name in _READ_HERE}
    rows = branches.annotate(**texts).order_by("number").values_list(*texts, *_COLUMNS)
    read = _Reader(experiment_ids)
    return [read.row(*values) for values in rows]


def _branches_of(
    experiment_ids: Collection[UUID],
) -> QuerySet[ExperimentBranchRecord, ExperimentBranchRecord]:
    return ExperimentBranchRecord.objects.filter(experiment_id__in=experiment_ids)


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


class _Reader:
    """Reads rows whose values repeat: each start, check and experiment is read once."""

    def __init__(self, experiment_ids: Collection[UUID]) -> None:
        begun = _branches_of(experiment_ids).values("tape__parent_id")
        starts = TapeRecord.objects.filter(id__in=begun).annotate(text=Cast("id", TextField()))
        rows = starts.order_by().values_list("text", "title", "expected")
        self._starts = {text: (title, expected) for text, title, expected in rows}
        self._read_id = cache(UUID)
        self._asks = cache(_asks_next_step)

    def row(
        self,
        experiment_id: str,
        tape_id: str,
        start_id: str | None,
        pass_check: str | None,
        result: str | None,
        started_at: str | None,
        finished_at: str | None,
        *told: Any,
    ) -> AttemptRow:
        task, outcome, score, expected, kept, tokens, micro_usd, calls, unpriced = told[:9]
        job_state, cancelled_by, judged_as, passed, reason, message = told[9:]
        end = RunEnd(
            job_state=job_state or "",
            job_status=str(load_json_text(result).get("status", "")) if result else "",
            cancelled_by=cancelled_by or "",
            judged_as=judged_as,
        )
        title, expected_now = self._starts.get(start_id or "", (None, None))
        return AttemptRow(
            self._read_id(experiment_id),
            UUID(tape_id),
            self._read_id(start_id) if start_id else None,
            task,
            title,
            outcome,
            score,
            expected,
            expected_now,
            kept,
            tokens,
            micro_usd,
            calls,
            unpriced,
            self._asks(pass_check),
            find_state(end),
            end.job_status,
            passed,
            reason,
            message or "",
            _seconds(started_at, finished_at),
        )


def _asks_next_step(pass_check: str | None) -> bool:
    return asks_next_step(load_json_text(pass_check) if pass_check else None)


def _seconds(started_at: str | None, finished_at: str | None) -> float | None:
    if not (started_at and finished_at):
        return None
    return (
        datetime.fromisoformat(finished_at) - datetime.fromisoformat(started_at)
    ).total_seconds()
