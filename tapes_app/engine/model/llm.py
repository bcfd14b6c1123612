"""What a model is asked and what comes back: prompts, streams, outputs, recorded calls.

The protocol of every LLM is defined here; vendors are implemented in `tapes_app.llms`.
"""

import math
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Any, Protocol, Self, runtime_checkable

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WrapValidator

from tapes_app.engine.frozen_model import FrozenModel, new_id
from tapes_app.engine.model.messages import DIGEST_BYTES, Message, canonical_json, digest_json
from tapes_app.engine.model.reasoning import SignedBlocks
from tapes_app.engine.registry import Registry


def _trust_messages(value: Any, handler: Any) -> Any:
    # Our own code builds this tuple from messages that are already valid; validating the full
    # history again at every step would make a run quadratic.
    return value if type(value) is tuple else tuple(handler(value))


Messages = Annotated[tuple[Message, ...], WrapValidator(_trust_messages)]


class Prompt(FrozenModel):
    """What a node asks its LLM. A prompt without messages is the null prompt: no call is made."""

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    id: str = Field(default_factory=new_id)
    """Id of one node execution, carried by every step of it (paper 2.5)."""

    messages: Messages = ()
    tools: tuple[dict[str, Any], ...] | None = None
    """Tool schemas in chat-completions form."""

    response_format: dict[str, Any] | None = None
    sampling: dict[str, Any] | None = None
    """Parameters that the node chose: they override the agent's and the model's."""

    tool_choice: str | dict[str, Any] | None = None

    def __bool__(self) -> bool:
        return bool(self.messages)

    @cached_property
    def digest(self) -> str:
        """Content digest in hex: messages, tools and response format.

        The id and the sampling do not count: a recorded answer fits regardless.
        """
        hasher = blake2b(digest_size=DIGEST_BYTES)
        hasher.update(b"".join([message.digest for message in self.messages]))
        hasher.update(digest_json([self.tools or [], self.response_format]))
        return hasher.hexdigest()


class LLMOutput(BaseModel):
    """One complete message of a model. Extra keys from a provider are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    role: str = "assistant"
    content: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    """Each `{"id", "type": "function", "function": {"name", "arguments": JSON text}}`."""

    reasoning_content: str | None = None
    """What the model thought before it answered."""

    thinking_blocks: tuple[dict[str, Any], ...] | None = None
    """The same with the provider's signatures, to be sent back unchanged."""

    reasoning_details: SignedBlocks = None
    """The same in OpenRouter's form."""

    @classmethod
    def calling(cls, tool: str, **arguments: Any) -> Self:
        """Return an answer that calls one tool; for scripts and tests."""
        call_id = f"call_{digest_json([tool, arguments]).hex()[:12]}"
        function = {"name": tool, "arguments": canonical_json(arguments)}
        return cls(tool_calls=({"id": call_id, "type": "function", "function": function},))


