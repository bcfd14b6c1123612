"""What the typed columns of a call hold, and the values that do not fit them."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from tapes_app.engine.model.llm import LLMCall, Usage
from tapes_app.models import LLMCallRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.tapes.store.counters import COUNTERS

_INT32 = range(-(2**31), 2**31)
_INT64 = range(-(2**63), 2**63)
_COUNTS = tuple(name for name in Usage.model_fields if name != "is_estimate")

_PLAIN = (
    "cost_micro_usd", "duration_seconds", "first_token_seconds", "finish_reason", "error",
)  # fmt: skip


def read_usage(record: LLMCallRecord) -> Usage:
    exact = record.exact or {}
    counts = {name: exact.get(name, getattr(record, name)) for name in _COUNTS}
    return Usage(**counts, is_estimate=bool(record.is_estimate))


def prompt_id_of(record: LLMCallRecord) -> str:
    return str((record.exact or {}).get("prompt_id", record.prompt_id))


def read_started_at(record: LLMCallRecord) -> datetime | None:
    exact = record.exact or {}
    return (
        datetime.fromisoformat(exact["started_at"]) if "started_at" in exact else record.started_at
    )


def read_plain_fields(record: LLMCallRecord) -> dict[str, Any]:
    """Return the fields of a call that are columns, as they were given."""
    exact = record.exact or {}
    return {name: exact.get(name, getattr(record, name)) for name in _PLAIN}


def fit_columns(call: LLMCall) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the typed columns store, and the values that they cannot hold."""
    values: dict[str, Any] = {
        "prompt_id": (call.prompt.id, fit_text(call.prompt.id, 100)),
        "finish_reason": (call.finish_reason, fit_text(call.finish_reason, 50)),
        "error": (call.error, fit_text(call.error, len(call.error))),
        "cost_micro_usd": (call.cost_micro_usd, _fit_int(call.cost_micro_usd, _INT64)),
        "duration_seconds": (call.duration_seconds, _fit_float(call.duration_seconds)),
        "first_token_seconds": (call.first_token_seconds, _fit_float(call.first_token_seconds)),
        "started_at": (call.started_at, _fit_time(call.started_at)),
    }
    for name in _COUNTS:
        count = getattr(call.usage, name)
        values[name] = (count, _fit_int(count, _INT32))
    columns = {name: fitted for name, (_, fitted) in values.items()}
    columns["is_estimate"] = call.usage.is_estimate or None
    exact = {name: true for name, (true, fitted) in values.items() if true != fitted}
    if "started_at" in exact:
        exact["started_at"] = exact["started_at"].isoformat()
    return columns, exact


def _fit_int(value: int | None, limits: range) -> int | None:
    return value if value is not None and value in limits else None


def _fit_float(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _fit_time(value: datetime | None) -> datetime | None:
    """Return an aware time in UTC; a naive one is not a moment, but a column would make it one."""
    if value is None or value.tzinfo is None:
        return None
    try:
        return value.astimezone(UTC)
    except OverflowError:
        return None


def sum_call_columns(calls: Iterable[LLMCall]) -> dict[str, float]:
    """Return what the given calls add to the counters of a tape."""
    totals: dict[str, float] = dict.fromkeys(COUNTERS, 0)
    for call in calls:
        totals["llm_call_count"] += 1
        for name in ("input_tokens", "cache_read_tokens", "output_tokens"):
            totals[name] += _fit_int(getattr(call.usage, name), _INT32) or 0
        cost = _fit_int(call.cost_micro_usd, range(2**53))
        totals["unpriced_call_count"] += cost is None
        totals["cost_micro_usd"] += cost or 0
        totals["duration_seconds"] += _fit_float(call.duration_seconds) or 0.0
    return totals
