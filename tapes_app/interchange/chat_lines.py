"""Tapes as lines of training files: OpenAI chat, and ShareGPT with tools.

Turns alternate, and calls are declared and answered: TRL passes the messages to a model's chat
template, and many templates refuse two consecutive turns of the same role; LLaMA-Factory skips
conversations that do not alternate.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any, Self

from tapes_app.engine.model.messages import content_text
from tapes_app.engine.model.reasoning import SIGNED, TEXT, read_thoughts
from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.prompts.chat_messages import TOOLS, fill_arguments
from tapes_app.engine.prompts.sound_messages import merge_turns
from tapes_app.engine.tape.tape import Tape
from tapes_app.interchange.openai_chat import encode_conversation
from tapes_app.interchange.shared_tape import read_arguments

JSON = dict[str, Any]
SYSTEM_ROLES = ("system", "developer")
_RESULT = ("tool", "function")
_SPEAKERS = {"assistant": "gpt", "tool": "observation", "function": "observation"}
_INPUT_TURNS = ("human", "observation")
_BETWEEN = {"observation": "\n</tool_response>\n<tool_response>\n"}
"""How LLaMA-Factory joins the results of parallel calls when it reads OpenAI chat."""


class UnfitTapeError(ValueError):
    """A training format cannot hold a tape; the reason completes "this tape was left out: "."""


@dataclass(frozen=True, slots=True)
class RecordedPrompts:
    """What the models of a tape were sent besides its steps."""

    system: tuple[JSON, ...] = ()
    """The system messages that the first prompt started with."""

    tools: tuple[JSON, ...] = ()
    """Every tool that was offered, in OpenAI's form, once per name."""

    @classmethod
    def of(cls, first_prompt: Sequence[JSON], tools: Sequence[JSON]) -> Self:
        """Return what a first prompt and the tools of all prompts add to a tape."""
        system = takewhile(lambda message: message.get("role") in SYSTEM_ROLES, first_prompt)
        by_name = {_tool_name(tool): tool for tool in tools}
        return cls(tuple(system), tuple(by_name.values()))


def make_turns(messages: Sequence[JSON], recorded: RecordedPrompts) -> list[JSON]:
    """Return messages with the system prompt added and consecutive ones of the same role merged."""
    has_system = any(message.get("role") in SYSTEM_ROLES for message in messages[:1])
    return merge_turns(messages if has_system else (*recorded.system, *messages))


def check_calls(turns: Sequence[JSON], tools: Sequence[Any]) -> None:
    """Check that each call is of a declared tool and has its result, except a call at the end.

    Raises:
        UnfitTapeError: a call's tool is not declared, or it has no result.
    """
    declared = {_tool_name(tool) for tool in tools if isinstance(tool, dict)}
    waiting: Counter[str] = Counter()
    for turn in turns:
        if turn.get("role") in _RESULT:
            call = str(turn.get("tool_call_id") or "")
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
    """Yield the id and function of each call; a call in the older format has no id."""
    for call in turn.get("tool_calls") or ():
        yield str(call.get("id") or ""), call.get("function", {})
    if turn.get("role") == "assistant" and isinstance(legacy := turn.get("function_call"), dict):
        yield "", legacy


def _tool_name(tool: JSON) -> str:
    function = tool.get("function", tool)
    return str(function.get("name", "")) if isinstance(function, dict) else ""


NOTHING = RecordedPrompts()


def openai_line(tape: Tape, recorded: RecordedPrompts = NOTHING) -> JSON:
    """Return a tape as `{"messages", "tools"?, …}`, with what its recorded prompts add.

    Raises:
        UnfitTapeError: it has no text, or its calls are undeclared or unanswered.
    """
    line = encode_conversation(tape)
    if not line["messages"]:
        raise UnfitTapeError("it has no text")
    messages = [_with_plain_thoughts(fill_arguments(message)) for message in line["messages"]]
    line["messages"] = make_turns(messages, recorded)
    if recorded.tools and not line.get(TOOLS):
        line[TOOLS] = list(recorded.tools)
    check_calls(line["messages"], line.get(TOOLS) or ())
    return line


def _with_plain_thoughts(message: JSON) -> JSON:
    """Return a message with its reasoning as text: signed blocks are for their provider only."""
    plain = {name: value for name, value in message.items() if name not in SIGNED}
    thoughts = read_thoughts(message)
    return {**plain, TEXT: thoughts} if thoughts else plain


def has_thoughts(line: JSON) -> bool:
    """Return whether a line of OpenAI chat holds reasoning, which ShareGPT cannot."""
    return any(message.get(TEXT) for message in line["messages"])


def to_sharegpt(line: JSON) -> JSON:
    """Return a line of OpenAI chat as `{"conversations", "system"?, "tools"?}`.

    `from` is human, gpt, function_call or observation. Turns of people and tools alternate with
    turns of the model, starting with the former and ending with the latter. A call is JSON text
    with `name` and `arguments`, several calls are a list of such objects; their results are one
    text. Tools are one JSON text. Only the first system message has a place; later ones become
    human turns. Reasoning has none.

    Raises:
        UnfitTapeError: its turns do not alternate, or a call comes with text: the format has no
            place for that.
    """
    first, *others = line["messages"]
    is_system = first.get("role") in SYSTEM_ROLES
    turns = others if is_system else [first, *others]
    found: JSON = {"conversations": _alternate([_read_turn(turn) for turn in turns])}
    if is_system and first.get("content"):
        found["system"] = _text_of(first)
    if line.get(TOOLS):
        functions = [tool.get("function", tool) for tool in line[TOOLS] if isinstance(tool, dict)]
        found["tools"] = json.dumps(functions)
    return found


def dump_line(value: Any) -> str:
    """Return a value as one line of JSON, in ASCII where its text is not Unicode."""
    return dump_json_text(value) + "\n"


def _read_turn(turn: JSON) -> tuple[str, str]:
    text, role = _text_of(turn), str(turn.get("role"))
    calls = list(read_calls(turn))
    if not calls:
        return _SPEAKERS.get(role, "human"), text
    if text:
        raise UnfitTapeError("it has text next to a tool call")
    shown = [
        {"name": call.get("name", ""), "arguments": read_arguments(call.get("arguments"))}
        for _, call in calls
    ]
    value = shown[0] if len(shown) == 1 else shown
    return "function_call", json.dumps(value, ensure_ascii=False)


def _text_of(turn: JSON) -> str:
    content = turn.get("content")
    if isinstance(content, list) and any(part.get("type", "text") != "text" for part in content):
        raise UnfitTapeError("it holds something other than text")
    return content_text(content, str(turn.get("role")))


def _alternate(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Return turns up to the model's last; after it there is nothing to learn."""
    turns = [
        {"from": speaker, "value": _BETWEEN.get(speaker, "\n\n").join(text for _, text in texts)}
        for speaker, texts in groupby(pairs, key=itemgetter(0))
    ]
    while turns and turns[-1]["from"] in _INPUT_TURNS:
        turns.pop()
    if not turns:
        raise UnfitTapeError("the model writes nothing in it")
    if any((turn["from"] in _INPUT_TURNS) is bool(index % 2) for index, turn in enumerate(turns)):
        raise UnfitTapeError("it does not alternate between turns of the model and other turns")
    return turns
