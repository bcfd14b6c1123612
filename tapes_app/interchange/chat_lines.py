"""Tapes as lines of training files: OpenAI chat, and ShareGPT with tools."""

import json
from collections.abc import Iterator
from typing import Any

from tapes_app.engine.chat_messages import TOOLS
from tapes_app.engine.messages import content_text
from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.tape import Tape
from tapes_app.interchange.openai_chat import encode_conversation
from tapes_app.interchange.shared_tape import read_arguments


def openai_line(tape: Tape) -> dict[str, Any] | None:
    """Return a tape as `{"messages", "tools"?, …}`; `None` when it says nothing."""
    line = encode_conversation(tape)
    return line if line["messages"] else None


def sharegpt_line(tape: Tape) -> dict[str, Any] | None:
    """Return a tape as `{"conversations", "system"?, "tools"?}`; `None` when it says nothing.

    `from` is human, gpt, function_call or observation. A call is JSON text with `name` and
    `arguments`, several calls are a list of such. Tools are one JSON text. Only the first system
    message has a place; later ones are said by the human.
    """
    line = encode_conversation(tape)
    system = ""
    said: list[dict[str, str]] = []
    for message in line["messages"]:
        is_system = message.get("role") in ("system", "developer")
        if is_system and not system and not said:
            system = content_text(message.get("content"))
        else:
            said += _say(message)
    if not said:
        return None
    found: dict[str, Any] = {"conversations": said}
    if system:
        found["system"] = system
    if line.get(TOOLS):
        functions = [tool.get("function", tool) for tool in line[TOOLS] if isinstance(tool, dict)]
        found["tools"] = json.dumps(functions)
    return found


def dump_line(value: Any) -> str:
    """Return a value as one line of JSON, in ASCII where its text is not Unicode."""
    return dump_json_text(value) + "\n"


def _say(message: dict[str, Any]) -> Iterator[dict[str, str]]:
    text = content_text(message.get("content"))
    match message.get("role"):
        case "assistant":
            calls = [_describe_call(call) for call in message.get("tool_calls") or ()]
            if text or not calls:
                yield {"from": "gpt", "value": text}
            if calls:
                shown = calls[0] if len(calls) == 1 else calls
                yield {"from": "function_call", "value": json.dumps(shown, ensure_ascii=False)}
        case "tool" | "function":
            yield {"from": "observation", "value": text}
        case _:
            yield {"from": "human", "value": text}


def _describe_call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function", {})
    arguments = read_arguments(function.get("arguments"))
    return {"name": function.get("name", ""), "arguments": arguments}