class Usage(BaseModel):
    """Tokens of one call by price class; `None` = unknown, never guessed."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    input_tokens: int | None = None
    """All prompt tokens, including the cached ones."""

    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    """All completion tokens, including the reasoning ones."""

    reasoning_tokens: int | None = None
    is_estimate: bool = False
    """Counted here by a library, because the provider did not report it."""


class LLMDelta(BaseModel):
    """A piece of a message that is still being written."""

    model_config = ConfigDict(frozen=True)

    text: str = ""
    reasoning: str = ""
    tool_index: int | None = None
    """Which tool call the piece belongs to; `None` for text."""

    tool_name: str = ""
    tool_arguments: str = ""


LEAST_LOGPROB = -9999.0
"""Stands for "impossible", which JSON cannot express; vLLM writes the same value."""


def _finite(logprob: float) -> float:
    return logprob if math.isfinite(logprob) else LEAST_LOGPROB


TokenId = Annotated[int, Field(ge=0)]
Logprob = Annotated[float, AfterValidator(_finite)]


class CallTokens(FrozenModel):
    """What a model read and wrote, token by token, as the server counted it: never recomputed.

    `None` = the server did not report it.
    """

    prompt_ids: tuple[TokenId, ...] | None = None
    """Ids of the complete prompt, as the chat template rendered it."""

    ids: tuple[TokenId, ...] | None = None
    """Ids of everything that was sampled: reasoning, text and tool calls."""

    texts: tuple[str, ...] | None = None
    logprobs: tuple[Logprob, ...] | None = None
    """Natural logarithms, one per sampled token."""

    masks: tuple[str | None, ...] | None = None
    """For each sampled token, the tokens that could have been drawn (under a grammar, for example)
    and over which its probability is normalized: packed bits in base64 (`token_masks`); `None` =
    all."""

    def __bool__(self) -> bool:
        return self != CallTokens()

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class LLMResult(BaseModel):
    """The end of a stream: the complete message and its cost."""

    model_config = ConfigDict(frozen=True)

    output: LLMOutput
    usage: Usage = Usage()
    cost_micro_usd: int | None = None
    """Cost in millionths of a US dollar; `None` = unknown price."""

    finish_reason: str = ""
    is_cached: bool = False
    attempt_count: int = 1
    tokens: CallTokens | None = None
    """Set if the model was asked for them and its server returns them."""


LLMEvent = LLMDelta | LLMResult


@runtime_checkable
class LLM(Protocol):
    """A model that answers prompts.

    `stream` yields any number of `LLMDelta` and ends with exactly one `LLMResult`. Closing the
    generator or cancelling the task stops the request. It raises `LLMError`, and nothing else, when
    a provider or a recording fails.
    """

    @property
    def model_name(self) -> str: ...

    def describe(self) -> dict[str, Any]:
        """Return what a recorded call should remember: model name, parameters; no secrets."""
        ...

    def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]: ...


def is_unsent(llm: object) -> bool:
    """Return whether an LLM's call waits for its turn, if it declares that as `is_waiting`."""
    return getattr(llm, "is_waiting", False) is True


class LLMCall(BaseModel):
    """One recorded exchange with a model."""

    prompt: Prompt
    output: LLMOutput
    usage: Usage = Usage()
    cost_micro_usd: int | None = None
    llm: dict[str, Any] = Field(default_factory=dict)
    """How the LLM describes itself: model name, parameters."""

    started_at: datetime | None = None
    """Aware UTC; `None` when the recording did not include it."""

    duration_seconds: float | None = None
    first_token_seconds: float | None = None
    finish_reason: str = ""
    is_cached: bool = False
    error: str = ""
    """Why the call failed or was cut short; empty when it succeeded."""

    tokens: CallTokens | None = None


class LLMStream:
    """What a node reads: the pieces of one answer as they arrive, then the complete message.

    For the null prompt, a node gets an empty stream (`is_null`).
    """

    def __init__(self, prompt: Prompt, events: AsyncIterator[LLMEvent] | None) -> None:
        self.prompt = prompt
        self.result: LLMResult | None = None
        self._events = events

    @property
    def is_null(self) -> bool:
        return self._events is None

    async def __aiter__(self) -> AsyncIterator[LLMDelta]:
        if self._events is None:
            return
        async for event in self._events:
            if isinstance(event, LLMResult):
                self.result = event
            else:
                yield event

    async def get_message(self) -> LLMOutput:
        """Wait for the complete message; the null prompt yields an empty one."""
        if self.result is None:
            async for _ in self:
                pass
        return LLMOutput() if self.result is None else self.result.output

    async def get_text(self) -> str:
        return (await self.get_message()).content or ""


def replayed_stream(prompt: Prompt, output: LLMOutput) -> LLMStream:
    """Return a stream of an already known message, without calling a model."""

    async def events() -> AsyncIterator[LLMEvent]:
        yield LLMResult(output=output)

    return LLMStream(prompt, events() if prompt else None)


Script = Callable[[Prompt], LLMOutput]
"""The program of a scripted LLM: its answer is a function of the prompt alone."""

SCRIPT_PREFIX = "script:"
"""Prefix for the names of models that are scripts."""

scripts: Registry[Script] = Registry("script")
