"""Which tools the failed observations of some tapes answer: told by the action before each."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery

from tapes_app.library.tape_query.conditions import Sequence
from tapes_app.library.tape_query.narrowing import failing_tools
from tapes_app.models import StepRecord
from tapes_app.tapes.call_digests import tool_called_by

MOST_PLACES = 8
_NONE: tuple[str | None, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class FailingGroup:
    """Where steps report errors: `tape_count` tapes have one there."""

    name: str
    tape_count: int
    step_count: int
    found_by: Sequence
    """The steps by which a query finds these tapes."""


def count_failing_tools(errors: Q) -> tuple[FailingGroup, ...]:
    """Return the tools whose answers report an error, those of the most tapes first."""
    action = StepRecord.objects.filter(
        log_id=OuterRef("log_id"), position__lt=OuterRef("position"), family="action"
    ).order_by("-position")
    # One look back for each failed step; what the actions say is read afterwards, all at once.
    failed = (
        StepRecord.objects.filter(errors, family="observation")
        .order_by()
        .annotate(action_id=Subquery(action.values("id")[:1]))
    )
    rows = list(failed.values_list("id", "action_id", "log_id", "position"))
    asked = StepRecord.objects.filter(id__in={row[1] for row in rows}).order_by()
    actions = {id: (tools, at) for id, tools, at in asked.values_list("id", "tools", "position")}
    told = _read_calls([row[:2] for row in rows if " " in (actions.get(row[1], _NONE)[0] or "")])
    tapes: defaultdict[tuple[str, ...], set[UUID]] = defaultdict(set)
    distances: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for step, action_id, log, position in rows:
        called, asked_at = actions.get(action_id, _NONE)
        if not called:  # before it stands no action, or one of which nobody wrote down the tools
            continue
        tools = (told[step],) if step in told else tuple(called.split())
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
    """Return the tools that observations answer by the id of a call, where that tells it."""
    if not pairs:
        return {}
    ids = {id for pair in pairs for id in pair}
    bodies = dict(StepRecord.objects.filter(id__in=ids).values_list("id", "body"))
    found = (
        (observation, tool_called_by(bodies[action], bodies[observation]))
        for observation, action in pairs
    )
    return {observation: tool for observation, tool in found if tool}
