"""The content of an answer as a list of parts: text, thoughts and the rest, told apart."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

_THOUGHTS = frozenset({"thinking", "reasoning", "redacted_thinking", "summary_text"})
_TEXT_KEYS = ("text", "thinking", "reasoning", "summary", "content", "value")
"""Where parts have their text, which may itself be a list of parts."""


class Part(NamedTuple):
    """One part of an answer's content."""

    kind: Literal["text", "reasoning", "refusal", "other"]
    text: str
    source: dict[str, Any]
    """The part as the provider sent it."""


def read_parts(content: Any) -> Iterator[Part]:
    """Yield the parts of a content: a text is one part, and nothing has none."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str) and part:
            yield Part("text", part, {"type": "text", "text": part})
        elif isinstance(part, dict):
            yield _read_part(part)


def text_in(value: Any) -> str:
    """Return all text of a text, a part or a list of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(text_in(one) for one in value)
    if isinstance(value, dict):
        return next((text for key in _TEXT_KEYS if (text := text_in(value.get(key)))), "")
    return ""


def _read_part(part: dict[str, Any]) -> Part:
    kind = part.get("type")
    if kind == "refusal":
        return Part("refusal", text_in(part.get("refusal")), part)
    if kind in _THOUGHTS or (kind is None and "thinking" in part):
        return Part("reasoning", text_in(part), part)
    if kind in (None, "text", "output_text") and "text" in part:
        return Part("text", text_in(part), part)
    return Part("other", "", part)
