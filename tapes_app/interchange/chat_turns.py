"""Messages as trainers read them: turns that alternate, calls that are declared and answered.

TRL hands the messages to the chat template of a model, and many templates refuse two turns of one
role in a row; LLaMA-Factory skips what does not alternate.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Self

from tapes_app.engine.sound_messages import merge_turns

JSON = dict[str, Any]
SYSTEM_ROLES = ("system", "developer")
_RESULT = ("tool", "function")


class UnfitTapeError(ValueError):
    """A training format cannot hold a tape; the reason goes on after "this tape was left out: "."""


@dataclass(frozen=True, slots=True)
class RecordedPrompts:
    """What the models of a tape were told beside its steps."""

    system: tuple[JSON, ...] = ()
    """The system messages that the first prompt began with."""

    tools: tuple[JSON, ...] = ()
    """Every tool that was offered, in the form of OpenAI, once for each name."""

    @classmethod
    def of(cls, first_prompt: Sequence[JSON], tools: Sequence[JSON]) -> Self:
        """Return what a first prompt, and the tools of all, add to a tape."""
        system = takewhile(lambda message: message.get("role") in SYSTEM_ROLES, first_prompt)
        by_name = {_tool_name(tool): tool for tool in tools}
        return cls(tuple(system), tuple(by_name.values()))


def make_turns(messages: Sequence[JSON], told: RecordedPrompts) -> list[JSON]:
    """Return messages with the system prompt, those of one role in a row merged."""
    has_system = any(message.get("role") in SYSTEM_ROLES for message in messages[:1])
    return merge_turns(messages if has_system else (*told.system, *messages))


def check_calls(turns: Sequence[JSON], tools: Sequence[Any]) -> None:
    """Check that each call is of a declared tool and has its result, but for a call at the end.

    Raises:
        UnfitTapeError: one is not, or has none.
    """
    declared = {_tool_name(tool) for tool in tools if isinstance(tool, dict)}
    waiting: Counter[str] = Counter()
    for turn in turns:
        if turn.get("role") in _RESULT:
            call = _result_id(turn)
            if not waiting[call]:
                raise UnfitTapeError("a tool result answers no call")
            waiting[call] -= 1
            continue
        if waiting.total():
            raise UnfitTapeError("a tool call has no result")
        for call, function in read_calls(turn):
            waiting[call] += 1
            if function.get("name") not in declared:
                raise UnfitTapeError("it calls a tool that no prompt of it declares")
    is_at_end = bool(turns) and turns[-1].get("role") == "assistant"
    if waiting.total() and not is_at_end:
        raise UnfitTapeError("a tool call has no result")


def read_calls(turn: JSON) -> Iterator[tuple[str, JSON]]:
    """Give id and function of each call; one of the older way of calling has no id."""
    for call in turn.get("tool_calls") or ():
        yield str(call.get("id") or ""), call.get("function", {})
    if turn.get("role") == "assistant" and isinstance(legacy := turn.get("function_call"), dict):
        yield "", legacy


def _result_id(turn: JSON) -> str:
    return str(turn.get("tool_call_id") or "")


def _tool_name(tool: JSON) -> str:
    function = tool.get("function", tool)
    return str(function.get("name", "")) if isinstance(function, dict) else ""
