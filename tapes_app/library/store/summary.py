"""What a list of tapes has in common: outcomes, how its numbers are distributed, where it fails."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, Subquery

from tapes_app.library.domain.histogram import Spread, spread_of
from tapes_app.library.domain.tape_query.conditions import Sequence
from tapes_app.library.domain.tape_query.facets import failing_kind, failing_node, failing_tools
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.samples import take_sample
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.tapes.domain.call_digests import tool_called_by

MOST_TAPES = 20_000
"""How many of the newest tapes a summary reads; `is_cut` is set if the list has more."""

STEP_DIGITS, COST_DIGITS, DURATION_DIGITS = 0, 6, 3
"""Decimal places of the bin edges; costs are in whole millionths of a dollar."""

MOST_PLACES = 8
_MICRO = 1_000_000
_NO_ACTION: tuple[str | None, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class FailingGroup:
    """A place where steps report errors; `tape_count` tapes have an error there."""

    name: str
    tape_count: int
    step_count: int
    found_by: Sequence
    """The sequence of steps by which a query finds these tapes."""


@dataclass(frozen=True, slots=True)
class SummaryCounts:
    """Numbers for a list of tapes, over its newest `summed_count` of `tape_count`."""

    tape_count: int
    """How many tapes the list has; for a search of steps that was cut, how many were found."""

    summed_count: int
    is_cut: bool
    """Whether there are more tapes than were summed."""

    passed_count: int
    failed_count: int
    unjudged_count: int
    error_tape_count: int
    steps: Spread | None
    cost: Spread | None
    """In US dollars, over tapes whose LLM calls all have a price; `None` if there are none."""

    duration: Spread | None
    """In seconds, over the tapes that have LLM calls."""

    failing_nodes: tuple[FailingGroup, ...]
    """By agent and node, the most tapes first; a step counts for the tape it was written for."""

    failing_kinds: tuple[FailingGroup, ...]
    failing_tools: tuple[FailingGroup, ...]
    """By the tool that a failed observation answers; by all possible tools if it is not certain."""


def summarise_tapes(project: UUID, where: TapeFilter, *, most: int = MOST_TAPES) -> SummaryCounts:
    """Return what a list has in common, in four queries.

    A list that is cut takes one more query, and so does an error that answers one of several calls.

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
        failing_tools=_count_failing_tools(errors),
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


def _count_failing_tools(errors: Q) -> tuple[FailingGroup, ...]:
    """Return the tools whose answers report an error, those on the most tapes first."""
    action = StepRecord.objects.filter(
        log_id=OuterRef("log_id"), position__lt=OuterRef("position"), family="action"
    ).order_by("-position")
    # One look-back for each failed step; the actions' bodies are read afterwards in one query.
    failed = (
        StepRecord.objects.filter(errors, family="observation")
        .order_by()
        .annotate(action_id=Subquery(action.values("id")[:1]))
    )
    rows = list(failed.values_list("id", "action_id", "log_id", "position"))
    asked = StepRecord.objects.filter(id__in={row[1] for row in rows}).order_by()
    actions = {id: (tools, at) for id, tools, at in asked.values_list("id", "tools", "position")}
    tool_of = _read_calls(
        [row[:2] for row in rows if " " in (actions.get(row[1], _NO_ACTION)[0] or "")]
    )
    tapes: defaultdict[tuple[str, ...], set[UUID]] = defaultdict(set)
    distances: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for step, action_id, log, position in rows:
        called, asked_at = actions.get(action_id, _NO_ACTION)
        if not called:  # no action before it, or one whose tools were not recorded
            continue
        tools = (tool_of[step],) if step in tool_of else tuple(called.split())
        tapes[tools].add(log)
        distances[tools].append(position - asked_at)
    places = [
        FailingGroup(
            ", ".join(tools),
            len(logs),
            len(distances[tools]),
            failing_tools(tools, max(distances[tools])),
        )
        for tools, logs in tapes.items()
    ]
    places.sort(key=lambda place: (-place.tape_count, -place.step_count, place.name))
    return tuple(places[:MOST_PLACES])


def _read_calls(pairs: list[Any]) -> dict[int, str]:
    """Return the tool that each observation answers, if the id of a call identifies it."""
    if not pairs:
        return {}
    ids = {id for pair in pairs for id in pair}
    bodies = dict(StepRecord.objects.filter(id__in=ids).values_list("id", "body"))
    found = (
        (observation, tool_called_by(bodies[action], bodies[observation]))
        for observation, action in pairs
    )
    return {observation: tool for observation, tool in found if tool}
