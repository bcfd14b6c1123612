"""Steps to chat-completions messages, as prompts hold them, and back.

An imported message is exported unchanged.

What a step has no field for (a name, parts other than text, a provider's extra keys) is kept under
one key of its metadata. An edited step keeps it, but the edit takes precedence.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from tapes_app.engine.errors import StepError
from tapes_app.engine.model.messages import Message, content_text, user_message
from tapes_app.engine.model.reasoning import TEXT, read_reasoning, reasoning_of
from tapes_app.engine.tape.control_steps import Broadcast, Call, CallTogether, Join, Respond
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ChatMessage,
    ParsingFailure,
    SystemStep,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.media import has_media, is_media, list_media
from tapes_app.engine.tape.steps import Step, family_of, first_reason

CHAT_KEY = "chat_message"
"""Key in `StepMetadata.other`: `{"fields": {…}, "absent": […]}`, beyond what the step holds."""

TOOLS = "tools"
FIELDS = "chat_fields"
"""Keys of the context of an imported conversation: its tools and its other fields."""

_LEGACY_CALL = "function_call"
_PLACE = {"type": "attachment"}
"""Marks where an attachment of the step was in its message."""


def step_to_message(step: Step, *, is_own_call: bool = False) -> Message | None:
    """Return a step as a prompt message; `None` for what a model need not see.

    `is_own_call` marks the `Call` that started the reader: it is rendered as its task.
    """
    match step:
        case UserStep():
            return Message(role="user", content=step.message_content())
        case SystemStep():
            return Message(role="system", content=step.content)
        case AssistantStep():
            return _assistant_text(step, step.content)
        case AssistantThought():
            return _assistant_text(step, as_text(step.content))
        case ToolCalls():
            calls = [call.model_dump(mode="json") for call in step.tool_calls]
            thought = _thought_before(step)
            return Message(role="assistant", content=step.content, tool_calls=calls, **thought)
        case ToolResult():
            content = step.content if has_media(step.content) else as_text(step.content)
            return Message(role="tool", tool_call_id=step.tool_call_id, content=content)
        case Call() if is_own_call:
            return Message(role="user", content=_show(step.content))
        case Call():
            return _assistant_text(step, f"To {step.agent_name}: {show_text(step.content)}")
        case CallTogether():
            tasks = (f"To {one.agent_name}: {show_text(one.content)}" for one in step.calls)
            return _assistant_text(step, "\n".join(tasks))
        case Join():
            return None  # the responses in front of it say it all
        case Respond():
            return _respond_message(step)
        case ParsingFailure():
            return user_message(f"Your answer could not be used: {step.error}\n\n{step.llm_output}")
        case Broadcast():
            return Message(role="user", content=_show(step.content))
        case _:
            return _data_message(step)


def _assistant_text(step: Step, content: str) -> Message:
    return Message(role="assistant", content=content, **_thought_before(step))


def _thought_before(step: Step) -> dict[str, Any]:
    """Return the reasoning of an answer; `llms` knows whether a provider wants it back."""
    return {
        name: value if name == TEXT else [dict(block) for block in value]
        for name, value in reasoning_of(step).items()
    }


def _data_message(step: Step) -> Message | None:
    """Return a step of any other kind as its JSON; its family decides the role."""
    family = family_of(step)
    if family == "control":
        return None
    text = step.llm_view()
    return user_message(text) if family == "observation" else _assistant_text(step, text)


def _respond_message(step: Respond) -> Message | None:
    if not step.content:
        return None
    name = step.metadata.agent.rpartition("/")[2] or "subagent"
    return user_message(f"{name} answers: {as_text(step.content)}")


def as_text(content: Any) -> str:
    """Return a content as a prompt shows it: text unchanged, anything else as JSON."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def show_text(content: Any) -> str:
    """Return the text of a content: of the parts of a message, those that are text."""
    return content_text(content) if has_media(content) else as_text(content)


