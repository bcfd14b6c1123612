"""Anyone's tape as a prompt: what was recorded around its steps, the steps, its tools."""

import re
from collections.abc import Iterator
from typing import Any

from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.model.prompt_length import measure_tools, shorten
from tapes_app.engine.prompts.briefing import RecordedPrompt
from tapes_app.engine.prompts.chat_messages import FIELDS, TOOLS, as_text, is_chat_context
from tapes_app.engine.prompts.sound_messages import SoundMessages
from tapes_app.engine.tape.dialog_steps import SystemStep, ToolCalls
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.continuation.own_kinds import own_kinds

LONGEST_CONTEXT = 50_000
"""How many characters of a tape's context a model is shown."""

STEP_FORM = """ Where the agent wrote JSON objects, answer with one such object and nothing else."""
"""Not part of the agent's template, so that agents stored in existing installs stay the same."""

_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CUT = "\n[The rest of it is left out.]"


def make_prompt(
    tape: Tape, recorded: RecordedPrompt, *, system: str, go_on: str, room: int
) -> Prompt:
    """Return the prompt for continuing a tape, in at most `room` characters.

    What the recording contains around the steps is kept; `system` replaces a missing system
    message, `go_on` a missing message to answer. The prompt states what did not fit.
    """
    tools = make_tools(tape, recorded)
    sound = SoundMessages()
    has_system = recorded.opening or any(isinstance(step, SystemStep) for step in tape.steps)
    if not has_system:
        form = STEP_FORM if own_kinds(tape) else ""
        sound.add(system_message(system + form + _describe_context(tape)))
    for recorded_message in recorded.opening:
        sound.add(recorded_message)
    for step in tape.steps:
        sound.add_step(step)
    for recorded_message in recorded.closing:
        sound.add(recorded_message)
    messages = sound.take()
    if messages[-1].role not in ("user", "tool"):
        messages.append(user_message(go_on))
    fitting = shorten(messages, sound.observations, room - measure_tools(tools))
    asked: dict[str, Any] = {"messages": fitting.messages, "tools": tools or None, **fitting.note()}
    if recorded.response_format is not None:
        asked["response_format"] = recorded.response_format
    return Prompt.model_validate(asked)


def make_tools(tape: Tape, recorded: RecordedPrompt) -> tuple[dict[str, Any], ...]:
    """Return the tools of the recorded call, else those that the tape declares or calls."""
    if recorded.tools:
        return recorded.tools
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
    """Return a schema for an undeclared tool, inferred from the arguments of its calls."""
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
