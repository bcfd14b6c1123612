"""Which kinds of steps are specific to a tape, and which of them a tool call became.

They show in what form its agent answered: it may have turned its calls into steps. TapeAgents names
the tool of a step class after the class: `Search` is `search_action`, and `ProducePlanThought` is
`plan_thought`.
"""

import re
from collections.abc import Collection

from tapes_app.engine.tape.dialog_steps import (
    ActionFailure,
    AssistantStep,
    AssistantThought,
    ChatMessage,
    LoopWarning,
    ParsingFailure,
    SystemStep,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import family_of, list_step_classes
from tapes_app.engine.tape.tape import Tape

_OF_ANY_TAPE = (
    ActionFailure, AssistantStep, AssistantThought, ChatMessage, LoopWarning, ParsingFailure,
    SystemStep, ToolCalls, ToolResult, UserStep,
)  # fmt: skip
"""Steps that reveal nothing about the form in which an agent answered."""

_PRODUCED = "Produce"
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")


def own_kinds(tape: Tape) -> frozenset[str]:
    return frozenset(
        step.kind
        for step in tape.steps
        if not isinstance(step, _OF_ANY_TAPE) and family_of(step) != "control"
    )


def turns_calls_into_steps(tape: Tape, kinds: Collection[str], *, has_tools: bool) -> bool:
    """Return whether an agent that was offered tools left its own steps and no calls."""
    has_calls = any(isinstance(step, ToolCalls) for step in tape.steps)
    return has_tools and bool(kinds) and not has_calls


def find_kind(tool: str, kinds: Collection[str], *, is_class: bool) -> str | None:
    """Return the kind on the tape that a tool's call becomes; `None` for an ordinary call.

    `is_class`: tools are named after classes, including classes without steps on the tape.
    """
    name = tool.removeprefix(_PRODUCED)
    for kind in kinds:
        if _plain(kind) in (_plain(tool), f"{_plain(tool)}action", _plain(name)):
            return kind
    if not (is_class and _CLASS_NAME.fullmatch(tool)):
        return None
    kind = _WORD.sub("_", name).lower()
    if tool != name or list_step_classes(kind):
        return kind
    return f"{kind}_action"


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
