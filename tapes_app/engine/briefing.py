"""What an agent knows of a tape beside its steps: what was told of kinds, and the last prompt.

A run begins with it; nodes and views stay functions of values.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from pydantic import Field

from tapes_app.engine.answered_kinds import answered_kinds, tell_answered
from tapes_app.engine.chat_messages import message_of_step
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.llm import Prompt
from tapes_app.engine.messages import Message, content_text
from tapes_app.engine.steps import (
    Step,
    ToldFamily,
    ToldStep,
    UnknownStep,
    family_of,
    tell_families,
)
from tapes_app.engine.tape import Tape

_SYSTEM_ROLES = ("system", "developer")
_SHORTEST_QUOTE = 24
"""Characters of a step that a message has to hold to be about it."""


_QUOTES = 50


class RecordedPrompt(FrozenModel):
    """What a model of the tape was told around its steps."""

    opening: tuple[Message, ...] = ()
    """What stands before them: the system prompt, the form of the steps."""

    closing: tuple[Message, ...] = ()
    """What stands behind them: what is to be done next."""

    tools: tuple[dict[str, Any], ...] = ()
    response_format: dict[str, Any] | None = None

    @classmethod
    def of(cls, prompt: Prompt, steps: Sequence[Step]) -> Self:
        """Return what a prompt says that these steps, those before its answer, do not."""
        start, end = _find_steps(prompt.messages, steps)
        return cls(
            opening=prompt.messages[:start],
            closing=prompt.messages[end:],
            tools=tuple(prompt.tools or ()),
            response_format=prompt.response_format,
        )


class Briefing(FrozenModel):
    """Given to all members of a team."""

    told: Mapping[str, ToldFamily] = Field(default_factory=dict)
    """What people told of unknown kinds in the project."""

    recorded: RecordedPrompt = RecordedPrompt()

    def tell(self, step: Step, tape: Tape) -> Step:
        """Return a new step that knows what was told of its kind, or what it was on the tape."""
        if not isinstance(step, UnknownStep) or isinstance(step, ToldStep):
            return step
        (told,) = tell_families([step], self.told)
        if isinstance(told, ToldStep) or family_of(told) != "thought":
            return told
        return tell_answered([told], answered_kinds(tape.steps))[0]


def _find_steps(messages: Sequence[Message], steps: Sequence[Step]) -> tuple[int, int]:
    """Return where the steps begin and end in a prompt.

    A prompt that says no step in a message of its own, as those that tell a whole session in
    one text, gives its system messages alone.
    """
    own = _StepTexts(steps)
    said = [at for at, message in enumerate(messages) if own.are(message)]
    inner = range(said[0], said[-1] + 1) if said else range(0)
    quoting = [at for at, one in enumerate(messages) if at not in inner and own.are_in(one)]
    said = sorted(said + quoting)
    if not said:
        count = next(
            (at for at, one in enumerate(messages) if one.role not in _SYSTEM_ROLES), len(messages)
        )
        return count, len(messages)
    others = [at for at, one in enumerate(messages) if one.role in ("assistant", "tool")]
    return said[0], max(said[-1], others[-1] if others else 0) + 1


class _StepTexts:
    """The texts of steps, to know their messages by."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._exact: set[str] = set()
        self._quotes: list[str] = []
        self._kinds: set[str] = set()
        for step in steps:
            message = message_of_step(step) or {}
            fields = step.content_dict()
            self._kinds.add(fields.pop("kind"))
            texts = {text.strip() for text in fields.values() if isinstance(text, str)}
            texts |= {content_text(message.get("content")).strip()}
            self._exact |= texts - {""}
            if message.get("role") == "user":
                self._quotes += [text for text in texts if len(text) >= _SHORTEST_QUOTE]

    def are(self, message: Message) -> bool:
        """Tell whether a message is one of the steps, or a field of it."""
        if message.get("tool_calls") or message.role == "tool":
            return True
        text = message.text.strip()
        return text in self._exact or _kind_of(text) in self._kinds

    def are_in(self, message: Message) -> bool:
        """Tell whether a message quotes one of the first or last steps; more would take long."""
        text = message.text
        quotes = (*self._quotes[:_QUOTES], *self._quotes[-_QUOTES:])
        return message.role == "user" and any(quote in text for quote in quotes)


def _kind_of(text: str) -> str | None:
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else None
