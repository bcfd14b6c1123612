"""What tapes say of environments: the errors that they reported, and the tools that were called.

Each query reads the newest tapes of a project, by an index, and of their steps only those that an
index or a column without a body tells.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain, islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Length

from tapes_app.models import StepRecord, TapeRecord
from tapes_app.tapes.domain.spans import Span, Spans, cut_spans, find_place, places, read_spans
from tapes_app.tapes.store.access import pick_tapes, read_columns

MOST_TAPES = 500
"""Tapes that are searched for use."""

MOST_FAILED_TAPES = 200
MOST_ERRORS = 300
_LONGEST_BODY = 100_000
"""Characters of a step that is read."""

_AT_ONCE = 25
"""Errors whose steps are read together."""

_LOOKED_BACK = 10
"""Steps of the tape that a fork was made of, searched for the action of its first observation."""


class ObservedError(NamedTuple):
    """An observation that reports an error, with the action that it answers."""

    tape_id: UUID
    agent_id: UUID | None
    position: int
    at: datetime
    message: str
    observation: dict[str, Any]
    action: dict[str, Any]
    """Empty if there is none, as in `observation` if it is too long."""


class TapeUse(NamedTuple):
    """The tools that an agent called on one of the newest tapes."""

    agent_id: UUID | None
    tools: frozenset[str]


def iterate_errors(project: UUID) -> Iterator[ObservedError]:
    """Yield the newest errors that environments reported on the newest tapes with errors.

    Steps are read in groups, so a caller that has found enough saves the rest.
    """
    tapes = {
        tape_id: _Tape(agent_id, read_spans(spans))
        for tape_id, agent_id, spans in _newest(project)
        .filter(has_error=True)
        .values_list("id", "agent_version__agent_id", "spans")[:MOST_FAILED_TAPES]
    }
    before = StepRecord.objects.filter(
        log=OuterRef("log"), position__lt=OuterRef("position"), family="action"
    )
    rows = iter(
        StepRecord.objects.filter(
            log_id__in=list(tapes), is_error=True, family="observation", writer="environment"
        )
        .annotate(action=Subquery(before.order_by("-position").values("position")[:1]))
        .order_by("-created_at", "-position")
        .values_list("log_id", "position", "action", "created_at", "gist")[:MOST_ERRORS]
    )
    while group := [_Error(*row) for row in islice(rows, _AT_ONCE)]:
        yield from _read_group(group, tapes)


class _Tape(NamedTuple):
    agent_id: UUID | None
    spans: Spans


class _Error(NamedTuple):
    log: UUID
    place: int
    action: int | None
    """The place of the action before it, in the same log."""

    at: datetime
    gist: str


def _read_group(errors: Iterable[_Error], tapes: Mapping[UUID, _Tape]) -> Iterator[ObservedError]:
    # A log may hold steps that its tape no longer shows.
    shown = {one: find_place(tapes[one.log].spans, one.log, one.place) for one in errors}
    before = {
        one: _spans_before(one, position, tapes[one.log].spans)
        for one, position in shown.items()
        if position is not None
    }
    own = (Span(one.log, one.place, 1) for one in before)
    short = Case(When(size__lte=_LONGEST_BODY, then=F("body")), default=None)
    found = read_columns(
        tuple(chain(own, *before.values())), "family", "short", size=Length("body"), short=short
    )
    for one, spans in before.items():
        asked = [found[place] for place in places(spans) if found[place][0] == "action"]
        position = shown[one]
        assert position is not None, "those of no tape are left out"
        yield ObservedError(
            tape_id=one.log,
            agent_id=tapes[one.log].agent_id,
            position=position,
            at=one.at,
            message=one.gist,
            observation=found[one.log, one.place][1] or {},
            action=(asked[-1][1] if asked else None) or {},
        )


def _spans_before(error: _Error, position: int, spans: Spans) -> Spans:
    """Return where the action is: in the same log, or before the first step of a fork's own."""
    if error.action is not None:
        return (Span(error.log, error.action, 1),)
    start = max(0, position - _LOOKED_BACK)
    return cut_spans(spans, start, position - start)


def list_use(project: UUID) -> list[TapeUse]:
    """Return what agents called on the newest tapes; imported steps do not count."""
    agents = dict(_newest(project).values_list("id", "agent_version__agent_id")[:MOST_TAPES])
    called: dict[UUID, set[str]] = {tape_id: set() for tape_id in agents}
    rows = (
        StepRecord.objects.filter(log_id__in=list(agents), writer="agent", tools__gt="")
        .order_by()
        .values_list("log_id", "tools")
        .distinct()
    )
    for log, tools in rows:
        called[log].update((tools or "").split())
    return [TapeUse(agents[tape_id], frozenset(tools)) for tape_id, tools in called.items()]


def list_live(project: UUID, tape_ids: Collection[UUID]) -> set[UUID]:
    """Return which of some tapes are not deleted."""
    return set(pick_tapes(tape_ids, project).values_list("id", flat=True))


def _newest(project: UUID) -> QuerySet[TapeRecord]:
    live = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    return live.order_by("-created_at", "-id")
