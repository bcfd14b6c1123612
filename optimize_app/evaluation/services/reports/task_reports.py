"""Each task of a sweep across its variants, with what every attempt answered."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.scoring_request import ExpectedAs
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape

LONGEST_WHY = 300
LONGEST_ANSWER = 200
"""In characters."""


@dataclass(frozen=True, slots=True)
class TaskAttempt:
    """One run at a task."""

    tape_id: UUID
    passed: bool | None
    """`None`: missing."""

    value: float | None
    """The score from 0 to 1 that a scorer gave."""

    why: str
    """Why it passed, failed or is missing."""

    answer: str
    """What it answered, shortened; empty: nothing."""

    is_chosen: bool
    """Whether the vote of the attempts chose it."""

    has_verdict: bool
    """Whether a judge was asked, whose verdict can be opened as a tape."""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """One task across all variants."""

    start_id: UUID | None
    title: str
    expected: str
    """The expected answer that decided, shortened; empty: there is none."""

    cells: list[list[TaskAttempt]]
    """The attempts of each variant, in their order."""


def list_tasks(
    attempts: Iterable[SweptTape],
    variant_count: int,
    chosen: Collection[UUID],
    *,
    expected: ExpectedAs = "frozen",
) -> list[TaskReport]:
    """Return the tasks that were started; those on which variants differ most come first."""
    by_task = defaultdict[str, list[SweptTape]](list)
    for one in attempts:
        by_task[one.task].append(one)
    rows = [_task(group, variant_count, chosen, expected) for group in by_task.values()]
    return sorted(rows, key=lambda row: (-_spread(row), row.title))


def _task(
    attempts: Sequence[SweptTape],
    variant_count: int,
    chosen: Collection[UUID],
    expected: ExpectedAs,
) -> TaskReport:
    first = attempts[0].row
    cells: list[list[TaskAttempt]] = [[] for _ in range(variant_count)]
    for one in sorted(attempts, key=lambda one: one.attempt):
        passed = None if one.score is None else one.score > 0
        why = one.why[:LONGEST_WHY]
        was_judged = one.scored is not None and one.scored.judge_call_id is not None
        cells[one.variant].append(
            TaskAttempt(
                one.row.tape_id,
                passed,
                one.value,
                why,
                answer=one.row.actual[:LONGEST_ANSWER],
                is_chosen=one.row.tape_id in chosen,
                has_verdict=was_judged,
            )
        )
    answer = first.expected if expected == "frozen" else first.expected_now or ""
    return TaskReport(
        first.start_id, first.start_title or first.task, answer[:LONGEST_ANSWER], cells
    )


def _spread(task: TaskReport) -> float:
    """Return how far apart the variants' pass rates are at a task."""
    judged = [[one.passed for one in cell if one.passed is not None] for cell in task.cells]
    rates = [sum(cell) / len(cell) for cell in judged if cell]
    return max(rates) - min(rates) if rates else 0.0
