"""The parts of an answer (thoughts, text, tool calls), and where a template has written them.

Knows no template: a part is found by what it says, in any of the notations that templates use.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.engine.model.reasoning import TEXT
from tapes_app.engine.tape.thoughts import split_thoughts

PartName = Literal["thoughts", "text", "calls"]
_BLANK = "\0"


@dataclass(frozen=True)
class AnswerParts:
    """What an answer says."""

    thoughts: str
    """From their own field, or from the beginning of the content."""

    text: str
    calls: tuple[dict[str, Any], ...]
    """Each `{"name", "arguments"}`, the arguments an object wherever they are one."""

    @property
    def count(self) -> int:
        return bool(self.thoughts) + bool(self.text) + len(self.calls)


@dataclass(frozen=True)
class FoundParts:
    """Where the parts of an answer are in a text."""

    missing: PartName | None
    """The first part that the text does not contain, if there is one."""

    end: int
    """The place after the last part, in characters."""

    between: str
    """The text with its parts blanked out: what the template itself has written."""


def split_answer(answer: dict[str, Any]) -> AnswerParts:
    """Return the parts of an assistant message whose content is text."""
    inline, text = split_thoughts(answer.get("content") or "")
    return AnswerParts(
        thoughts=str(answer.get(TEXT) or inline).strip(),
        text=text.strip(),
        calls=tuple(call.get("function") or {} for call in answer.get("tool_calls") or ()),
    )


def with_thoughts_apart(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose thoughts are in their own field, not in its content."""
    inline, text = split_thoughts(answer.get("content") or "")
    return {**answer, "content": text, TEXT: answer.get(TEXT) or inline} if inline else answer


def without_thoughts(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without what was thought before it."""
    kept = {name: value for name, value in answer.items() if name != TEXT}
    return {**kept, "content": split_thoughts(answer.get("content") or "")[1]}


def find_parts(parts: AnswerParts, written: str) -> FoundParts:
    """Find each part of an answer in a text; every occurrence stands for one part only."""
    search = _Search(written)
    missing: PartName | None = None
    for name, wanted in _list_wanted(parts):
        if not search.take(wanted):
            missing = missing or name
    return FoundParts(missing, search.end, search.rest)


class _Search:
    """A text in which what was found is blanked out."""

    def __init__(self, text: str) -> None:
        self.rest = text
        self.end = 0

    def take(self, forms: tuple[str, ...]) -> bool:
        """Blank out the first of these forms that the text contains; return whether it does."""
        for form in forms:
            start = self.rest.find(form)
            if start >= 0:
                end = start + len(form)
                self.rest = self.rest[:start] + _BLANK * len(form) + self.rest[end:]
                self.end = max(self.end, end)
                return True
        return False


def _list_wanted(parts: AnswerParts) -> Iterator[tuple[PartName, tuple[str, ...]]]:
    """Yield what must be found, each in the forms that it may have.

    Long ones come first, so that a short one is not found inside of them.
    """
    if parts.thoughts:
        yield "thoughts", (parts.thoughts,)
    if parts.text:
        yield "text", (parts.text,)
    leaves = [leaf for call in parts.calls for leaf in _list_leaves(call)]
    for leaf in sorted(leaves, key=lambda forms: len(forms[0]), reverse=True):
        yield "calls", leaf


def _list_leaves(call: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    yield _forms_of(str(call.get("name", "")))
    yield from _walk(call.get("arguments"))


def _walk(value: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, held in value.items():
            yield _forms_of(str(key))
            yield from _walk(held)
    elif isinstance(value, list):
        for held in value:
            yield from _walk(held)
    elif value != "":
        yield _forms_of(value)


def _forms_of(value: Any) -> tuple[str, ...]:
    """Return how templates write a value: as it is, as JSON, JSON in JSON, or as in Python."""
    if not isinstance(value, str):
        return tuple(dict.fromkeys((json.dumps(value), str(value))))
    ascii_only, unicode = json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]
    nested = tuple(
        json.dumps(form, ensure_ascii=False)[1:-1]
        for form in (ascii_only, unicode)
        if form != value
    )
    return tuple(dict.fromkeys((value, unicode, ascii_only, repr(value)[1:-1], *nested)))
