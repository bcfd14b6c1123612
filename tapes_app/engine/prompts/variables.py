"""Variables of prompt texts: `{{ plan.formula }}` stands for a field of the newest `plan` step.

A text is filled in once, from the steps that its agent sees: what a step says is never read as a
text with variables, and nothing is executed.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tapes_app.engine.prompts.chat_messages import show_text
from tapes_app.engine.tape.steps import Step

MOST_PLACES = 100
"""How many places of a text are filled in; later ones are sent as they are written."""

LONGEST_VALUE = 50_000
"""How many characters of a value are shown."""

SHORT = 300

_PLACE = re.compile(
    r"\{\{[ \t]{0,9}(?P<kind>[A-Za-z_][\w-]{0,99})\.(?P<path>\w{1,99}(?:\.\w{1,99}){0,9})"
    r"[ \t]{0,9}(?:\|[ \t]{0,9}(?P<filter>\w{1,20})[ \t]{0,9})?\}\}"
)


@dataclass(frozen=True, slots=True)
class Filter:
    """A way to write a value."""

    description: str
    write: Callable[[Any], str]


def _write_lines(value: Any) -> str:
    return "\n".join(map(show_text, value)) if isinstance(value, list) else show_text(value)


FILTERS: Mapping[str, Filter] = {
    "json": Filter("as JSON", lambda value: json.dumps(value, ensure_ascii=False)),
    "lines": Filter("each item of a list on a line of its own", _write_lines),
    "short": Filter(f"the first {SHORT} characters", lambda value: show_text(value)[:SHORT]),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text that a variable fills in."""

    kind: str
    path: tuple[str, ...]
    """The field, and what is inside it: names, and positions in lists."""

    filter: str
    """Empty: as text."""

    @property
    def name(self) -> str:
        return ".".join((self.kind, *self.path))


def list_places(text: str) -> Iterator[Place]:
    """Yield the places of a text in their order, also those with an unknown filter."""
    yield from map(_read_place, _PLACE.finditer(text))


def remove_places(text: str) -> str:
    """Return a text without the places that variables fill in."""
    return _PLACE.sub("", text)


def fill_in(text: str, steps_by_kind: Mapping[str, Sequence[Step]]) -> str:
    """Return a text with the values of its variables; steps are ordered from old to new.

    Without such a step or field, a place becomes empty; with an unknown filter, it stays.
    """

    def fill(match: re.Match[str]) -> str:
        place = _read_place(match)
        if place.filter and place.filter not in FILTERS:
            return match.group()
        steps = steps_by_kind.get(place.kind)
        value = _find(steps[-1].llm_dict(), place.path) if steps else None
        if value is None:
            return ""
        write = FILTERS[place.filter].write if place.filter else show_text
        return write(value)[:LONGEST_VALUE]

    return _PLACE.sub(fill, text, count=MOST_PLACES)


def _read_place(match: re.Match[str]) -> Place:
    path = tuple(match["path"].split("."))
    return Place(match["kind"], path, match["filter"] or "")


def _find(value: Any, path: Sequence[str]) -> Any:
    """Return what is at a path in JSON data; `None` if nothing is."""
    for name in path:
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
