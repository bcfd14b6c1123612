"""Queries of the tapes list as database conditions over typed columns.

Conditions that need to read steps or titles are *costly*: `scans` checks them on a few tapes at a
time.
"""

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import reduce
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.lookups import Exact, GreaterThanOrEqual, LessThanOrEqual

from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.library.domain.tape_query.conditions import (
    All,
    AnyOf,
    Between,
    Clause,
    Compare,
    Match,
    Not,
    Value,
    Words,
)
from tapes_app.library.domain.tape_query.values import read_moment
from tapes_app.library.store.search import FoundWords
from tapes_app.lint.store.marks import with_finding
from tapes_app.models import (
    AnnotationRecord,
    BatchRecord,
    DatasetRecord,
    DatasetTapeRecord,
    DatasetVersionRecord,
    DatasetVersionTapeRecord,
    DraftRecord,
    JobRecord,
    TapeRecord,
    TapeTagRecord,
)
from tapes_app.projects.domain.columns import fit_text, read_uuid, split_version

Leaf = Words | Match | Compare | Between
Resolve = Callable[[Leaf], Q | None]
"""Returns the condition of a leaf that is computed elsewhere, `None` for all others."""

TOOL_ERROR = Q(is_error=True, family="observation")
"""Condition on a step: it is a tool's answer and reports an error."""

_LONGEST = 500
_MICRO = 1_000_000
_LARGEST = 2**62
_COUNTS = {
    "steps": "step_count",
    "errors": "error_count",
    "calls": "llm_call_count",
    "input": "input_tokens",
    "output": "output_tokens",
    "cached": "cache_read_tokens",
    "cost": "cost_micro_usd",
}
_FLOATS = {"score": "score", "duration": "duration_seconds"}
_NAMES = {"agent": "agent_name", "author": "author", "task": "task"}


def is_costly(leaf: Leaf, words: Mapping[Words, FoundWords]) -> bool:
    """Return whether a condition needs more than the columns of the tape and small tables."""
    match leaf:
        case Words():
            return not words[leaf].are_all
        case Match("kind" | "node" | "tool" | "title"):
            return True
        case Match("has", values):
            return "tool_error" in values
        case _:
            return False


def compile_clause(clause: Clause, project: UUID, resolve: Resolve) -> Q:
    """Return the condition that picks the tapes of a clause."""
    match clause:
        case Not(inner):
            return ~compile_clause(inner, project, resolve)
        case All(parts):
            return reduce(operator.and_, (compile_clause(one, project, resolve) for one in parts))
        case AnyOf(parts):
            return reduce(operator.or_, (compile_clause(one, project, resolve) for one in parts))
        case _:
            resolved = resolve(clause)
            return resolved if resolved is not None else _compile_leaf(clause, project)


def _compile_leaf(leaf: Leaf, project: UUID) -> Q:
    match leaf:
        case Match(field, values):
            return _compile_match(field, [fit_text(value, _LONGEST) for value in values], project)
        case Compare(field, sign, value):
            return _compile_range(field, **_bounds(field, sign, value))
        case Between(field, low, high):
            return _compile_range(
                field,
                **({} if low is None else _bounds(field, ">=", low)),
                **({} if high is None else _bounds(field, "<=", high)),
            )
        case Words():
            raise AssertionError("words are looked up before")


def _compile_match(field: str, values: list[str], project: UUID) -> Q:
    if field in _NAMES:
        return Q(**{f"{_NAMES[field]}__in": values})
    if field in ("outcome", "split"):
        return Q(**{f"{field}__in": ["" if one == "none" else one for one in values]})
    compile_value = _VALUES[field]
    return reduce(operator.or_, (compile_value(value, project) for value in values))


def _of_batch(value: str, project: UUID) -> Q:
    if not value:
        return Q(batch__isnull=True)
    batch_id = read_uuid(value)
    named = BatchRecord.objects.filter(project_id=project, name=value)
    # Looked up now, so that the list can walk along the index of one batch.
    found = list(named.values_list("id", flat=True))
    return Q(batch_id__in=[*found, *([] if batch_id is None else [batch_id])])


def _in_dataset(value: str, project: UUID) -> Q:
    if not value:
        return ~_in_any_dataset()
    live = DatasetRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    named = Q(name=value)
    dataset_id = read_uuid(value)
    if dataset_id is not None:
        named |= Q(id=dataset_id)
    # Looked up now, like a batch: a few index rows then determine which tapes these are.
    found = list(live.filter(named).values_list("id", flat=True))
    if not found:
        return _in_dataset_version(value, project)
    return Q(id__in=DatasetTapeRecord.objects.filter(dataset_id__in=found).values("tape_id"))


def _in_dataset_version(value: str, project: UUID) -> Q:
    """Return the condition for the tapes of `NAME@3`, if no dataset has that full name."""
    name, number = split_version(value)
    versions = DatasetVersionRecord.objects.filter(
        dataset__project_id=project,
        dataset__deleted_at__isnull=True,
        dataset__name=name,
        number=number,
    )
    found = list(versions.values_list("id", flat=True))
    return Q(id__in=DatasetVersionTapeRecord.objects.filter(version_id__in=found).values("tape_id"))


def _in_any_dataset() -> Q:
    return _exists(DatasetTapeRecord, dataset__deleted_at__isnull=True)


