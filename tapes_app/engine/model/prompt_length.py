"""How long a prompt may be for a model, and shortening old observations until it fits."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import Message, canonical_json, content_text

DEFAULT_CONTEXT_TOKENS = 32_000
"""The context size assumed when it is unknown."""

SHORTENED = "shortened"
"""The key under which a prompt records how many `messages` lost how many `characters`."""

KEPT_CHARACTERS = 2_000
"""How much of the beginning of a shortened observation is kept."""

_CHARACTERS_PER_TOKEN = 3
"""A low value, because pages and code have short tokens."""

_SHARE = 0.75
"""The rest is for the answer."""

_PART_CHARACTERS = 4_000
"""How much a part that is not text, such as an image, counts."""


class Shortened(NamedTuple):
    """A prompt that fits, and what it took."""

    messages: tuple[Message, ...]
    message_count: int
    left_out: int
    """How many characters were left out."""

    def note(self) -> dict[str, Any]:
        """Return what a prompt records of it, by field; nothing if all fitted."""
        if not self.message_count:
            return {}
        return {SHORTENED: {"messages": self.message_count, "characters": self.left_out}}


def find_own_limit(llm: object) -> int | None:
    """Return how many tokens an LLM reads at once, if it declares that as `context_tokens`."""
    limit = getattr(llm, "context_tokens", None)
    return limit if isinstance(limit, int) else None


def find_room(llm: object) -> int:
    """Return how many characters a prompt for an LLM may have."""
    tokens = find_own_limit(llm) or DEFAULT_CONTEXT_TOKENS
    return int(tokens * _SHARE) * _CHARACTERS_PER_TOKEN


def estimate_tokens(prompt: Prompt) -> int:
    """Return about how many tokens a prompt has, rather too many than too few."""
    size = sum(map(_measure, prompt.messages)) + measure_tools(prompt.tools or ())
    return -(-size // _CHARACTERS_PER_TOKEN)


def shorten(messages: Sequence[Message], observations: Collection[int], room: int) -> Shortened:
    """Return messages that fit, shortening the oldest long observations first.

    Each is cut to the same beginning, so that a growing prompt keeps its prefix. If that is not
    enough, the provider gets to refuse the rest.
    """
    fitting, count, left_out = list(messages), 0, 0
    size = sum(_measure(message) for message in fitting)
    for position in sorted(observations):
        if size <= room:
            break
        short = _cut(fitting[position])
        if short is None:
            continue
        size += _measure(short) - _measure(fitting[position])
        left_out += len(content_text(fitting[position].get("content"))) - KEPT_CHARACTERS
        count += 1
        fitting[position] = short
    return Shortened(tuple(fitting), count, left_out)


def measure_tools(tools: Sequence[dict[str, Any]]) -> int:
    return sum(len(canonical_json(tool)) for tool in tools)


def _measure(message: Message) -> int:
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    others = sum(_PART_CHARACTERS for part in parts if not isinstance(part.get("text"), str))
    calls = message.get("tool_calls")
    return len(content_text(content)) + others + (len(canonical_json(calls)) if calls else 0)


def _cut(message: Message) -> Message | None:
    """Return a message cut to the beginning of its text; `None` if that would save little."""
    content = message.get("content")
    text = content_text(content)
    left_out = len(text) - KEPT_CHARACTERS
    if left_out <= KEPT_CHARACTERS:
        return None
    text_kept = (
        f"{text[:KEPT_CHARACTERS]}\n[{left_out:,} more characters are left out here, so that all "
        "fits into what the model reads at once.]"
    )
    if not isinstance(content, list):
        return Message({**message, "content": text_kept})
    others = [part for part in content if not isinstance(part.get("text"), str)]
    return Message({**message, "content": [{"type": "text", "text": text_kept}, *others]})
