"""What differs between two JSON values, named by path.

Lists are aligned by content, as steps are, so an inserted item shifts nothing. If every item of a
list has a unique name, items are matched by name.
"""

import difflib
from collections.abc import Iterable, Iterator
from itertools import takewhile, zip_longest
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from tapes_app.engine.model.messages import canonical_json

FieldOp = Literal["changed", "added", "removed"]

MOST_ALIGNED = 1_000_000
"""Beyond this many pairs of items, two lists are compared as one value."""


class FieldDiff(BaseModel):
    """One field that differs; `path` joins keys and indices by dots.

    An index refers to the new list, or to the old one for a removed item.
    """

    model_config = ConfigDict(frozen=True)

    path: str
    old: Any = None
    """Also `None` if the field did not exist."""

    new: Any = None
    op: FieldOp = "changed"


def diff_fields(old: Any, new: Any, path: str = "") -> tuple[FieldDiff, ...]:
    """Return what differs between two JSON values, as deep as their shapes match."""
    if isinstance(old, dict) and isinstance(new, dict):
        return tuple(_diff_items(old, new, path))
    if isinstance(old, list) and isinstance(new, list):
        return tuple(_diff_lists(old, new, path))
    # In JSON, 1 and true are not the same.
    if old == new and type(old) is type(new):
        return ()
    return (FieldDiff(path=path, old=old, new=new),)


def diff_sets(old: list[Any], new: list[Any], path: str) -> tuple[FieldDiff, ...]:
    """Return the items that only one of two lists holds, regardless of order."""
    olds, news = ({canonical_json(item): item for item in side} for side in (old, new))
    return (
        *(FieldDiff(path=path, old=olds[key], op="removed") for key in olds if key not in news),
        *(FieldDiff(path=path, new=news[key], op="added") for key in news if key not in olds),
    )


def _diff_items(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[FieldDiff]:
    for key in [*old, *(key for key in new if key not in old)]:
        place = f"{path}.{key}" if path else key
        if key not in new:
            yield FieldDiff(path=place, old=old[key], op="removed")
        elif key not in old:
            yield FieldDiff(path=place, new=new[key], op="added")
        else:
            yield from diff_fields(old[key], new[key], place)


def _diff_lists(old: list[Any], new: list[Any], path: str) -> Iterator[FieldDiff]:
    olds, news = _by_name(old), _by_name(new)
    if olds is not None and news is not None:
        yield from _diff_items(olds, news, path)
        kept = [name for name in news if name in olds]
        before = [name for name in olds if name in news]
        if kept != before:
            yield FieldDiff(path=f"{path} (order)", old=before, new=kept)
    else:
        yield from _diff_aligned(old, new, path)


def _by_name(items: list[Any]) -> dict[str, Any] | None:
    """Return the items by name; `None` unless each has a unique one."""
    found = {}
    for item in items:
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or not name or name in found:
            return None
        found[name] = item
    return found


def _diff_aligned(old: list[Any], new: list[Any], path: str) -> Iterator[FieldDiff]:
    olds, news = ([canonical_json(item) for item in side] for side in (old, new))
    # A common prefix costs nothing, however long it is.
    prefix = next(
        (at for at, (a, b) in enumerate(zip(olds, news, strict=False)) if a != b),
        min(len(olds), len(news)),
    )
    olds, news = olds[prefix:], news[prefix:]
    if len(olds) * len(news) > MOST_ALIGNED:
        yield FieldDiff(path=path, old=old, new=new)
        return
    matcher = difflib.SequenceMatcher(a=olds, b=news, autojunk=False)
    for op, *bounds in matcher.get_opcodes():
        if op == "equal":
            continue
        start, stop, other_start, other_stop = (bound + prefix for bound in bounds)
        gap = zip_longest(range(start, stop), range(other_start, other_stop))
        for left, right in gap:
            if right is None:
                yield FieldDiff(path=f"{path}.{left}", old=old[left], op="removed")
            elif left is None:
                yield FieldDiff(path=f"{path}.{right}", new=new[right], op="added")
            else:
                yield from diff_fields(old[left], new[right], f"{path}.{right}")


def count_equal_start(one: Iterable[object], other: Iterable[object]) -> int:
    """Return how many items two sequences have in common before the first that differs."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
