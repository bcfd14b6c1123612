"""What a list of tapes has in common: outcomes, how its numbers are spread, where it fails."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from tapes_app.library.histogram import Spread, spread_of
from tapes_app.library.store.failing_tools import MOST_PLACES, FailingGroup, count_failing_tools
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.samples import take_sample
from tapes_app.library.tape_query.conditions import Sequence
from tapes_app.library.tape_query.narrowing import failing_kind, failing_node
from tapes_app.models import StepRecord, TapeRecord

MOST_TAPES = 20_000
"""Newest tapes that a summary looks at; it says so where the list has more."""

STEP_DIGITS, COST_DIGITS, DURATION_DIGITS = 0, 6, 3
"""Decimal places at which bins begin and end; costs are whole millionths of a dollar."""

_MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class SummaryCounts:
    """Numbers of a list of tapes, over its newest `summed_count` of `tape_count`."""

    tape_count: int
    """How many tapes the list has; of a cut search of steps, as many as were found."""

    summed_count: int
    is_cut: bool
    """There are more tapes than were summed."""

    passed_count: int
    failed_count: int
    unjudged_count: int
    error_tape_count: int
    steps: Spread | None
    cost: Spread | None
    """In US dollars, of the tapes whose LLM calls all have a price; `None`: none has."""

    duration: Spread | None
    """In seconds, of the tapes that have LLM calls."""

    failing_nodes: tuple[FailingGroup, ...]
    """By agent and node, the most tapes first; a step counts for the tape it was written for."""

    failing_kinds: tuple[FailingGroup, ...]
    failing_tools: tuple[FailingGroup, ...]
    """By the tool that a failed observation answers; of a call that cannot be told, by all."""


def summarise_tapes(project: UUID, where: TapeFilter, *, most: int = MOST_TAPES) -> SummaryCounts:
    """Return what a list has in common, in four queries.

    A list that is cut takes one more, and so does an error that answers one of several calls.

    Raises:
        NotFoundError: the tape of `family_of` is not in this project.
    """
    plan = plan_list(project, where)
    sample = None if plan.is_light else take_sample(project, plan)
    fitting = plan.light if sample is None else Q(id__in=sample.ids)
    newest = TapeRecord.objects.filter(fitting).order_by("-created_at", "-id")
    rows = list(newest.values_list(*_COLUMNS)[: most + 1])
    is_longer = len(rows) > most
    rows = rows[:most]
    outcomes = Counter(outcome for outcome, *_ in rows)
    called = [row for row in rows if row[2]]
    priced = [row for row in called if not row[6]]
    errors = Q(is_error=True, log_id__in=newest.values("id")[:most])
    return SummaryCounts(
        tape_count=newest.count() if is_longer else len(rows),
        summed_count=len(rows),
        is_cut=is_longer or (sample is not None and sample.is_cut),
        passed_count=outcomes["pass"],
        failed_count=outcomes["fail"],
        unjudged_count=outcomes[""],
        error_tape_count=sum(has_error for _, has_error, *_ in rows),
        steps=spread_of([row[3] for row in rows], digits=STEP_DIGITS),
        cost=spread_of([row[4] / _MICRO for row in priced], digits=COST_DIGITS),
        duration=spread_of([row[5] for row in called], digits=DURATION_DIGITS),
        failing_nodes=_places(errors, ("agent", "node"), failing_node),
        failing_kinds=_places(errors, ("kind",), failing_kind),
        failing_tools=count_failing_tools(errors),
    )


_COLUMNS = (
    "outcome", "has_error", "llm_call_count", "step_count", "cost_micro_usd", "duration_seconds",
    "unpriced_call_count",
)  # fmt: skip


def _places(
    errors: Q, columns: tuple[str, ...], find: Callable[..., Sequence]
) -> tuple[FailingGroup, ...]:
    found: Any = (
        StepRecord.objects.filter(errors)
        .order_by()
        .values_list(*columns)
        .annotate(tapes=Count("log_id", distinct=True), steps=Count("id"))
        .order_by("-tapes", "-steps", *columns)[:MOST_PLACES]
    )
    return tuple(
        FailingGroup(".".join(part for part in names if part), tape_count, step_count, find(*names))
        for *names, tape_count, step_count in found
    )
