"""Whether a message of a prompt contains a step, to find the prompts that contain it."""

import json
from collections.abc import Iterator
from typing import Any

from tapes_app.engine.model.messages import Message, content_text

_SHORTEST_QUOTE = 24
"""Minimum length of a step's text for a longer message that contains it to count."""

_LONGEST_QUOTE = 300
"""Agents shorten what they quote, so only the beginning is compared."""

_NOT_MENTIONED = frozenset({"kind", "metadata", "tool_call_id", "role"})


class StepMention:
    """How to recognise a step in a prompt: by the id of the call it answers, or by its texts."""

    def __init__(self, body: dict[str, Any]) -> None:
        answers = body.get("tool_call_id")
        self._answers = answers if isinstance(answers, str) and answers else None
        calls = body.get("tool_calls")
        self._calls = {
            call["id"]
            for call in (calls if isinstance(calls, list | tuple) else ())
            if isinstance(call, dict) and isinstance(call.get("id"), str)
        }
        self._texts = {text for text in map(str.strip, _texts_of(body)) if text}
        quotes = {t[:_LONGEST_QUOTE] for t in self._texts if len(t) >= _SHORTEST_QUOTE}
        # Steps are also rendered as JSON, where quotes and line ends are escaped.
        self._quotes = quotes | {json.dumps(text, ensure_ascii=False)[1:-1] for text in quotes}

    def is_in(self, message: Message) -> bool:
        if self._answers is not None and message.role == "tool":
            return message.get("tool_call_id") == self._answers
        if self._calls and self._calls <= _call_ids(message):
            return True
        text = message.text
        return text.strip() in self._texts or any(quote in text for quote in self._quotes)


def _texts_of(body: dict[str, Any]) -> Iterator[str]:
    for name, value in body.items():
        if name in _NOT_MENTIONED:
            continue
        if isinstance(value, str):
            yield value
        elif name == "content":
            yield content_text(value)


def _call_ids(message: Message) -> set[Any]:
    calls = message.get("tool_calls")
    if not isinstance(calls, list | tuple):
        return set()
    return {call.get("id") for call in calls if isinstance(call, dict) and call.get("id")}
