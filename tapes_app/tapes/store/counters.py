"""Counters of tapes: updated when steps are written, recomputed only when a tape is cut."""

from django.db.models import Count, Q, Sum

from tapes_app.models import LLMCallRecord, StepRecord, TapeRecord
from tapes_app.tapes.domain.spans import Spans
from tapes_app.tapes.store.access import spans_filter

TOTALS = (
    "input_tokens", "cache_read_tokens", "output_tokens", "cost_micro_usd", "duration_seconds",
)  # fmt: skip
COUNTERS = (*TOTALS, "llm_call_count", "unpriced_call_count")


def count_spans(spans: Spans) -> dict[str, float]:
    """Return the error count and call totals of the steps of some spans, in two queries."""
    return {**_sum_calls(spans), "error_count": _count_errors(spans)}


def count_part(tape: TapeRecord, spans: Spans) -> dict[str, float]:
    """Return the same for a part of a tape; counters that are 0 for the tape are not queried."""
    return {
        **(_sum_calls(spans) if tape.llm_call_count else dict.fromkeys(COUNTERS, 0)),
        "error_count": _count_errors(spans) if tape.error_count else 0,
    }


def _sum_calls(spans: Spans) -> dict[str, float]:
    steps = StepRecord.objects.filter(spans_filter(spans), llm_call__isnull=False).order_by()
    calls = LLMCallRecord.objects.filter(id__in=steps.values("llm_call_id"))
    sums = calls.aggregate(
        llm_call_count=Count("id"),
        unpriced_call_count=Count("id", filter=Q(cost_micro_usd__isnull=True)),
        **{name: Sum(name) for name in TOTALS},
    )
    return {name: sums[name] or 0 for name in COUNTERS}


def _count_errors(spans: Spans) -> int:
    return StepRecord.objects.filter(spans_filter(spans), is_error=True).order_by().count()


def copy_counters(tape: TapeRecord) -> dict[str, float]:
    return {name: getattr(tape, name) for name in (*COUNTERS, "error_count")}
