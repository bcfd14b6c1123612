"""The attempts of many experiments in one go, light enough for tens of thousands of them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast, Left

from tapes_app.experiments.domain.branch_states import ENDS, BranchState, RunEnd, find_state
from tapes_app.experiments.store.experiments import asks_next_step
from tapes_app.models import ExperimentBranchRecord, ExperimentRecord, TapeRecord
from tapes_app.models.json_text import load_json_text
from tapes_app.tapes.domain.answer_match import LONGEST_COMPARED

_READ_HERE = (
    "experiment_id",
    "tape_id",
    "tape__parent_id",
    "pass_check",
    "job__result",
    "job__started_at",
    "job__finished_at",
)
"""Columns that are read as text. Parsing each value separately, as Django does, takes half of
the time for 20,000 rows; most of these values occur in many of them.
"""

_COLUMNS = (
    "tape__task",
    "tape__outcome",
    "tape__outcome_before",
    "tape__outcome_changed_at",
    "tape__score",
    "tape__expected",
    "answer",
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
    """One run from a start tape, with the verdict on its tape."""

    experiment_id: UUID
    tape_id: UUID
    start_id: UUID | None
    """The tape whose first steps it started from."""

    task: str
    start_title: str | None
    outcome: str
    outcome_before: str | None
    """The outcome of its tape before that was first changed; `None`: it never was."""

    outcome_changed_at: datetime | None
    score: float | None
    expected: str
    """The expected answer when the run began."""

    actual: str
    """What it answered, at most 2,000 characters; empty: nothing."""

    expected_now: str | None
    """The current expected answer of its start tape."""

    kept_count: int
    """How many steps of the start tape it began with."""

    tokens: int
    micro_usd: int
    llm_call_count: int
    unpriced_call_count: int
    """LLM calls with an unknown price."""

    asks_next_step: bool
    """Whether it ended at the first action, which was compared with the recorded one."""

    state: BranchState
    status: str
    """How its main loop ended; empty while it runs, or if it failed."""

    passed: bool | None
    """The result of its own check; `None` if it has none, or if it was not decided."""

    reason: str
    """Why it passed, failed or was not decided; empty without a check."""

    message: str
    """Why its run failed or waits; empty otherwise."""

    seconds: float | None
    """Seconds from start to end of its newest run, working and waiting; `None` before its end."""

    @property
    def can_be_judged(self) -> bool:
        """Whether its outcome reflects the agent's behaviour.

        An attempt that would now wait for the person's next message has succeeded.
        """
        return self.status in ENDS or self.state == "succeeded"


def list_attempts(experiment_ids: Collection[UUID]) -> list[AttemptRow]:
    """Return the attempts whose tapes are not deleted, in two queries."""
    branches = _branches_of(experiment_ids).filter(tape__deleted_at__isnull=True)
    texts = {f"{name}_text": Cast(name, TextField()) for name in _READ_HERE}
    answer = Left("tape__actual", LONGEST_COMPARED)
    rows = (
        branches.annotate(**texts, answer=answer).order_by("number").values_list(*texts, *_COLUMNS)
    )
    read = _Reader(experiment_ids)
    return [read.row(*values) for values in rows]


def _branches_of(
    experiment_ids: Collection[UUID],
) -> QuerySet[ExperimentBranchRecord, ExperimentBranchRecord]:
    return ExperimentBranchRecord.objects.filter(experiment_id__in=experiment_ids)


def read_checks(tape_ids: Collection[UUID]) -> dict[UUID, dict[str, Any] | None]:
    """Return the check of each of the given attempts as it was requested; `None`: it has none."""
    branches = ExperimentBranchRecord.objects.filter(tape_id__in=tape_ids)
    return dict(branches.values_list("tape_id", "pass_check"))


def list_newest_runs(tape_ids: Collection[UUID], *, limit: int) -> list[UUID]:
    """Return the newest reruns that started from one of the given tapes, newest first."""
    branches = ExperimentBranchRecord.objects.filter(
        experiment_id=OuterRef("pk"),
        tape__parent_id__in=tape_ids,
        tape__deleted_at__isnull=True,
    )
    runs = ExperimentRecord.objects.filter(Exists(branches), tape__isnull=True)
    return list(runs.order_by("-created_at", "-id").values_list("id", flat=True)[:limit])


class _Reader:
    """Parses rows with repeated values: each start, check and experiment is parsed only once."""

    def __init__(self, experiment_ids: Collection[UUID]) -> None:
        start_ids = _branches_of(experiment_ids).values("tape__parent_id")
        starts = TapeRecord.objects.filter(id__in=start_ids).annotate(text=Cast("id", TextField()))
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
        *values: Any,
    ) -> AttemptRow:
        task, outcome, before, changed_at, score, expected, actual, kept, *counts = values[:-6]
        tokens, micro_usd, calls, unpriced = counts
        job_state, cancelled_by, judged_as, passed, reason, message = values[-6:]
        end = RunEnd.of(
            job_state, load_json_text(result) if result else None, cancelled_by, judged_as
        )
        title, expected_now = self._starts.get(start_id or "", (None, None))
        return AttemptRow(
            self._read_id(experiment_id),
            UUID(tape_id),
            self._read_id(start_id) if start_id else None,
            task,
            title,
            outcome,
            before,
            changed_at,
            score,
            expected,
            actual,
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
