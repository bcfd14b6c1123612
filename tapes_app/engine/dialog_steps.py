"""Steps of a conversation with tools, in the shape of chat completions (paper 2.1, App. A)."""

import json
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.llm import LLMOutput
from tapes_app.engine.steps import Action, Observation, Step, Thought

Reasoning = Annotated[str | None, Field(exclude_if=lambda text: text is None)]
"""What a model thought before its answer."""

SignedBlocks = Annotated[
    tuple[dict[str, Any], ...] | None, Field(exclude_if=lambda blocks: blocks is None)
]
"""The same as its provider signed it: it goes back to it unchanged, beside the tool calls."""


SIGNED: Final = frozenset({"thinking_blocks"})
REASONING: Final = ("reasoning_content", *SIGNED)
"""The fields of both, of steps, answers and messages alike."""


class UserStep(Observation):
    """What a person said."""

    kind: Literal["user"] = "user"
    content: str
    attachments: tuple[dict[str, Any], ...] = Field(default=(), exclude_if=lambda parts: not parts)
    """Images and recordings sent with it, as parts of a message of chat completions."""

    def message_content(self) -> str | list[dict[str, Any]]:
        """Return what a message of it holds: the words, or parts where there is more."""
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

    opaque_fields: ClassVar[frozenset[str]] = SIGNED
    kind: Literal["assistant"] = "assistant"
    content: str
    reasoning_content: Reasoning = None
    thinking_blocks: SignedBlocks = None

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
        """Return the arguments as an object.

        Raises:
            ValueError: they are not JSON, or no JSON object.
        """
        arguments = self.function.arguments
        value = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        if not isinstance(value, dict):
            raise ValueError("arguments must be a JSON object")  # noqa: TRY004
        return value


class ToolCalls(Action):
    """One or several tool calls of one model message; each gets its own result."""

    opaque_fields: ClassVar[frozenset[str]] = SIGNED
    kind: Literal["assistant"] = "assistant"
    tool_calls: tuple[ToolCall, ...]
    content: str | None = None
    reasoning_content: Reasoning = None
    thinking_blocks: SignedBlocks = None

    @classmethod
    def from_llm_output(cls, output: LLMOutput) -> Self:
        """Return the calls of an answer, and what it says beside them."""
        calls = tuple(ToolCall.model_validate(call) for call in output.tool_calls)
        thought = reasoning_of(output)
        # A field that nobody set is not stored.
        if not output.content:
            return cls(tool_calls=calls, **thought)
        return cls(tool_calls=calls, content=output.content, **thought)

    def to_llm_output(self) -> LLMOutput:
        """Return the answer that these calls come from."""
        calls = tuple(call.model_dump(mode="json") for call in self.tool_calls)
        return LLMOutput(content=self.content, tool_calls=calls, **reasoning_of(self))


def deed_of(step: Step) -> dict[str, Any]:
    """Return what a step does, whatever was thought before: what repeats, and has a recording."""
    return {name: value for name, value in step.content_dict().items() if name not in REASONING}


def reasoning_of(said: LLMOutput | AssistantStep | ToolCalls) -> dict[str, Any]:
    """Return what was thought before an answer, by field; nothing where nothing was."""
    return {name: value for name in REASONING if (value := getattr(said, name))}


class ToolResult(Observation):
    """What one tool answered."""

    kind: Literal["tool"] = "tool"
    content: Any
    tool_call_id: str = ""
    is_error: bool = False
    """The tool could not do what was asked; `content` says why, for the model to read."""


class ChatMessage(Observation):
    """A message of an imported transcript in a role that no other step has, kept whole."""

    kind: Literal["chat_message"] = "chat_message"
    message: dict[str, Any]
    """`role`, `content` and whatever else it came with."""


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
