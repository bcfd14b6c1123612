"""What an edit changes, in one line: `#23 content: "Error…" → "$36.00"`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tapes_app.engine.tape.field_diff import FieldDiff, diff_fields
from tapes_app.engine.tape.splice import Arrangement
from tapes_app.tapes.domain.step_facts import describe_step

LONGEST_WORDS = 200
_LONGEST_VALUE = 32
_SHOWN_BEFORE = 6
"""How many characters are kept of a common beginning of two long texts."""

_ARGUMENTS = re.compile(r"tool_calls\.\d+\.function\.arguments")
_MOST_COMPARED = 100_000
"""In characters; texts that are equal for longer are shown from there."""


def describe_edit(arrangement: Arrangement, recorded: Mapping[int, Any]) -> str:
    """Describe the first change of an edit and count the others; empty if there is no change.

    `recorded` holds the bodies of the overwritten steps by their recorded positions.
    """
    changes = list(_list_changes(arrangement, recorded))
    if not changes:
        return ""
    more = "" if len(changes) == 1 else f", {len(changes) - 1} more"
    # A key of a step is as hostile as its text: it must fit on one line, whatever it contains.
    first = " ".join(changes[0][:LONGEST_WORDS].split())
    return f"{first[: LONGEST_WORDS - len(more)]}{more}"


def _list_changes(arrangement: Arrangement, recorded: Mapping[int, Any]) -> Iterator[str]:
    if arrangement.context is not None:
        yield "another context"
    places, count = arrangement.places, arrangement.original_count
    left = {place.origin for place in places}
    reached = 0
    for position, place in enumerate(places):
        origin = place.origin
        if origin is None:
            yield f"#{position} added: {_quote(describe_step(place.written or {}))}"
            continue
        # Steps are deleted between two that stayed; after the last one, that is a cut.
        yield from (
            f"#{deleted} deleted" for deleted in range(reached, origin) if deleted not in left
        )
        if place.written is not None:
            yield _describe_change(position, recorded.get(origin), place.written)
        elif origin < reached:
            yield f"#{origin} moved to #{position}"
        reached = max(reached, origin + 1)
    if reached < count and not left.issuperset(range(reached, count)):
        yield f"cut at #{reached}"
    if arrangement.metadata is not None:
        yield "another title or metadata"


def _describe_change(position: int, old: Any, new: Mapping[str, Any]) -> str:
    changed = diff_fields(_data(old), _data(new)) if isinstance(old, dict) else ()
    if not changed:
        return f"#{position} rewritten"
    first, *others = _open_arguments(changed)
    more = "" if not others else f" and {len(others)} more fields"
    return f"#{position} {first.path}{more}: {_describe_field(first)}"


def _open_arguments(changed: Sequence[FieldDiff]) -> Sequence[FieldDiff]:
    """Return the changed arguments instead of the changed text that holds a call's arguments."""
    first, *others = changed
    if not _ARGUMENTS.fullmatch(first.path):
        return changed
    old, new = _read_object(first.old), _read_object(first.new)
    return changed if old is None or new is None else (*diff_fields(old, new), *others) or changed


def _read_object(text: Any) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _describe_field(field: FieldDiff) -> str:
    if field.op == "added":
        return f"added {_quote(field.new)}"
    if field.op == "removed":
        return f"removed {_quote(field.old)}"
    start = _find_difference(field.old, field.new)
    return f"{_quote(field.old, start)} → {_quote(field.new, start)}"


def _data(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "metadata"}


def _find_difference(old: Any, new: Any) -> int:
    """Return where to start showing two texts: a word or two before they differ."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return 0
    shorter = min(len(old), len(new), _MOST_COMPARED)
    alike = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    return max(0, old.rfind(" ", 0, max(0, alike - _SHOWN_BEFORE)) + 1)


def _quote(value: Any, start: int = 0) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text[start : start + 4 * _LONGEST_VALUE].split())
    is_cut = len(line) > _LONGEST_VALUE or len(text) > start + 4 * _LONGEST_VALUE
    shown = f"{line[:_LONGEST_VALUE].rstrip()}…" if is_cut else line
    shown = f"…{shown}" if start else shown
    return f'"{shown}"' if isinstance(value, str) else shown
