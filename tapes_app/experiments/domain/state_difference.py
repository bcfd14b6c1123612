"""Comparing two states of an environment: the first place where they differ."""

from collections.abc import Mapping
from typing import Any

from tapes_app.engine.model.messages import canonical_json

_LONGEST = 80


def find_difference(
    wanted: Any, found: Any, *, is_exact: bool = False, place: str = "state"
) -> str:
    """Describe the first place where the state differs from the wanted one; empty if there is none.

    In objects, additional fields count only if `is_exact`; in lists every element counts, in order.
    Numbers are equal by value, and a boolean is never equal to a number.
    """
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return _compare_fields(wanted, found, is_exact=is_exact, place=place)
    if isinstance(wanted, list) and isinstance(found, list):
        return _compare_elements(wanted, found, is_exact=is_exact, place=place)
    if isinstance(wanted, bool) == isinstance(found, bool) and wanted == found:
        return ""
    return f"{place} is {_show(found)} and not {_show(wanted)}."


def _compare_fields(
    wanted: Mapping[str, Any], found: Mapping[str, Any], *, is_exact: bool, place: str
) -> str:
    for name, value in wanted.items():
        if name not in found:
            return f"{place} has no {name!r}; it should be {_show(value)}."
        difference = find_difference(value, found[name], is_exact=is_exact, place=f"{place}.{name}")
        if difference:
            return difference
    others = [name for name in found if name not in wanted]
    if is_exact and others:
        return f"{place} also has {others[0]!r}, which it should not."
    return ""


def _compare_elements(wanted: list[Any], found: list[Any], *, is_exact: bool, place: str) -> str:
    if len(wanted) != len(found):
        return f"{place} has {len(found):,} elements and not {len(wanted):,}."
    pairs = enumerate(zip(wanted, found, strict=True))
    differences = (
        find_difference(one, other, is_exact=is_exact, place=f"{place}[{number}]")
        for number, (one, other) in pairs
    )
    return next(filter(None, differences), "")


def _show(value: Any) -> str:
    text = canonical_json(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
