"""Which kinds of steps a tape has of its own: those tell in what form its agent answered."""

from tapes_app.engine.dialog_steps import (
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
from tapes_app.engine.steps import family_of
from tapes_app.engine.tape import Tape

_OF_ANY_TAPE = (
    ActionFailure, AssistantStep, AssistantThought, ChatMessage, LoopWarning, ParsingFailure,
    SystemStep, ToolCalls, ToolResult, UserStep,
)  # fmt: skip
"""Steps that say nothing of the form in which an agent answered."""


def own_kinds(tape: Tape) -> frozenset[str]:
    return frozenset(
        step.kind
        for step in tape.steps
        if not isinstance(step, _OF_ANY_TAPE) and family_of(step) != "control"
    )
