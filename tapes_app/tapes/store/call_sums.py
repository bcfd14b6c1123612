"""Where a call is on a tape, and the total cost of the calls in a stretch of it."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from pydantic import ConfigDict

from tapes_app.models import LLMCallRecord, StepRecord
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.tapes.domain.spans import cut_spans, find_place
from tapes_app.tapes.store.access import get_spans, spans_filter


@dataclass(frozen=True, slots=True)
class CallSums:
    """Sums over some calls; `None` = unknown for all of them."""

    __pydantic_config__: ClassVar[ConfigDict] = ALL_FIELDS

    call_count: int = 0
    unpriced_call_count: int = 0
    """How many of these calls have an unknown cost; if there are any, the cost is "at least"."""

    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_micro_usd: int | None = None
    duration_seconds: float | None = None


_COUNTS = {
    "call_count": Count("id"),
    "unpriced_call_count": Count("id", filter=Q(cost_micro_usd__isnull=True)),
}
_SUMMED = tuple(name for name in CallSums.__slots__ if name not in _COUNTS)


def sum_calls_until(
    tape_id: UUID, project: UUID, position: int, *, agent: str | None = None
) -> CallSums:
    """Return the sums of the calls behind the steps up to `position`, for one agent or for all.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    spans = cut_spans(get_spans(tape_id, project), 0, position + 1)
    steps = StepRecord.objects.filter(spans_filter(spans), llm_call__isnull=False).order_by()
    if agent is not None:
        steps = steps.filter(agent=agent)
    calls: QuerySet[LLMCallRecord] = LLMCallRecord.objects.filter(
        id__in=steps.values("llm_call_id")
    )
    sums = {name: Sum(name) for name in _SUMMED}
    return CallSums(**calls.order_by().aggregate(**_COUNTS, **sums))


def positions_of_call(call_id: UUID, tape_id: UUID, project: UUID) -> list[int]:
    """Return the positions of a call's steps on a tape, in order.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    spans = get_spans(tape_id, project)
    steps = StepRecord.objects.filter(spans_filter(spans), llm_call_id=call_id).order_by()
    found = (find_place(spans, *place) for place in steps.values_list("log_id", "position"))
    return sorted(position for position in found if position is not None)
