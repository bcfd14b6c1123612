"""What is read before a run: who wrote a tape's steps, and what earlier calls and runs took.

All reads are bounded: the newest rows of an index, never all of them.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from tapes_app.engine.tape.families import Family
from tapes_app.models import JobRecord, LLMCallRecord, StepRecord, TapeRecord
from tapes_app.tapes.domain.spans import cut_spans, places
from tapes_app.tapes.store.access import get_columns, get_spans, spans_filter

STEERING_KINDS = frozenset({"call", "respond", "set_next_node"})
"""Kinds whose bodies determine who acts next; for all others only the writer matters."""


@dataclass(frozen=True, slots=True)
class StepAuthor:
    """Who wrote a step; `body` only for the kinds that steer."""

    kind: str
    family: Family
    agent: str
    node: str
    prompt_id: str
    body: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class CallCost:
    """What one recorded call took. `None` means unknown."""

    input_tokens: int | None
    cache_read_tokens: int | None
    output_tokens: int | None
    cost_micro_usd: int | None
    duration_seconds: float | None


@dataclass(frozen=True, slots=True)
class StepCall:
    """One step of a tape with the call behind it, if there is one."""

    position: int
    family: Family
    agent: str
    call_id: UUID | None
    model_name: str
    cost: CallCost


@dataclass(frozen=True, slots=True)
class TapeCost:
    """What all calls of a tape took together."""

    call_count: int
    input_tokens: int
    cache_read_tokens: int
    output_tokens: int
    cost_micro_usd: int


def list_authors(tape_id: UUID, project: UUID, *, until: int | None = None) -> list[StepAuthor]:
    """Return who wrote the first `until` steps (all by default), in two queries.

    A third query reads the bodies of the steps that steer, if there are any.

    Raises:
        NotFoundError: no such tape in this project.
    """
    spans = get_spans(tape_id, project)
    if until is not None:
        spans = cut_spans(spans, 0, until)
    steps = StepRecord.objects.filter(spans_filter(spans)).order_by()
    columns = ("kind", "family", "agent", "node", "prompt_id")
    found = {row[:2]: row[2:] for row in steps.values_list("log_id", "position", *columns)}
    bodies: dict[tuple[UUID, int], dict[str, Any]] = {}
    if any(kind in STEERING_KINDS for kind, *_ in found.values()):
        steering = steps.filter(kind__in=STEERING_KINDS)
        bodies = {row[:2]: row[2] for row in steering.values_list("log_id", "position", "body")}
    return [
        StepAuthor(**dict(zip(columns, found[place], strict=True)), body=bodies.get(place))
        for place in places(spans)
    ]


def list_step_calls(tape_id: UUID, project: UUID, *, start: int, count: int) -> list[StepCall]:
    """Return `count` steps of a tape from `start` with what their calls took, in two queries."""
    spans = cut_spans(get_spans(tape_id, project), max(0, start), max(0, count))
    rows = StepRecord.objects.filter(spans_filter(spans)).order_by()
    of_call = [f"llm_call__{name}" for name in _COSTS]
    named = ("family", "agent", "llm_call_id", "llm_call__model_name")
    columns = ("log_id", "position", *named, *of_call)
    found = {row[:2]: row[2:] for row in rows.values_list(*columns)}
    return [
        _step_call(position, *found[place])
        for position, place in enumerate(places(spans), start=max(0, start))
    ]


_COSTS = CallCost.__slots__


def _step_call(
    position: int,
    family: Family,
    agent: str,
    call_id: UUID | None,
    model_name: str | None,
    *costs: Any,
) -> StepCall:
    cost = CallCost(**dict(zip(_COSTS, costs, strict=True)))
    return StepCall(position, family, agent, call_id, model_name or "", cost)


def list_run_results(
    project: UUID, agent_id: UUID, models: frozenset[str], *, limit: int
) -> list[dict[str, Any]]:
    """Return the results of the agent's newest runs, if all calls for their tape match."""
    jobs = JobRecord.objects.filter(
        *_asked_only(models, "tape_id"),
        project_id=project,
        tape__agent_version__agent_id=agent_id,
        kind="run",
        state__in=("succeeded", "waiting"),
    )
    newest = jobs.order_by("-created_at").values_list("result", flat=True)[:limit]
    return [result for result in newest if isinstance(result, dict)]


def list_tape_costs(
    project: UUID, agent_id: UUID, models: frozenset[str], *, limit: int
) -> list[TapeCost]:
    """Return what the newest tapes took that the agent began; forks would count others' work."""
    tapes = TapeRecord.objects.filter(
        *_asked_only(models, "pk"),
        project_id=project,
        agent_version__agent_id=agent_id,
        parent__isnull=True,
        deleted_at__isnull=True,
        llm_call_count__gt=0,
    )
    columns = (
        "llm_call_count", "input_tokens", "cache_read_tokens", "output_tokens", "cost_micro_usd",
    )  # fmt: skip
    newest = tapes.order_by("-created_at").values_list(*columns)[:limit]
    return [TapeCost(*row) for row in newest]


def _asked_only(models: frozenset[str], tape: str) -> tuple[Q, Q]:
    """Return conditions: calls were made for a tape, and all of them asked these models."""
    calls = LLMCallRecord.objects.filter(tape_id=OuterRef(tape))
    alike = calls.filter(model_name__in=models)
    return Q(Exists(alike)), ~Q(Exists(calls.exclude(model_name__in=models)))


def count_steps(tape_id: UUID, project: UUID) -> int:
    """Return how many steps a tape has.

    Raises:
        NotFoundError: no such tape in this project.
    """
    (count,) = get_columns(tape_id, project, "step_count")
    return int(count)


def is_archived(tape_id: UUID, project: UUID) -> bool:
    """Return whether a tape is archived, and so hidden and read-only.

    Raises:
        NotFoundError: no such tape in this project.
    """
    (archived_at,) = get_columns(tape_id, project, "archived_at")
    return archived_at is not None
