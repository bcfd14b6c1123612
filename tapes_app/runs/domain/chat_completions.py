"""Chat completions as another program writes them: its messages as steps, and answers for it."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from tapes_app.engine.environment.actions import ends_turn, unfulfilled_actions
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    SystemStep,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.media import check_attachments
from tapes_app.engine.tape.steps import Step, first_reason
from tapes_app.engine.tape.tape import Tape

PREFIX = "agent:"
PUBLISHED = "published"
MAX_MESSAGES = 2_000
DIGEST_PREFIX = "conversation:"
_NAME = re.compile(r"agent:(?P<name>.+)@(?P<version>\d+|published)", re.DOTALL)
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class NamedAgent(NamedTuple):
    """An agent as a client names its model."""

    name: str
    number: int | None
    """`None`: the published version."""


def read_model(model: str) -> NamedAgent:
    """Read `agent:NAME@VERSION` or `agent:NAME@published`; without `@`, the published version.

    Raises:
        InvalidInputError: it is neither.
    """
    found = _NAME.fullmatch(model)
    if found is not None:
        version = found["version"]
        return NamedAgent(found["name"], None if version == PUBLISHED else int(version[:9]))
    if model.startswith(PREFIX) and len(model) > len(PREFIX):
        return NamedAgent(model.removeprefix(PREFIX), None)
    raise InvalidInputError(
        f"Name the model agent:NAME@VERSION or agent:NAME@published, not {model[:200]!r}.",
        field="model",
    )


def check_tools(tools: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the caller's tools.

    Raises:
        InvalidInputError: one is not a function with a name, or two have one name.
    """
    names: set[str] = set()
    for tool in tools:
        function = tool.get("function")
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name) or name in names:
            raise InvalidInputError(
                "Each tool is {type: function, function: {name, description, parameters}}, with a "
                "name of its own: letters, digits, _ and -, at most 64.",
                field="tools",
            )
        names.add(name)
    return tuple(tools)


def split_new(messages: Sequence[dict[str, Any]]) -> int:
    """Return where the messages begin that the agent has not answered yet."""
    for index in range(len(messages), 0, -1):
        if messages[index - 1].get("role") == "assistant":
            return index
    return 0


def check_results(messages: Sequence[dict[str, Any]], called: Sequence[str] = ()) -> None:
    """Refuse a tool's result without its call; `called`: calls that still wait for theirs.

    Raises:
        InvalidInputError: there is one.
    """
    waiting = Counter(called)
    for message in messages:
        waiting.update(call.id for call in _read_calls(message))
        if message.get("role") != "tool":
            continue
        call_id = message.get("tool_call_id") or ""
        if not isinstance(call_id, str) or not waiting[call_id]:
            raise InvalidInputError(
                f"There is no call {str(call_id)[:80]!r} before this result that waits for one; "
                "send the calls too, each once, and results with the ids of their calls.",
                field="messages",
            )
        waiting[call_id] -= 1


def digest_of(version: object, messages: Sequence[dict[str, Any]]) -> str:
    """Return what identifies a conversation up to here; fields that clients drop do not count."""
    essences = [_essence(message) for message in messages]
    written = json.dumps([str(version), essences], sort_keys=True, default=str)
    return f"{DIGEST_PREFIX}{hashlib.sha256(written.encode(errors='replace')).hexdigest()}"


def _essence(message: dict[str, Any]) -> list[Any]:
    calls = [[call.id, call.function.name, _arguments(call)] for call in _read_calls(message)]
    content = message.get("content")
    text = _text_of(content) if not _has_media(content) else content
    return [_role_of(message), text or "", calls, message.get("tool_call_id") or ""]


def _arguments(call: ToolCall) -> Any:
    try:
        return call.parsed_arguments()
    except ValueError:
        return call.function.arguments


def to_steps(messages: Sequence[dict[str, Any]]) -> list[Step]:
    """Return messages as steps of a tape.

    Raises:
        InvalidInputError: a message is not one of chat completions.
    """
    return [_to_step(message).with_metadata(id=new_id()) for message in messages]


def _to_step(message: dict[str, Any]) -> Step:
    content = message.get("content")
    match _role_of(message):
        case "system":
            return SystemStep(content=_text_of(content))
        case "user":
            parts = content if isinstance(content, list) else []
            media = [part for part in parts if not _is_text(part)]
            return UserStep.from_text(_text_of(content), check_attachments(media))
        case "assistant":
            calls = _read_calls(message)
            if calls:
                text = _text_of(content)
                # A field that was not set is not stored.
                return (
                    ToolCalls(tool_calls=calls, content=text)
                    if text
                    else ToolCalls(tool_calls=calls)
                )
            return AssistantStep(content=_text_of(content))
        case "tool":
            call_id = str(message.get("tool_call_id") or "")
            return ToolResult(content=_text_of(content), tool_call_id=call_id)
        case role:
            raise InvalidInputError(
                f"A message has the role {str(role)[:40]!r}; use system, user, assistant or tool.",
                field="messages",
            )


def _role_of(message: dict[str, Any]) -> Any:
    role = message.get("role")
    return "system" if role == "developer" else role


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text"


def _has_media(content: Any) -> bool:
    return isinstance(content, list) and not all(_is_text(part) for part in content)


def _text_of(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if _is_text(part))
    if content is None or isinstance(content, str):
        return content or ""
    raise InvalidInputError(
        "The content of a message is a text or a list of parts.", field="messages"
    )


def _read_calls(message: dict[str, Any]) -> tuple[ToolCall, ...]:
    given = message.get("tool_calls") or ()
    if not isinstance(given, list | tuple):
        raise InvalidInputError("tool_calls is a list.", field="messages")
    try:
        return tuple(ToolCall.model_validate(call) for call in given)
    except ValidationError as error:
        raise InvalidInputError(
            f"A tool call in the messages cannot be read: {first_reason(error)}.", field="messages"
        ) from error


def answer_message(tape: Tape, start: int, names: frozenset[str]) -> dict[str, Any] | None:
    """Return what the agent said, or which tools of the caller it calls, since step `start`.

    `None`: neither.
    """
    calls = [
        pending.tool_call
        for pending in unfulfilled_actions(tape)
        if pending.tool_call is not None and pending.name in names
    ]
    if calls:
        return {"role": "assistant", "content": None, "tool_calls": [_write(c) for c in calls]}
    last_action = next((step for step in reversed(tape.steps[start:]) if ends_turn(step)), None)
    if last_action is None or isinstance(last_action, ToolCalls):
        return None
    content = getattr(last_action, "content", None)
    if not isinstance(content, str):
        content = json.dumps(last_action.content_dict(), ensure_ascii=False, default=str)
    return {"role": "assistant", "content": content}


def _write(call: ToolCall) -> dict[str, Any]:
    arguments = call.function.arguments
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": call.function.name, "arguments": written or "{}"}
    return {"id": call.id, "type": "function", "function": function}
