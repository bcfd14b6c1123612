"""From steps to prompt messages, in the shape of chat completions."""

import json
from typing import Any

from tapes_app.engine.control_steps import Broadcast, Call, Respond
from tapes_app.engine.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ParsingFailure,
    SystemStep,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.media import has_media
from tapes_app.engine.messages import Message, user_message
from tapes_app.engine.reasoning import TEXT, reasoning_of
from tapes_app.engine.steps import Step, family_of


def step_to_message(step: Step, *, is_own_call: bool = False) -> Message | None:
    """Return a step as a prompt message; `None` for what a model need not see.

    `is_own_call` marks the `Call` that started the reader: it reads as its task.
    """
    match step:
        case UserStep():
            return Message(role="user", content=step.message_content())
        case SystemStep():
            return Message(role="system", content=step.content)
        case AssistantStep():
            return _said_by_agent(step, step.content)
        case AssistantThought():
            return _said_by_agent(step, as_text(step.content))
        case ToolCalls():
            calls = [call.model_dump(mode="json") for call in step.tool_calls]
            thought = _thought_before(step)
            return Message(role="assistant", content=step.content, tool_calls=calls, **thought)
        case ToolResult():
            content = step.content if has_media(step.content) else as_text(step.content)
            return Message(role="tool", tool_call_id=step.tool_call_id, content=content)
        case Call() if is_own_call:
            return user_message(as_text(step.content))
        case Call():
            return _said_by_agent(step, f"To {step.agent_name}: {as_text(step.content)}")
        case Respond():
            return _respond_message(step)
        case ParsingFailure():
            return user_message(f"Your answer could not be used: {step.error}\n\n{step.llm_output}")
        case Broadcast():
            return user_message(as_text(step.content))
        case _:
            return _data_message(step)


def _said_by_agent(step: Step, content: str) -> Message:
    return Message(role="assistant", content=content, **_thought_before(step))


def _thought_before(step: Step) -> dict[str, Any]:
    """Return the reasoning of an answer; whether a provider wants it back `llms` knows."""
    return {
        name: value if name == TEXT else [dict(block) for block in value]
        for name, value in reasoning_of(step).items()
    }


def _data_message(step: Step) -> Message | None:
    """Return a step of any other kind as its JSON, said by whom its family tells."""
    family = family_of(step)
    if family == "control":
        return None
    text = step.llm_view()
    return user_message(text) if family == "observation" else _said_by_agent(step, text)


def _respond_message(step: Respond) -> Message | None:
    if not step.content:
        return None
    name = step.metadata.agent.rpartition("/")[2] or "subagent"
    return user_message(f"{name} answers: {as_text(step.content)}")


def as_text(content: Any) -> str:
    """Return a content as a prompt shows it: text as it is, anything else as JSON."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
