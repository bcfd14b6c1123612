"""A tape of anybody as a prompt that every provider takes.

Providers refuse results without a call, calls without a result, empty ids, and keys and roles of
others; transcripts and edits have all of these.
"""

import re
from collections.abc import Iterator
from typing import Any

from tapes_app.engine.chat_messages import FIELDS, TOOLS, is_chat_context, message_of_step
from tapes_app.engine.dialog_steps import ToolCalls
from tapes_app.engine.messages import Message, content_text, system_message, user_message
from tapes_app.engine.prompting import as_text
from tapes_app.engine.tape import Tape

NO_RESULT = "No result was recorded."
LONGEST_CONTEXT = 50_000
"""Characters of a tape's context that are shown to a model."""

_KEYS = ("role", "content", "name", "tool_calls", "tool_call_id")
_ROLES = {"developer": "system", "function": "tool"}
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CUT = "\n[The rest of it is left out.]"


def make_messages(tape: Tape, *, system: str, go_on: str) -> tuple[Message, ...]:
    """Return the steps of a tape as messages that end with something to answer.

    The tape's own system message stays; `system` stands for a missing one.
    """
    messages = _Transcript().read(tape)
    if not any(message.role == "system" for message in messages):
        messages.insert(0, system_message(system + _describe_context(tape)))
    if messages[-1].role not in ("user", "tool"):
        messages.append(user_message(go_on))
    return tuple(messages)


def make_tools(tape: Tape) -> tuple[dict[str, Any], ...]:
    """Return the tools that came with a tape, then those that were called on it all the same."""
    found: dict[str, dict[str, Any]] = {}
    for tool in _list_declared(tape.context):
        function = tool.get("function")
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(name, str):
            found.setdefault(name, tool)
    for step in tape.steps:
        for call in step.tool_calls if isinstance(step, ToolCalls) else ():
            if _TOOL_NAME.fullmatch(call.function.name) and call.function.name not in found:
                found[call.function.name] = _describe_called(tape, call.function.name)
    return tuple(found.values())


def _list_declared(context: Any) -> Iterator[dict[str, Any]]:
    if not is_chat_context(context):
        return
    tools = context.get(TOOLS)
    fields = context.get(FIELDS)
    functions = fields.get("functions") if isinstance(fields, dict) else None
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            yield tool
    for function in functions if isinstance(functions, list) else ():
        yield {"type": "function", "function": function}


def _describe_called(tape: Tape, name: str) -> dict[str, Any]:
    """Return a schema of a tool that nobody declared: the arguments that it was called with."""
    arguments: dict[str, dict[str, Any]] = {}
    for step in tape.steps:
        for call in step.tool_calls if isinstance(step, ToolCalls) else ():
            if call.function.name != name:
                continue
            try:
                arguments |= {key: {} for key in call.parsed_arguments()}
            except (ValueError, RecursionError):
                continue
    parameters = {"type": "object", "properties": arguments}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def _describe_context(tape: Tape) -> str:
    context = tape.context
    if context is None or is_chat_context(context):
        return ""
    text = as_text(context.to_json() if isinstance(context, Tape) else context)
    shown = text if len(text) <= LONGEST_CONTEXT else text[:LONGEST_CONTEXT] + _CUT
    return f"\n\nThe session began with:\n{shown}"


class _Transcript:
    """Messages as they grow, and the tool calls among them that wait for a result."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._open: list[str] = []

    def read(self, tape: Tape) -> list[Message]:
        for position, step in enumerate(tape.steps):
            message = message_of_step(step)
            if message is not None:
                self._add(_plain(message, position))
        self._close()
        return self._messages

    def _add(self, message: dict[str, Any]) -> None:
        if message["role"] == "tool":
            self._add_result(message)
            return
        self._close()
        self._messages.append(Message(message))
        self._open = [call["id"] for call in message.get("tool_calls", ())]

    def _add_result(self, message: dict[str, Any]) -> None:
        given = message.get("tool_call_id")
        call_id = given or (self._open[0] if self._open else "")
        if call_id in self._open:
            self._open.remove(call_id)
            content = message.get("content")
            self._messages.append(
                Message(
                    role="tool", tool_call_id=call_id, content="" if content is None else content
                )
            )
        else:
            self._close()
            self._messages.append(
                user_message(f"Result of a tool:\n{content_text(message.get('content'))}")
            )

    def _close(self) -> None:
        self._messages += [
            Message(role="tool", tool_call_id=call_id, content=NO_RESULT) for call_id in self._open
        ]
        self._open = []


def _plain(message: dict[str, Any], position: int) -> dict[str, Any]:
    """Return a message with the keys and roles that providers know, and an id on each call."""
    role = _ROLES.get(str(message.get("role")), str(message.get("role")))
    if role not in ("system", "user", "assistant", "tool"):
        return dict(user_message(f"{role}: {content_text(message.get('content'))}"))
    legacy = message.get("function_call")
    calls = message.get("tool_calls") or ([{"function": legacy}] if legacy else [])
    plain = {key: message[key] for key in _KEYS if key in message and key != "tool_calls"}
    plain["role"] = role
    if calls:
        plain["tool_calls"] = [
            {**call, "type": "function", "id": call.get("id") or f"call_{position}_{number}"}
            for number, call in enumerate(calls)
        ]
    elif plain.get("content") is None:
        plain["content"] = message.get("refusal") or ""
    return plain
