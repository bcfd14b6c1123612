"""What an agent knows about a tape beyond its steps: assigned families and the last prompt.

A run starts with it; nodes and views remain functions of values.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Self

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import Message, content_text
from tapes_app.engine.prompts.chat_messages import message_of_step
from tapes_app.engine.tape.families import AssignedFamily
from tapes_app.engine.tape.steps import (
    ReclassifiedStep,
    Step,
    UnknownStep,
    assign_families,
    families_of,
    family_of,
)
from tapes_app.engine.tape.tape import Tape

_SYSTEM_ROLES = ("system", "developer")
_SHORTEST_QUOTE = 24
"""How many characters of a step a message must quote to count as being about it."""

_QUOTES = 50


def answered_kinds(steps: Sequence[Step]) -> frozenset[str]:
    """Return the unknown kinds that something answers in these steps, which makes them actions."""
    return frozenset(
        step.kind
        for step, family in zip(steps, families_of(steps), strict=True)
        if family == "action" and isinstance(step, UnknownStep)
    )


def mark_answered_actions(steps: Sequence[Step], kinds: Container[str]) -> list[Step]:
    """Return the steps, marked as actions where their kind is answered elsewhere."""
    return [
        ReclassifiedStep.build(step, "action")
        if isinstance(step, UnknownStep)
        and step.kind in kinds
        and family_of(step) == "thought"
        and not isinstance(step, ReclassifiedStep)
        else step
        for step in steps
    ]


class RecordedPrompt(FrozenModel):
    """What a model that worked on the tape was sent around its steps."""

    opening: tuple[Message, ...] = ()
    """The messages before the steps: the system prompt, the form of the steps."""

    closing: tuple[Message, ...] = ()
    """The messages after the steps: what to do next."""

    tools: tuple[dict[str, Any], ...] = ()
    response_format: dict[str, Any] | None = None

    @classmethod
    def of(cls, prompt: Prompt, steps: Sequence[Step]) -> Self:
        """Return what a prompt contains beyond these steps, the ones before its answer."""
        start, end = _find_steps(prompt.messages, steps)
        return cls(
            opening=prompt.messages[:start],
            closing=prompt.messages[end:],
            tools=tuple(prompt.tools or ()),
            response_format=prompt.response_format,
        )


class Briefing(FrozenModel):
    """What all members of a team are given."""

    families: Mapping[str, AssignedFamily] = Field(default_factory=dict)
    """Families that people set for unknown kinds in the project."""

    recorded: RecordedPrompt = RecordedPrompt()

    def classify(self, step: Step, tape: Tape) -> Step:
        """Return a new step with the family assigned to its kind, or seen on the tape."""
        if not isinstance(step, UnknownStep) or isinstance(step, ReclassifiedStep):
            return step
        (known,) = assign_families([step], self.families)
        if isinstance(known, ReclassifiedStep) or family_of(known) != "thought":
            return known
        return mark_answered_actions([known], answered_kinds(tape.steps))[0]


def _find_steps(messages: Sequence[Message], steps: Sequence[Step]) -> tuple[int, int]:
    """Return where the steps begin and end in a prompt.

    For a prompt without a separate message for any step, such as one that renders the session as a
    single text, only the system messages count.
    """
    own = _StepTexts(steps)
    positions = [at for at, message in enumerate(messages) if own.are(message)]
    inner = range(positions[0], positions[-1] + 1) if positions else range(0)
    quoting = [at for at, one in enumerate(messages) if at not in inner and own.are_in(one)]
    positions = sorted(positions + quoting)
    if not positions:
        count = next(
            (at for at, one in enumerate(messages) if one.role not in _SYSTEM_ROLES), len(messages)
        )
        return count, len(messages)
    others = [at for at, one in enumerate(messages) if one.role in ("assistant", "tool")]
    return positions[0], max(positions[-1], others[-1] if others else 0) + 1


class _StepTexts:
    """The texts of steps, used to recognise their messages."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._exact: set[str] = set()
        self._quotes: list[str] = []
        self._kinds: set[str] = set()
        for step in steps:
            message = message_of_step(step) or {}
            fields = step.content_dict()
            self._kinds.add(fields.pop("kind"))
            texts = {text.strip() for text in fields.values() if isinstance(text, str)}
            texts |= {content_text(message.get("content"), message.get("role", "")).strip()}
            self._exact |= texts - {""}
            if message.get("role") == "user":
                self._quotes += [text for text in texts if len(text) >= _SHORTEST_QUOTE]

    def are(self, message: Message) -> bool:
        """Return whether a message is one of the steps, or a field of one."""
        if message.get("tool_calls") or message.role == "tool":
            return True
        text = message.text.strip()
        return text in self._exact or _kind_of(text) in self._kinds

    def are_in(self, message: Message) -> bool:
        """Return whether a message quotes a first or last step; checking all would be slow."""
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
