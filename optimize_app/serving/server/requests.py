"""Chat completion requests: OpenAI's fields, and those of vLLM that we support."""

import json
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from optimize_app.serving.server.errors import RequestError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import first_reason

LONGEST_STOP = 1000
ROLES = "system", "developer", "user", "assistant", "tool", "function"
"""Chat templates write any other role as if they knew it."""

HARMLESS = frozenset({"user", "metadata", "store"})
"""Fields that do not affect the answer; they are ignored."""

StopText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_STOP)]


class JsonForm(FrozenModel):
    """The `json_schema` of a `response_format`."""

    name: str = ""
    description: str = ""
    schema_: dict[str, Any] = Field(alias="schema")
    strict: bool | None = None


class ResponseFormat(FrozenModel):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: JsonForm | None = None

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if (self.type == "json_schema") != (self.json_schema is not None):
            raise ValueError('json_schema is given with the type "json_schema", and only then')
        return self


class StructuredOutputs(FrozenModel):
    """vLLM's field: the form of an answer in one of four ways."""

    json_: dict[str, Any] | str | None = Field(default=None, alias="json")
    regex: str | None = None
    grammar: str | None = None
    """A Lark grammar, in llguidance's dialect."""
    choice: Annotated[tuple[StopText, ...], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        given = (self.json_, self.regex, self.grammar, self.choice)
        if sum(one is not None for one in given) != 1:
            raise ValueError("give one of json, regex, grammar and choice")
        return self


class _ToolName(FrozenModel):
    name: str


class NamedTool(FrozenModel):
    """A `tool_choice` of one tool."""

    type: Literal["function"]
    function: _ToolName


class StreamOptions(FrozenModel):
    include_usage: bool = False


class ChatRequest(FrozenModel):
    """The body of `POST /v1/chat/completions`."""

    model: str
    messages: tuple[dict[str, Any], ...] = Field(min_length=1)
    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: Literal["auto", "none", "required"] | NamedTool = "auto"
    """With `required` or a tool, the answer is one call, in a form that a grammar forces."""

    stream: bool = False
    stream_options: StreamOptions = StreamOptions()
    n: int = Field(default=1, ge=1, le=8)

    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    temperature: float = Field(default=1.0, ge=0, le=10)
    top_p: float = Field(default=1.0, gt=0, le=1)
    frequency_penalty: Literal[0] = 0
    presence_penalty: Literal[0] = 0
    seed: int | None = Field(default=None, ge=-(2**63), lt=2**63)
    stop: StopText | Annotated[tuple[StopText, ...], Field(max_length=16)] = ()

    logprobs: bool = False
    top_logprobs: int = Field(default=0, ge=0, le=20)
    return_token_ids: bool = False
    return_token_masks: bool = False
    """Our extension: for each token, the tokens that could have been drawn
    (`token_masks.pack_mask`)."""

    response_format: ResponseFormat | None = None
    structured_outputs: StructuredOutputs | None = None

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.top_logprobs and not self.logprobs:
            raise ValueError("top_logprobs needs logprobs")
        if self.response_format and self.structured_outputs:
            raise ValueError("give response_format or structured_outputs, not both")
        if self.must_call and (self.response_format or self.structured_outputs):
            raise ValueError("a forced tool call has its own form: leave out other forms")
        if self.must_call and not self.forced_tools:
            raise ValueError("tool_choice forces a call of a tool that is not among tools")
        limits = {self.max_tokens, self.max_completion_tokens} - {None}
        if len(limits) > 1:
            raise ValueError("max_tokens and max_completion_tokens differ; give one")
        return self

    @property
    def must_call(self) -> bool:
        return self.tool_choice not in ("auto", "none")

    @property
    def forced_tools(self) -> tuple[dict[str, Any], ...]:
        """The functions of which one must be called; none if the model may choose."""
        if not self.must_call:
            return ()
        functions = [tool["function"] for tool in self.tools if _is_function(tool)]
        if isinstance(self.tool_choice, NamedTool):
            wanted = self.tool_choice.function.name
            functions = [one for one in functions if one["name"] == wanted]
        return tuple(functions)

    @property
    def token_limit(self) -> int | None:
        return self.max_completion_tokens or self.max_tokens

    @property
    def stops(self) -> tuple[str, ...]:
        return (self.stop,) if isinstance(self.stop, str) else self.stop


def parse_chat_request(body: bytes) -> ChatRequest:
    """Read the body of a request. A field that is null counts as missing.

    Raises:
        RequestError: it is not a JSON object, has an unsupported field, or a bad value.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"The body is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise RequestError("The body is a JSON object with model and messages.")
    given = {
        name: field for name, field in value.items() if field is not None and name not in HARMLESS
    }
    unknown = sorted(given.keys() - ChatRequest.model_fields.keys())
    if unknown:
        raise RequestError(
            f"This server does not support {', '.join(unknown)}; leave "
            f"{'it' if len(unknown) == 1 else 'them'} out.",
            param=unknown[0],
        )
    try:
        request = ChatRequest.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]["loc"]
        raise RequestError(
            f"{first_reason(error)}.", param=str(first[0]) if first else None
        ) from error
    for message in request.messages:
        _check_message(message)
    return request


def _is_function(tool: dict[str, Any]) -> bool:
    function = tool.get("function")
    return isinstance(function, dict) and isinstance(function.get("name"), str)


def _check_message(message: dict[str, Any]) -> None:
    content = message.get("content")
    if message.get("role") not in ROLES:
        raise RequestError(
            f"Each message has a role: {', '.join(ROLES[:-1])} or {ROLES[-1]}.", param="messages"
        )
    if isinstance(content, list):
        for part in content:
            if not isinstance(part, dict) or part.get("type") != "text":
                raise RequestError(
                    "This server reads text only; leave out parts of other types.",
                    param="messages",
                )
    elif content is not None and not isinstance(content, str):
        raise RequestError(
            "The content of a message is text, or a list of text parts.", param="messages"
        )
