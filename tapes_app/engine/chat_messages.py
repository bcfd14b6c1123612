"""Steps and messages of chat completions, both ways: a message that came in goes out as it was.

What a step has no field for (a name, parts that are no text, a provider's own keys) stays on the
step under one key of its metadata. An edited step keeps it, but what was edited counts.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from tapes_app.engine.dialog_steps import (
    AssistantStep,
    ChatMessage,
    SystemStep,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.errors import StepError
from tapes_app.engine.media import is_media, list_media
from tapes_app.engine.messages import content_text
from tapes_app.engine.prompting import step_to_message
from tapes_app.engine.reasoning import read_reasoning
from tapes_app.engine.steps import Step, first_reason

CHAT_KEY = "chat_message"
"""Key in `StepMetadata.other`: `{"fields": {…}, "absent": […]}`, beyond what the step says."""

TOOLS = "tools"
FIELDS = "chat_fields"
"""Keys of the context of an imported conversation: its tools, and its other fields."""

_LEGACY_CALL = "function_call"
_PLACE = {"type": "attachment"}
"""Where an attachment of the step stood in its message."""


def is_chat_context(context: Any) -> bool:
    """Tell whether the context of a tape is what a conversation came with."""
    return isinstance(context, dict) and bool(context) and context.keys() <= {TOOLS, FIELDS}


def step_of_message(message: Mapping[str, Any]) -> Step:
    """Return the step of a message; a role that no step has becomes a `ChatMessage`.

    Raises:
        StepError: it has no role, or a content or tool calls that are none.
    """
    role = message.get("role")
    if not isinstance(role, str) or not role:
        raise StepError("a message needs a text field 'role'")
    content = message.get("content")
    if content is not None and not isinstance(content, str) and not _are_parts(content):
        raise StepError("the content of a message is neither text nor a list of parts")
    try:
        step = _plain_step(role, message)
    except ValidationError as error:
        raise StepError(f"a message of role {role!r} is invalid: {first_reason(error)}") from error
    if isinstance(step, ChatMessage):
        return step
    beyond = _beyond(dict(message), message_of_step(step) or {})
    return step.with_metadata(other={CHAT_KEY: beyond}) if beyond else step


def message_of_step(step: Step) -> dict[str, Any] | None:
    """Return a step as a message; `None` for steps that steer agents and say nothing.

    Arguments of tool calls are JSON text, as providers want them.
    """
    if isinstance(step, ChatMessage):
        return dict(step.message)
    plain = step_to_message(step)
    if plain is None:
        return None
    message = dict(plain)
    if isinstance(step, ToolCalls):
        message["tool_calls"] = [_with_text_arguments(call) for call in message["tool_calls"]]
    elif isinstance(step, ToolResult) and _are_parts(step.content):
        message["content"] = step.content
    return _restore(message, step.metadata.other.get(CHAT_KEY))


def _plain_step(role: str, message: Mapping[str, Any]) -> Step:
    content = message.get("content")
    match role:
        case "system" | "developer":
            return SystemStep(content=content_text(content))
        case "user":
            media = list_media(content)
            return UserStep.saying(content_text(content), media)
        case "assistant":
            return _assistant_step(message)
        case "tool" | "function":
            call_id = message.get("tool_call_id")
            return ToolResult(
                content="" if content is None else content,
                tool_call_id=call_id if isinstance(call_id, str) else "",
            )
        case _:
            return ChatMessage(message=dict(message))


def _assistant_step(message: Mapping[str, Any]) -> Step:
    text = content_text(message.get("content"))
    thought = read_reasoning(message)
    calls = message.get("tool_calls")
    legacy = message.get(_LEGACY_CALL)
    if calls:
        return ToolCalls.model_validate({"tool_calls": calls, "content": text or None, **thought})
    if isinstance(legacy, dict):
        one = {"type": "function", "function": legacy}
        return ToolCalls.model_validate({"tool_calls": [one], "content": text or None, **thought})
    return AssistantStep(content=text, **thought)


def _beyond(message: dict[str, Any], plain: dict[str, Any]) -> dict[str, Any]:
    """Return what has to be remembered to make the message of what the step alone gives."""
    legacy = message.get(_LEGACY_CALL)
    if isinstance(legacy, dict) and not message.get("tool_calls"):
        plain = {name: value for name, value in plain.items() if name != "tool_calls"}
        # The call itself is the step's; that it was written the old way is remembered.
        message = {**message, _LEGACY_CALL: True}
    fields = {
        name: value
        for name, value in message.items()
        if name != "tool_calls" and (name not in plain or plain[name] != value)
    }
    if isinstance(fields.get("content"), list) and isinstance(plain.get("content"), list):
        # The images are the step's; where they stood among the words is remembered.
        fields["content"] = [_PLACE if is_media(part) else part for part in fields["content"]]
    if message.get("tool_calls") == []:
        fields["tool_calls"] = []
    absent = sorted(name for name in plain if name not in message)
    found = {"fields": fields, "absent": absent}
    return {name: value for name, value in found.items() if value}


def _restore(message: dict[str, Any], beyond: Any) -> dict[str, Any]:
    """Add what was remembered of a message to what its step says now."""
    if not isinstance(beyond, dict):
        return message
    fields = beyond.get("fields")
    for name, value in (fields if isinstance(fields, dict) else {}).items():
        if name == "content":
            message["content"] = _merge_content(value, message.get("content"))
        elif name == _LEGACY_CALL:
            _write_legacy_call(message, value)
        elif name == "role":
            message["role"] = _merge_role(value, message["role"])
        elif name not in message:
            message[name] = value
    absent = beyond.get("absent")
    for name in absent if isinstance(absent, list) else ():
        if name in message and not message[name]:
            del message[name]
    return message


def _merge_content(before: Any, now: Any) -> Any:
    """Return what came where its text is unchanged, else its other parts with the new text."""
    text = content_text(now)
    if _are_parts(before) and isinstance(now, list) and content_text(before) == text:
        media = list_media(now)
        if before.count(_PLACE) == len(media):
            return [media.pop(0) if part == _PLACE else part for part in before]
    if content_text(before) == text and (before is None or not isinstance(now, list)):
        return before
    if not _are_parts(before) or isinstance(now, list):
        return now
    others = [part for part in before if not isinstance(part.get("text"), str)]
    return [{"type": "text", "text": text}, *others] if others else now


def _merge_role(before: Any, now: str) -> str:
    """Return the older or newer name of a role; a stranger's metadata turns none into another."""
    is_name_of = {"system": "developer", "tool": "function"}
    return str(before) if before == is_name_of.get(now) else now


def _write_legacy_call(message: dict[str, Any], was_legacy: Any) -> None:
    calls = message.get("tool_calls")
    if was_legacy is True and isinstance(calls, list) and len(calls) == 1:
        message[_LEGACY_CALL] = calls[0]["function"]
        del message["tool_calls"]
    elif was_legacy is not True:
        message.setdefault(_LEGACY_CALL, was_legacy)


def _with_text_arguments(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        return call
    return {**call, "function": {**function, "arguments": json.dumps(arguments or {})}}


def _are_parts(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(part, dict) for part in content)
