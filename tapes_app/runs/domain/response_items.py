"""OpenAI's responses as another program writes them: their items as messages of a conversation."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError

Item = dict[str, Any]
Message = dict[str, Any]

_ID = re.compile(r"resp_(?P<tape>[0-9a-f]{32})_(?P<start>[1-9]\d{0,8})")
_TEXTS = ("input_text", "output_text", "text")


class AnswerPlace(NamedTuple):
    """Where an answer is: the id of its response says so."""

    tape_id: UUID
    start: int
    """The position of its first step."""

    @property
    def response_id(self) -> str:
        return f"resp_{self.tape_id.hex}_{self.start}"


def read_response_id(text: str) -> AnswerPlace | None:
    """Return the place that the id of a response names; `None` if it is not one of ours."""
    found = _ID.fullmatch(text)
    return AnswerPlace(UUID(found["tape"]), int(found["start"])) if found is not None else None


def to_messages(given: str | Sequence[Item]) -> list[Message]:
    """Return the input of a response as messages of chat completions.

    Raises:
        InvalidInputError: an item is neither a message nor about a call of a function.
    """
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    messages: list[Message] = []
    for item in given:
        match item.get("type") or "message":
            case "message":
                content = _read_content(item.get("content"))
                messages.append({"role": item.get("role"), "content": content})
            case "function_call":
                _add_call(messages, item)
            case "function_call_output":
                messages.append(_read_output(item))
            case kind:
                raise InvalidInputError(
                    f"An item of type {str(kind)[:40]!r} cannot be read; use message, "
                    "function_call and function_call_output.",
                    field="input",
                )
    return messages


def _add_call(messages: list[Message], item: Item) -> None:
    """Add a call to the words or calls directly before it: together, they are one message."""
    function = {"name": item.get("name"), "arguments": item.get("arguments") or "{}"}
    call = {"id": _read_call_id(item), "type": "function", "function": function}
    if messages and messages[-1]["role"] == "assistant":
        messages[-1] = {**messages[-1], "tool_calls": [*messages[-1].get("tool_calls", ()), call]}
    else:
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})


def _read_output(item: Item) -> Message:
    content = _read_content(item.get("output"))
    if isinstance(content, list) and any(part["type"] != "text" for part in content):
        raise InvalidInputError("The output of a function_call_output is text.", field="input")
    return {"role": "tool", "tool_call_id": _read_call_id(item), "content": content}


def _read_call_id(item: Item) -> str:
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not call_id:
        raise InvalidInputError(
            "Each function_call and function_call_output has a call_id.", field="input"
        )
    return call_id


def _read_content(content: Any) -> Any:
    return [_read_part(part) for part in content] if isinstance(content, list) else content


def _read_part(part: Any) -> dict[str, Any]:
    match part:
        case {"type": kind, "text": str() as text} if kind in _TEXTS:
            return {"type": "text", "text": text}
        case {"type": "input_image", "image_url": str() as url}:
            detail = {"detail": part["detail"]} if part.get("detail") else {}
            return {"type": "image_url", "image_url": {"url": url, **detail}}
        case {"type": "input_audio", "input_audio": dict() as audio}:
            return {"type": "input_audio", "input_audio": audio}
        case _:
            kind = part.get("type") if isinstance(part, dict) else part
            raise InvalidInputError(
                f"A part of type {str(kind)[:40]!r} cannot be read; use input_text, input_audio, "
                "and input_image with an image_url.",
                field="input",
            )


def to_tools(tools: Sequence[Item]) -> list[dict[str, Any]]:
    """Return the tools of a response in the form of chat completions.

    Raises:
        InvalidInputError: one is not a function.
    """
    return [_to_tool(tool) for tool in tools]


def _to_tool(tool: Item) -> dict[str, Any]:
    if tool.get("type") != "function":
        raise InvalidInputError(
            f"A tool of type {str(tool.get('type'))[:40]!r} would have to run here; give the agent "
            "a tool of its own instead, and send functions only.",
            field="tools",
        )
    names = ("name", "description", "parameters", "strict")
    function = {name: tool[name] for name in names if tool.get(name) is not None}
    return {"type": "function", "function": function}


def to_items(place: AnswerPlace, message: Message) -> list[Item]:
    """Return an answer, in the form of chat completions, as the output of its response."""
    calls = message.get("tool_calls") or ()
    if not calls:
        return [to_item(place, message["content"])]
    return [
        {
            "type": "function_call",
            "id": f"fc_{call['id']}",
            "call_id": call["id"],
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
            "status": "completed",
        }
        for call in calls
    ]


def to_item(place: AnswerPlace, text: str) -> Item:
    """Return what an agent says as an item of the output."""
    return {
        "type": "message",
        "id": f"msg_{place.tape_id.hex}_{place.start}",
        "role": "assistant",
        "status": "completed",
        "content": [to_part(text)],
    }


def to_part(text: str) -> dict[str, Any]:
    """Return a text as a part of an item."""
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
