"""What all remote models share: attempts, deadline, deltas, cost, clean errors."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from http import HTTPStatus
from typing import Any

from tapes_app.engine.errors import LLMDeadlineError, LLMError, LLMTransientError
from tapes_app.engine.model.llm import LLMEvent, LLMResult, Prompt, Usage
from tapes_app.engine.redaction import REDACTED, redact, register_secret
from tapes_app.llms.answer_builder import AnswerBuilder
from tapes_app.llms.context_limits import find_context_limit
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import compute_cost
from tapes_app.llms.provider_errors import ProviderError
from tapes_app.llms.rate_limits import (
    OwnRateLimit,
    RateLimit,
    read_retry_after,
    read_spent_limit,
    read_stated_wait,
)
from tapes_app.llms.reasoning import messages_for
from tapes_app.llms.repairs import Manners, Question

Chunks = AsyncGenerator[dict[str, Any], None]

LONGEST_WAIT_SECONDS = 30.0
_LONGEST_SPREAD_SECONDS = 5.0
"""Calls waiting for the same limit resume spread over this many seconds."""

_LOOK_AGAIN_SECONDS = 10.0
"""How long, at most, waiting calls take to notice that a limit no longer holds."""

_SHORTEST_PATIENCE_SECONDS = 1.0
"""A refusal that states at least this wait is not a failure: it is retried until the deadline."""

_LONGEST_REASON = 500
_TRANSIENT_STATUSES = frozenset({408, 409, 425, 429})
_SECRET_NAME = re.compile(r"key|secret|password|credential|headers|auth|token$", re.IGNORECASE)
_RETRY_AFTER = "retry_after_seconds"


class RemoteLLM:
    """Calls a provider. Subclasses open one stream of chunks; everything else is here.

    A request is repeated only as long as none of its answer has been passed on.
    """

    provider = "remote"

    def __init__(self, config: ModelConfig, rate_limit: RateLimit | None = None) -> None:
        self.config = config
        self._rate_limit = rate_limit or OwnRateLimit()
        self._manners = Manners(0)
        self.is_waiting = False
        """Whether the newest call was never sent: it waits for a rate limit, or did when it was
        stopped."""
        if config.api_key is not None:
            register_secret(config.api_key.get_secret_value())

    @property
    def model_name(self) -> str:
        return self.config.litellm_model

    @property
    def context_tokens(self) -> int | None:
        """How many tokens the model reads at once; `None` when unknown."""
        return find_context_limit(self.model_name)

    def describe(self) -> dict[str, Any]:
        return {
            "model_name": self.model_name,
            "provider": self.provider,
            "name": self.config.label,
            "parameters": hide_secrets(self.config.parameters),
        }

    async def prepare(self) -> None:
        """Load what the first request needs; counts neither as silence nor as time to answer."""

    def open_chunks(self, body: dict[str, Any]) -> Chunks:
        """Send one request and yield the chunks of its answer in OpenAI's wire format.

        Closing the generator closes the request. It raises `LLMError`, with `retry_after_seconds`
        in the details if the provider stated a time.
        """
        raise NotImplementedError

    @property
    def served_name(self) -> str:
        """The model's name at its provider."""
        return self.config.litellm_model

    def request_body(self, question: Question) -> dict[str, Any]:
        """Return the request in the fields of a streamed chat completion.

        The node's choices override the agent's, and those the model's.
        """
        prompt = question.prompt
        chosen = {**self.config.parameters, **(prompt.sampling or {})}
        effort = chosen.get("reasoning_effort")
        messages = messages_for(
            self.model_name, prompt.messages, base_url=self.config.base_url, effort=effort
        )
        body: dict[str, Any] = {
            **chosen,
            **question.token_fields,
            "model": self.served_name,
            "messages": question.manners.arrange(messages),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if Manners.NO_STREAM_OPTIONS in question.manners:
            del body["stream_options"]
        if prompt.tools:
            body["tools"] = [dict(tool) for tool in prompt.tools]
        if prompt.tool_choice:
            body["tool_choice"] = prompt.tool_choice
        if prompt.response_format:
            body.setdefault("response_format", prompt.response_format)  # a parameter overrides it
        return body

    def token_fields(self) -> dict[str, Any]:
        """Return the fields that request the tokens of an answer from a server."""
        return {"logprobs": True}

    async def price(self, usage: Usage) -> int | None:
        """Return the cost of a call in micro USD; `None` when a price is unknown."""
        return compute_cost(usage, self.config.prices) if self.config.prices else None

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        self.is_waiting = True
        await self.prepare()
        deadline = _now() + self.config.deadline_seconds
        token_fields = self.token_fields() if self.config.record_tokens else {}
        question = Question(prompt, token_fields, self._manners)
        while True:
            has_streamed = False
            try:
                async with aclosing(self._attempt(question, deadline)) as events:
                    async for event in events:
                        has_streamed = True
                        yield event
            except LLMError as error:
                self.is_waiting = False
                mended = None if has_streamed else question.repair(error)
                if mended is None:
                    raise
                question = mended
                self._manners |= mended.manners
            else:
                return

    async def _attempt(self, question: Question, deadline: float) -> AsyncGenerator[LLMEvent, None]:
        attempt, failures = 0, 0
        while True:
            await self._wait_for_limit(deadline)
            self.is_waiting = False
            attempt += 1
            answer = AnswerBuilder()
            try:
                async with aclosing(self.open_chunks(self.request_body(question))) as chunks:
                    while (chunk := await self._next_chunk(chunks, deadline)) is not None:
                        for delta in answer.add(chunk):
                            yield delta
                if not answer.is_complete:
                    raise self.connection_error("the answer ended without a finish reason")
            except LLMTransientError as error:
                failures += not _asks_for_patience(error)
                may_try = (
                    answer.is_empty
                    and failures < self.config.max_attempts
                    and question.repair(error) is None
                )
                await self._back_off(error, failures, deadline, may_try=may_try)
            else:
                yield LLMResult(
                    output=answer.build(),
                    usage=answer.usage,
                    cost_micro_usd=await self.price(answer.usage),
                    finish_reason=answer.finish_reason,
                    attempt_count=attempt,
                    tokens=answer.tokens.build(),
                )
                return

    async def _next_chunk(self, chunks: Chunks, deadline: float) -> dict[str, Any] | None:
        """Wait for the next chunk; return `None` at the end of the stream.

        Each wait has its own limit: a limit around the entire generator would also cancel whatever
        its reader does between two chunks.
        """
        silence = _now() + self.config.silence_seconds
        try:
            async with asyncio.timeout_at(min(silence, deadline)):
                return await anext(chunks, None)
        except TimeoutError:
            pass
        if _now() >= deadline:
            raise LLMDeadlineError(
                f"Model {self.config.label!r} did not finish within "
                f"{self.config.deadline_seconds:g} seconds; allow it more time under Models, or "
                "ask for less."
            )
        raise LLMTransientError(
            f"Model {self.config.label!r} sent nothing for {self.config.silence_seconds:g} "
            "seconds; try again, or allow a longer silence under Models."
        )

    async def _wait_for_limit(self, deadline: float) -> None:
        """Wait while the provider's rate limit holds, whichever request it refused.

        Raises:
            LLMTransientError: the wait would go past the deadline.
        """
        while (left := await self._rate_limit.read_seconds()) > 0:
            if _now() + left >= deadline:
                raise LLMTransientError(
                    f"Model {self.config.label!r} is at its rate limit for another {left:,.0f} "
                    "seconds, longer than an answer may take; try again later, or test it under "
                    "Models to ask immediately.",
                    **{_RETRY_AFTER: left},
                )
            spread = random.uniform(0, min(left / 4, _LONGEST_SPREAD_SECONDS))  # noqa: S311 - jitter
            await asyncio.sleep(min(left + spread, _LOOK_AGAIN_SECONDS))

    async def _back_off(
        self, error: LLMTransientError, failures: int, deadline: float, *, may_try: bool
    ) -> None:
        """Wait before the next attempt, for as long as the provider asked if it did.

        At a rate limit everything that calls this model waits, in `_wait_for_limit`.

        Raises:
            LLMTransientError: `error`, if no attempt is left, or the wait would go past the
                deadline.
        """
        asked = error.details.get(_RETRY_AFTER)
        if asked is None:
            longest = min(self.config.backoff_seconds * 2 ** (failures - 1), LONGEST_WAIT_SECONDS)
            seconds = longest * random.uniform(0.5, 1)  # noqa: S311 - jitter is not a secret
        else:
            seconds = float(asked)
        is_limit = error.details.get("status") == HTTPStatus.TOO_MANY_REQUESTS
        if is_limit and seconds > 0:
            await self._rate_limit.hold(seconds)
        if not may_try or _now() + seconds >= deadline:
            raise error
        if not is_limit:
            await asyncio.sleep(seconds)

    async def heed_limits(self, headers: Mapping[str, str]) -> None:
        """Make everything that calls this model wait if an answer reports an exhausted limit."""
        seconds = read_spent_limit(headers)
        if seconds:
            await self._rate_limit.hold(seconds)

    def clean(self, text: str) -> str:
        """Return a provider's text, shortened and without the key."""
        if self.config.api_key is not None and (key := self.config.api_key.get_secret_value()):
            text = text.replace(key, REDACTED)
        text = " ".join(redact(text).split())
        return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"

    def provider_error(
        self,
        error: ProviderError,
        *,
        http_status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> LLMError:
        """Return the error for what a provider reported: transient if retrying may help.

        `http_status`: the status of a refusal; `None` within a stream.
        """
        status = error.status_within(http_status)
        reported = self.clean(error.message) or "nothing"
        details: dict[str, Any] = {"status": status}
        if error.is_quota_spent:
            return LLMError(
                f"Model {self.config.label!r} answered {status}: {reported}; its quota is used up, "
                "so check the plan and the billing of its account.",
                **details,
            )
        received = headers or {}
        seconds = read_retry_after(received)
        if seconds is None:
            seconds = read_spent_limit(received)
        if seconds is None and status == HTTPStatus.TOO_MANY_REQUESTS:
            seconds = read_stated_wait(error.message)
        if seconds is not None:
            details[_RETRY_AFTER] = seconds
        if status in _TRANSIENT_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            is_limit = status == HTTPStatus.TOO_MANY_REQUESTS
            advice = "wait for its rate limit" if is_limit else "try again later"
            return LLMTransientError(
                f"Model {self.config.label!r} answered {status}: {reported}; {advice}.", **details
            )
        advice = {
            401: "check its key",
            403: "check the permissions of its key",
            404: "check its name and base URL",
        }.get(status, "check its name, its parameters and the prompt")
        return LLMError(
            f"Model {self.config.label!r} answered {status}: {reported}; {advice}.", **details
        )

    def connection_error(self, reason: str) -> LLMTransientError:
        return LLMTransientError(
            f"The connection to model {self.config.label!r} failed: "
            f"{self.clean(reason) or 'no reason given'}; check that its address is correct and "
            "the server is up."
        )


def _asks_for_patience(error: LLMTransientError) -> bool:
    """Return whether a provider is at its limit and states when to retry."""
    is_limit = error.details.get("status") == HTTPStatus.TOO_MANY_REQUESTS
    return is_limit and error.details.get(_RETRY_AFTER, 0) >= _SHORTEST_PATIENCE_SECONDS


def hide_secrets(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as a recorded call may store them: credentials blanked."""
    return {
        name: REDACTED if _SECRET_NAME.search(name) else value for name, value in parameters.items()
    }


def _now() -> float:
    return asyncio.get_running_loop().time()