def _with_tag(value: str, project: UUID) -> Q:
    if not value:
        return ~_exists(TapeTagRecord)
    tags = TapeTagRecord.objects.filter(project_id=project, name=value)
    return Q(id__in=tags.values("tape_id"))


def _with_parent_tag(value: str, project: UUID) -> Q:
    if not value:
        return Q(parent__isnull=False) & ~Q(
            Exists(TapeTagRecord.objects.filter(tape_id=OuterRef("parent_id")))
        )
    tags = TapeTagRecord.objects.filter(project_id=project, name=value)
    return Q(parent_id__in=tags.values("tape_id"))


def _exists(model: Any, **where: Any) -> Q:
    return Q(Exists(model.objects.filter(tape_id=OuterRef("pk"), **where)))


_NOW: Mapping[str, Callable[[], Q]] = {
    "pinned": lambda: Q(pinned_at__isnull=False),
    "archived": lambda: Q(archived_at__isnull=False),
    "kept-from-training": lambda: Q(is_kept_from_training=True),
    "running": lambda: _exists(JobRecord, state__in=LIVE_STATES),
    "fork": lambda: Q(parent__isnull=False),
    "error": lambda: Q(has_error=True),
    "parent": lambda: Q(parent__isnull=False),
    "child": lambda: Q(
        Exists(TapeRecord.objects.filter(parent_id=OuterRef("pk"), deleted_at__isnull=True))
    ),
    "draft": lambda: _exists(DraftRecord, applied_count__gt=0),
    "note": lambda: _exists(AnnotationRecord, kind="note", deleted_at__isnull=True),
    "score": lambda: (
        Q(score__isnull=False) | _exists(AnnotationRecord, kind="score", deleted_at__isnull=True)
    ),
    "tag": lambda: _exists(TapeTagRecord),
    "task": lambda: ~Q(task=""),
    "expected": lambda: ~Q(expected=""),
    "calls": lambda: Q(llm_call_count__gt=0),
    "batch": lambda: Q(batch__isnull=False),
    "dataset": _in_any_dataset,
}
_VALUES: Mapping[str, Callable[[str, UUID], Q]] = {
    "batch": _of_batch,
    "dataset": _in_dataset,
    "tag": _with_tag,
    "parent_tag": _with_parent_tag,
    "title": lambda value, _: Q(title__icontains=value),
    "lint": lambda value, project: with_finding(project, value),
    "has": lambda value, _: _NOW[value](),
    "is": lambda value, _: _NOW[value](),
}


def _bounds(field: str, sign: str, value: Value) -> dict[str, Any]:
    """Return the bounds of the values that fit, `low` and `high`; `is_…_open` for open ends."""
    if field == "created":
        return _moment_bounds(str(value), sign)
    number = float(value)
    if field in _FLOATS:
        is_open = sign in ("<", ">")
        low = {"low": number, "is_low_open": is_open} if sign in (">", ">=", "=") else {}
        high = {"high": number, "is_high_open": is_open} if sign in ("<", "<=", "=") else {}
        return {**low, **high}
    if field == "cost":
        number = round(number * _MICRO, 6)
    found: dict[str, Any] = {}
    if sign in (">", ">=", "="):
        found["low"] = math.floor(number) + 1 if sign == ">" else math.ceil(number)
    if sign in ("<", "<=", "="):
        found["high"] = math.ceil(number) - 1 if sign == "<" else math.floor(number)
    return {name: max(-_LARGEST, min(_LARGEST, bound)) for name, bound in found.items()}


def _moment_bounds(text: str, sign: str) -> dict[str, Any]:
    read = read_moment(text, datetime.now(UTC))
    assert read is not None, "the parser has read it"
    start, end = read
    is_day = end > start
    match sign:
        case ">":
            return {"low": end, "is_low_open": not is_day}
        case ">=":
            return {"low": start}
        case "<":
            return {"high": start, "is_high_open": True}
        case "<=":
            return {"high": end, "is_high_open": is_day}
        case _:  # "7d" alone means the last seven days
            return {"low": start, **({"high": end, "is_high_open": True} if is_day else {})}


def _compile_range(
    field: str,
    *,
    low: Any = None,
    high: Any = None,
    is_low_open: bool = False,
    is_high_open: bool = False,
) -> Q:
    if field == "tokens":
        return _token_range(low, high)
    name = "created_at" if field == "created" else _COUNTS.get(field) or _FLOATS[field]
    # For a tape with unpriced calls, the known cost is only a lower bound.
    found = Q(unpriced_call_count=0) if field == "cost" and high is not None else Q()
    if low is not None:
        found &= Q(**{f"{name}__{'gt' if is_low_open else 'gte'}": low})
    if high is not None:
        found &= Q(**{f"{name}__{'lt' if is_high_open else 'lte'}": high})
    return found


def _token_range(low: int | None, high: int | None) -> Q:
    total = F("input_tokens") + F("output_tokens")
    if low is not None and low == high:
        return Q(Exact(total, low))
    found = Q()
    if low is not None:
        found &= Q(GreaterThanOrEqual(total, low))
    if high is not None:
        found &= Q(LessThanOrEqual(total, high))
    return found


def all_q(conditions: Iterable[Q]) -> Q:
    return reduce(operator.and_, conditions, Q())
