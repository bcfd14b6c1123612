"""Conversations of chat completions for tests; valid without arguments."""

import json
from pathlib import Path
from typing import Any

from tapes_app.engine.tape.tape import Tape
from tapes_app.interchange.chat_lines import NOTHING, RecordedPrompts, openai_line, to_sharegpt

WEATHER_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tells the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


def build_call(
    name: str = "get_weather", *, id: str = "call_1", **arguments: Any
) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments or {"city": "Oslo"})}
    return {"id": id, "type": "function", "function": function}


def build_conversation(*, question: str = "Weather in Oslo?", **fields: Any) -> dict[str, Any]:
    """Return a conversation with a system message, a tool call and its result."""
    return {
        "messages": [
            {"role": "system", "content": "You are brief."},
            {"role": "user", "content": question},
            {"role": "assistant", "content": None, "tool_calls": [build_call()]},
            {"role": "tool", "tool_call_id": "call_1", "content": "4 degrees, rain"},
            {"role": "assistant", "content": "It rains."},
        ],
        "tools": [WEATHER_TOOL],
        **fields,
    }


def sharegpt_line(tape: Tape, recorded: RecordedPrompts = NOTHING) -> dict[str, Any]:
    return to_sharegpt(openai_line(tape, recorded))


def store_lines(path: Path, *values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
    return path
