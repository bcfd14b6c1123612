"""Tapes as lines of training files: OpenAI chat, and ShareGPT with tools."""

import json
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from tapes_app.engine.chat_messages import TOOLS
from tapes_app.engine.messages import content_text
from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.reasoning import SIGNED
from tapes_app.engine.tape import Tape
from tapes_app.interchange.chat_turns import (
    JSON,
    SYSTEM_ROLES,
    RecordedPrompts,
    UnfitTapeError,
    check_calls,
    make_turns,
    read_calls,
)
from tapes_app.interchange.openai_chat import encode_conversation
from tapes_app.interchange.shared_tape import read_arguments

NOTHING = RecordedPrompts()
_SPEAKERS = {"assistant": "gpt", "tool": "observation", "function": "observation"}
_TOLD = ("human", "observation")
_BETWEEN = {"observation": "\n</tool_response>\n<tool_response>\n"}
"""As LLaMA-Factory joins the results of parallel calls when it reads OpenAI chat."""


def openai_line(tape: Tape, told: RecordedPrompts = NOTHING) -> JSON:
    """Return a tape as `{"messages", "tools"?, …}`, with what its recorded prompts add.

    Raises:
        UnfitTapeError: it says nothing, or its calls are not declared or not answered.
    """
    line = encode_conversation(tape)
    if not line["messages"]:
        raise UnfitTapeError("it has no text")
    # A signature says something to its provider alone.
    messages = [
        {name: value for name, value in message.items() if name not in SIGNED}
        for message in line["messages"]
    ]
    line["messages"] = make_turns(messages, told)
    if told.tools and not line.get(TOOLS):
        line[TOOLS] = list(told.tools)
    check_calls(line["messages"], line.get(TOOLS) or ())
    return line


def sharegpt_line(tape: Tape, told: RecordedPrompts = NOTHING) -> JSON:
    """Return a tape as `{"conversations", "system"?, "tools"?}`.

    `from` is human, gpt, function_call or observation; what people and tools say alternates with
    what the model says, beginning with the former, ending with the latter. A call is JSON text
    with `name` and `arguments`, several calls are a list of such; their results are one text.
    Tools are one JSON text. Only the first system message has a place; later ones are said by
    the human.

    Raises:
        UnfitTapeError: as for `openai_line`, or its turns do not alternate, or it says something
            beside a call: there is no place for that.
    """
    line = openai_line(tape, told)
    first, *others = line["messages"]
    is_system = first.get("role") in SYSTEM_ROLES
    turns = others if is_system else [first, *others]
    found: JSON = {"conversations": _alternate([_say(turn) for turn in turns])}
    if is_system and first.get("content"):
        found["system"] = _text_of(first)
    if line.get(TOOLS):
        functions = [tool.get("function", tool) for tool in line[TOOLS] if isinstance(tool, dict)]
        found["tools"] = json.dumps(functions)
    return found


def dump_line(value: Any) -> str:
    """Return a value as one line of JSON, in ASCII where its text is not Unicode."""
    return dump_json_text(value) + "\n"


def _say(turn: JSON) -> tuple[str, str]:
    text, role = _text_of(turn), str(turn.get("role"))
    calls = list(read_calls(turn))
    if not calls:
        return _SPEAKERS.get(role, "human"), text
    if text:
        raise UnfitTapeError("it says something beside a tool call")
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
    return content_text(content)


def _alternate(said: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Return turns up to the model's last; behind it there is nothing to learn."""
    turns = [
        {"from": speaker, "value": _BETWEEN.get(speaker, "\n\n").join(text for _, text in texts)}
        for speaker, texts in groupby(said, key=itemgetter(0))
    ]
    while turns and turns[-1]["from"] in _TOLD:
        turns.pop()
    if not turns:
        raise UnfitTapeError("the model says nothing in it")
    if any((turn["from"] in _TOLD) is bool(index % 2) for index, turn in enumerate(turns)):
        raise UnfitTapeError("it does not alternate between the model and what the model is told")
    return turns