def _show(content: Any) -> Any:
    """Return a free-form content as a message holds it: parts with images as they are."""
    return list(content) if has_media(content) else as_text(content)


def is_chat_context(context: Any) -> bool:
    """Return whether the context of a tape is that of an imported conversation."""
    return isinstance(context, dict) and bool(context) and context.keys() <= {TOOLS, FIELDS}


def step_of_message(message: Mapping[str, Any]) -> Step:
    """Return the step of a message; a role that no step covers becomes a `ChatMessage`.

    Raises:
        StepError: it has no role, or its content or tool calls are invalid.
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
    """Return a step as a message; `None` for steps that steer agents and have no text.

    Arguments of tool calls are JSON text, as providers expect.
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
            return UserStep.from_text(content_text(content), media)
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
    text = content_text(message.get("content"), "assistant")
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
    """Return what must be remembered to rebuild the message from what the step alone gives."""
    legacy = message.get(_LEGACY_CALL)
    if isinstance(legacy, dict) and not message.get("tool_calls"):
        plain = {name: value for name, value in plain.items() if name != "tool_calls"}
        # The step holds the call; remember only that it used the legacy format.
        message = {**message, _LEGACY_CALL: True}
    fields = {
        name: value
        for name, value in message.items()
        if name != "tool_calls" and (name not in plain or plain[name] != value)
    }
    if isinstance(fields.get("content"), list) and isinstance(plain.get("content"), list):
        # The step holds the images; remember only where they were in the text.
        fields["content"] = [_PLACE if is_media(part) else part for part in fields["content"]]
    if message.get("tool_calls") == []:
        fields["tool_calls"] = []
    absent = sorted(name for name in plain if name not in message)
    found = {"fields": fields, "absent": absent}
    return {name: value for name, value in found.items() if value}


def _restore(message: dict[str, Any], beyond: Any) -> dict[str, Any]:
    """Add what was remembered of a message to what its step holds now."""
    if not isinstance(beyond, dict):
        return message
    fields = beyond.get("fields")
    for name, value in (fields if isinstance(fields, dict) else {}).items():
        if name == "content":
            message["content"] = _merge_content(value, message.get("content"), message["role"])
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


def _merge_content(before: Any, now: Any, role: str) -> Any:
    """Return the old content if its text is unchanged, else its other parts with the new text."""
    text = content_text(now, role)
    # Steps that were imported by earlier versions hold all parts as blocks.
    is_same = text in (content_text(before, role), content_text(before))
    if _are_parts(before) and isinstance(now, list) and is_same:
        media = list_media(now)
        if before.count(_PLACE) == len(media):
            return [media.pop(0) if part == _PLACE else part for part in before]
    if is_same and (before is None or not isinstance(now, list)):
        return before
    if not _are_parts(before) or isinstance(now, list):
        return now
    others = [part for part in before if not isinstance(part.get("text"), str)]
    return [{"type": "text", "text": text}, *others] if others else now


def _merge_role(before: Any, now: str) -> str:
    """Return the old or new name of the same role; foreign metadata cannot change the role."""
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


def fill_arguments(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message whose calls all have arguments: `{}` where a model wrote none.

    Chat templates and training tools parse them, and nothing, an empty text and `null` are not an
    object.
    """
    filled = dict(message)
    if isinstance(calls := message.get("tool_calls"), list | tuple):
        filled["tool_calls"] = [_with_arguments(call) for call in calls]
    if isinstance(legacy := message.get(_LEGACY_CALL), dict):
        filled[_LEGACY_CALL] = _with_arguments({"function": legacy})["function"]
    return filled


def _with_arguments(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return call
    arguments = function.get("arguments")
    is_empty = arguments is None or str(arguments).strip() in ("", "null")
    return {**call, "function": {**function, "arguments": "{}"}} if is_empty else call


def _are_parts(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(part, dict) for part in content)
