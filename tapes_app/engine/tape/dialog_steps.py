"""Steps of a conversation with tools, in the shape of chat completions (paper 2.1, App. A)."""

import json
from collections.abc import Sequence
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.model.reasoning import REASONING, reasoning_of
from tapes_app.engine.tape.steps import Action, Observation, Step, Thought


class UserStep(Observation):
    """What a person said."""

    kind: Literal["user"] = "user"
    content: str
    attachments: tuple[dict[str, Any], ...] = Field(default=(), exclude_if=lambda parts: not parts)
    """Images and recordings sent with it, as parts of a chat-completions message."""

    @classmethod
    def from_text(cls, content: str, attachments: Sequence[dict[str, Any]] = ()) -> Self:
        """Return a step with the given text; a field that was not set is not stored."""
        if not attachments:
            return cls(content=content)
        return cls(content=content, attachments=tuple(attachments))

    def message_content(self) -> str | list[dict[str, Any]]:
        """Return the content of its message: the text, or parts if there are attachments."""
        if not self.attachments:
            return self.content
        words = [{"type": "text", "text": self.content}] if self.content else []
        return [*words, *self.attachments]


class SystemStep(Observation):
    """Standing instructions given with the tape."""

    kind: Literal["system"] = "system"
    content: str


class AssistantThought(Thought):
    """What the agent said to itself."""

    kind: Literal["assistant_thought"] = "assistant_thought"
    content: Any


class AssistantStep(Action):
    """What the agent said to the person; it waits for the answer."""

    kind: Literal["assistant"] = "assistant"
    content: str

    @classmethod
    def from_llm_output(cls, output: LLMOutput) -> Self:
        return cls(content=output.content or "", **reasoning_of(output))

    def to_llm_output(self) -> LLMOutput:
        return LLMOutput(content=self.content, **reasoning_of(self))


class FunctionCall(BaseModel):
    """Name and arguments of a tool call; `arguments` is JSON text or the object itself."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str
    arguments: Any = ""


class ToolCall(BaseModel):
    """One tool call of a model, as chat completions write it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: str = ""
    type: str = "function"
    function: FunctionCall

    def parsed_arguments(self) -> dict[str, Any]:
        """Return the arguments as an object, empty if there are none.

        Raises:
            ValueError: they are not JSON, or not a JSON object.
        """
        arguments = self.function.arguments
        value = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        if value is None:  # how some models call a tool that needs nothing
            return {}
        if not isinstance(value, dict):
            raise ValueError("arguments must be a JSON object")  # noqa: TRY004
        return value


class ToolCalls(Action):
    """One or several tool calls of one model message; each gets its own result."""

    kind: Literal["assistant"] = "assistant"
    tool_calls: tuple[ToolCall, ...]
    content: str | None = None

    @classmethod
    def from_llm_output(cls, output: LLMOutput) -> Self:
        """Return the tool calls of an answer, with any text that accompanies them."""
        calls = tuple(ToolCall.model_validate(call) for call in output.tool_calls)
        thought = reasoning_of(output)
        # A field that was not set is not stored.
        if not output.content:
            return cls(tool_calls=calls, **thought)
        return cls(tool_calls=calls, content=output.content, **thought)

    def to_llm_output(self) -> LLMOutput:
        """Return the answer that these calls came from."""
        calls = tuple(call.model_dump(mode="json") for call in self.tool_calls)
        return LLMOutput(content=self.content, tool_calls=calls, **reasoning_of(self))


def deed_content(step: Step) -> dict[str, Any]:
    """Return what a step does, without its reasoning: used to spot repeats and find recordings."""
    return {name: value for name, value in step.content_dict().items() if name not in REASONING}


def matches_recording(recorded: Step, made: Step) -> bool:
    """Return whether a node made the recorded step; missing reasoning is not compared."""
    if recorded.content_equals(made):
        return True
    return not reasoning_of(recorded) and deed_content(recorded) == deed_content(made)


class ToolResult(Observation):
    """What one tool answered."""

    kind: Literal["tool"] = "tool"
    content: Any
    tool_call_id: str = ""
    is_error: bool = False
    """The tool could not do what was asked; `content` explains why, for the model to read."""


class ChatMessage(Observation):
    """A message of an imported transcript in a role that no other step has, kept whole."""

    kind: Literal["chat_message"] = "chat_message"
    message: dict[str, Any]
    """`role`, `content` and whatever else came with it."""


class ActionFailure(Observation):
    """An action could not be carried out; the agent should see why."""

    kind: Literal["action_execution_failure"] = "action_execution_failure"
    error: str


PARSING_FAILURE: Final = "llm_output_parsing_failure_action"


class ParsingFailure(Action):
    """The model's output could not be read; the node runs again and sees why."""

    kind: Literal["llm_output_parsing_failure_action"] = PARSING_FAILURE
    error: str
    llm_output: str


class ReasoningThought(Thought):
    """Free reasoning."""

    kind: Literal["reasoning_thought"] = "reasoning_thought"
    reasoning: str


class LoopWarning(Observation):
    """The same action was asked for several times in a row."""

    kind: Literal["loop_warning"] = "loop_warning"
    content: str
