"""Steps that are too large for a page: their beginnings, with space shared out fairly.

Space is counted in characters of JSON. The same rule divides it among the steps of a page, the
fields of a step and the items of a field: what is small stays complete, what is large is cut to an
equal length.
"""

import dataclasses
from collections.abc import Iterable
from itertools import islice
from typing import Any

from tapes_app.engine.json_pointer import write_pointer
from tapes_app.tapes.domain.rows import StepCut, StepRow

LONGEST_STEP = 250_000
"""The limit for a step on a page; what people read in one go is far shorter."""

LONGEST_PAGE = 8_000_000
"""The limit for all steps of a page together."""

MOST_READ = 32_000_000
"""How much is read of all large steps of a page, to cut them where their fields end."""

MOST_READ_OF_STEP = 4_000_000

MOST_PLACES = 20
"""How many places of a step are reported as cut."""

CUT_MARK = "$cut"
"""The key that marks a body as only a beginning: no edit may bring it back."""

_WHOLE_IS_AT = "Only the beginning; /tapes/{id}/steps/{position} gives the whole step."
_LONGEST_NAME = 1_000
_SMALLEST_ITEM = 16
_SCALAR = 8

Way = tuple[object, ...]
"""The names on the path from the body of a step to a value in it."""


def share_fairly(sizes: Iterable[int], room: int, most: int) -> int:
    """Return the largest limit, up to `most`, at which all sizes cut to it fit into the room."""
    left, ordered = room, sorted(sizes)
    for index, size in enumerate(ordered):
        share = left // (len(ordered) - index)
        if size > share:
            return min(share, most)
        left -= size
    return most


def cut_row(row: StepRow) -> StepRow:
    """Return a row whose body fits, which is the same row if it already does."""
    size = measure(row.body)
    return row if size <= LONGEST_STEP else cut_beginning(row, row.body, size=size)


def cut_beginning(
    row: StepRow, body: Any, *, size: int, room: int = LONGEST_STEP, is_whole: bool = True
) -> StepRow:
    """Return the row of a step of `size` characters with as much of its body as fits.

    Without `is_whole`, `body` is only what could be read of its beginning.
    """
    places: list[str] = []
    read = body if isinstance(body, dict) else {}
    shown = _cut(read, room, (), places)
    if not is_whole:
        places.append(_last_place(read))
    named_places = tuple(dict.fromkeys(places))[:MOST_PLACES]
    return dataclasses.replace(
        row,
        body={"kind": row.kind, **shown, CUT_MARK: _WHOLE_IS_AT},
        cut=StepCut(size=size, places=named_places),
    )


def cut_value(value: Any, *, room: int) -> Any:
    """Return a value, truncated if it does not fit."""
    return value if measure(value) <= room else _cut(value, room, (), [])


def measure(value: Any) -> int:
    """Return the approximate number of characters of a value as JSON."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, dict):
        return 2 + sum(len(name) + 4 + measure(item) for name, item in value.items())
    if isinstance(value, list | tuple):
        return 2 + sum(1 + measure(item) for item in value)
    return _SCALAR


def _cut(value: Any, room: int, way: Way, places: list[str]) -> Any:
    if isinstance(value, str):
        places.append(write_pointer(way))
        # Half an image is useless.
        return value[: value.find(",", 0, room) + 1 if value.startswith("data:") else room]
    if not isinstance(value, dict | list | tuple):
        return value
    named = value.items() if isinstance(value, dict) else enumerate(value)
    kept = [
        (name, item)
        for name, item in islice(named, room // _SMALLEST_ITEM)
        if not isinstance(name, str) or len(name) <= _LONGEST_NAME
    ]
    if len(kept) < len(value):
        places.append(write_pointer(way))
    sizes = [measure(item) for _, item in kept]
    limit = share_fairly(sizes, room, room)
    cut = {
        name: item if size <= limit else _cut(item, limit, (*way, name), places)
        for (name, item), size in zip(kept, sizes, strict=True)
    }
    return cut if isinstance(value, dict) else list(cut.values())


def _last_place(value: Any) -> str:
    """Return where reading a beginning stopped: at its last leaf."""
    way: list[object] = []
    while isinstance(value, dict | list) and value:
        name = next(reversed(value)) if isinstance(value, dict) else len(value) - 1
        way.append(name)
        value = value[name]
    return write_pointer(way)
