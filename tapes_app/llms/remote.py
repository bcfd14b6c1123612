"""What every model behind a network shares: attempts, deadline, deltas, cost, clean errors."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Self

from tapes_app.engine.answer_schema import ask_in_words
from tapes_app.engine.errors import LLMDeadlineError, LLMError, LLMTransientError
from tapes_app.engine.llm import LLMEvent, LLMResult, Prompt, Usage
from tapes_app.engine.redaction import REDACTED, redact, register_secret
from tapes_app.engine.sound_messages import merge_turns
from tapes_app.llms.answer_builder import AnswerBuilder
from tapes_app.llms.context_limits import find_context_limit
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import compute_cost
from tapes_app.llms.rate_limits import (
    OwnRateLimit,
    RateLimit,
    read_retry_after,
    read_spent_limit,
)
from tapes_app.llms.reasoning import messages_for

Chunks = AsyncGenerator[dict[str, Any], None]

LONGEST_WAIT_SECONDS = 30.0
_LONGEST_SPREAD_SECONDS = 5.0
"""Those that waited for one limit come back within so long, and not all at once."""

_LOOK_AGAIN_SECONDS = 10.0
"""How late those that wait hear at most that a limit holds no longer."""

_SHORTEST_PATIENCE_SECONDS = 1.0
"""A refusal that names a wait from here on is no failure: it is asked again until the deadline."""

_LONGEST_REASON = 500
_TRANSIENT_STATUSES = frozenset({408, 409, 425, 429})
_SECRET_NAME = re.compile(r"key|secret|password|credential|headers|auth|token$", re.IGNORECASE)
_TURNS = re.compile(r"\b(alternat|interleav|successive|consecutive)", re.IGNORECASE)
_REFUSALS = frozenset({400, 404, 422})
_FORM_WORDS = ("response_format", "json_schema")
_RETRY_AFTER = "retry_after_seconds"
_QUOTA_USED_UP = "insufficient_quota"


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, and what is asked for beside it as long as nobody refuses it."""

    prompt: Prompt
    token_fields: Mapping[str, Any]

    def without_refused(self, error: LLMError) -> Self | None:
        """Return what to ask instead where a provider takes one of the extras not; or `None`."""
        if error.details.get("status") not in _REFUSALS:
            return None
        if self.prompt.response_format and any(word in error.message for word in _FORM_WORDS):
            return replace(self, prompt=ask_in_words(self.prompt))
        left = {name: on for name, on in self.token_fields.items() if name not in error.message}
        return replace(self, token_fields=left) if len(left) < len(self.token_fields) else None


class RemoteLLM:
    """Asks a provider. Subclasses open one stream of chunks; everything else is here.

    A request is repeated only while nothing of its answer was passed on.
    """

    provider = "remote"

    def __init__(self, config: ModelConfig, rate_limit: RateLimit | None = None) -> None:
        self.config = config
        self._rate_limit = rate_limit or OwnRateLimit()
        self._wants_turns = False
        if config.api_key is not None:
            register_secret(config.api_key.get_secret_value())

    @property
    def model_name(self) -> str:
        return self.config.litellm_model

    @property
    def context_tokens(self) -> int | None:
        """How many tokens the model reads at once; `None` when nobody knows."""
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
        """Send one request and give the chunks of its answer in OpenAI's wire format.

        Closing the generator closes the request. It raises `LLMError`, with
        `retry_after_seconds` in the details where the provider named a time.
        """
        raise NotImplementedError

    @property
    def served_name(self) -> str:
        """The model's name as whoever is asked knows it."""
        return self.config.litellm_model

    def request_body(self, question: Question) -> dict[str, Any]:
        """Return what is asked, in the fields of a streamed chat completion.

        The node goes over its agent, and the agent over the model. Where the model once refused
        two messages of one role in a row, they are one.
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
            "messages": merge_turns(messages) if self._wants_turns else messages,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if prompt.tools:
            body["tools"] = [dict(tool) for tool in prompt.tools]
        if prompt.tool_choice:
            body["tool_choice"] = prompt.tool_choice
        if prompt.response_format:
            body.setdefault("response_format", prompt.response_format)  # a parameter goes over it
        return body

    def token_fields(self) -> dict[str, Any]:
        """Return what asks a server for the tokens of its answer."""
        return {"logprobs": True}

    async def price(self, usage: Usage) -> int | None:
        """Return the cost of a call in micro USD; `None` when a price is unknown."""
        return compute_cost(usage, self.config.prices) if self.config.prices else None

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        await self.prepare()
        deadline = _now() + self.config.deadline_seconds
        question = Question(prompt, self.token_fields() if self.config.record_tokens else {})
        while True:
            try:
                async with aclosing(self._attempt(question, deadline)) as events:
                    async for event in events:
                        yield event
            except LLMError as error:
                question = self._ask_otherwise(question, error)
            else:
                return

    def _ask_otherwise(self, question: Question, error: LLMError) -> Question:
        """Return what the provider may take where it refused the form of a prompt or an extra.

        Raises:
            LLMError: it refused something else.
        """
        simpler = question.without_refused(error)
        if simpler is not None:
            return simpler
        if not self._wants_turns and _refuses_turns(error):
            self._wants_turns = True
            return question
        raise error

    async def _attempt(self, question: Question, deadline: float) -> AsyncGenerator[LLMEvent, None]:
        attempt, failures = 0, 0
        while True:
            await self._wait_for_limit(deadline)
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
                may_try = answer.is_empty and failures < self.config.max_attempts
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
        """Wait for the next chunk; the end of the stream is `None`.

        Each wait has its own limit: a limit around the whole generator would also cancel
        whatever its reader does between two chunks.
        """
        silence = _now() + self.config.silence_seconds
        try:
            async with asyncio.timeout_at(min(silence, deadline)):
                return await anext(chunks, None)
        except TimeoutError:
            pass
        if _now() >= deadline:
            raise self._deadline_error()
        raise LLMTransientError(
            f"Model {self.config.label!r} sent nothing for {self.config.silence_seconds:g} "
            "seconds; try again, or allow a longer silence under Models."
        )

    async def _wait_for_limit(self, deadline: float) -> None:
        """Wait while the provider, which refused this or another request, wants to be left alone.

        Raises:
            LLMTransientError: that goes past the deadline.
        """
        while (left := await self._rate_limit.read_seconds()) > 0:
            if _now() + left >= deadline:
                raise LLMTransientError(
                    f"Model {self.config.label!r} is at its rate limit for another {left:,.0f} "
                    "seconds, longer than an answer may take; try again later, or test it under "
                    "Models to ask at once.",
                    **{_RETRY_AFTER: left},
                )
            spread = random.uniform(0, min(left / 4, _LONGEST_SPREAD_SECONDS))  # noqa: S311 - jitter
            await asyncio.sleep(min(left + spread, _LOOK_AGAIN_SECONDS))

    async def _back_off(
        self, error: LLMTransientError, failures: int, deadline: float, *, may_try: bool
    ) -> None:
        """Wait before the next attempt, as long as the provider asked for if it did.

        At a rate limit all that ask this model wait, which `_wait_for_limit` does.

        Raises:
            LLMTransientError: `error`, where no attempt is left, or the wait would go past the
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
        """Let all that ask this model wait where an answer says that nothing of a limit is left."""
        seconds = read_spent_limit(headers)
        if seconds:
            await self._rate_limit.hold(seconds)

    def _deadline_error(self) -> LLMDeadlineError:
        return LLMDeadlineError(
            f"Model {self.config.label!r} did not finish within "
            f"{self.config.deadline_seconds:g} seconds; allow it more time under Models, or ask "
            "for less."
        )

    def clean(self, text: str) -> str:
        """Return a provider's words shortened and without the key."""
        if self.config.api_key is not None and (key := self.config.api_key.get_secret_value()):
            text = text.replace(key, REDACTED)
        text = " ".join(redact(text).split())
        return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"

    def status_error(
        self, status: int, reason: str, *, code: str = "", headers: Mapping[str, str] | None = None
    ) -> LLMError:
        """Return the error for an HTTP status: transient where trying again may help.

        `code`: what the provider calls the error, beside its words.
        """
        said = self.clean(reason) or "nothing"
        details: dict[str, Any] = {"status": status}
        if _QUOTA_USED_UP in code:
            return LLMError(
                f"Model {self.config.label!r} answered {status}: {said}; its quota is used up, "
                "so check the plan and the billing of its account.",
                **details,
            )
        told = headers or {}
        seconds = read_retry_after(told)
        if seconds is None:
            seconds = read_spent_limit(told)
        if seconds is not None:
            details[_RETRY_AFTER] = seconds
        if status in _TRANSIENT_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            is_limit = status == HTTPStatus.TOO_MANY_REQUESTS
            advice = "wait for its rate limit" if is_limit else "try again later"
            return LLMTransientError(
                f"Model {self.config.label!r} answered {status}: {said}; {advice}.", **details
            )
        advice = {
            401: "check its key",
            403: "check the permissions of its key",
            404: "check its name and base URL",
        }.get(status, "check its name, its parameters and the prompt")
        return LLMError(
            f"Model {self.config.label!r} answered {status}: {said}; {advice}.", **details
        )

    def connection_error(self, reason: str) -> LLMTransientError:
        return LLMTransientError(
            f"The connection to model {self.config.label!r} failed: "
            f"{self.clean(reason) or 'no reason given'}; check that its address is correct and "
            "the server is up."
        )


def _refuses_turns(error: LLMError) -> bool:
    """Tell whether a model, or the template of one, wants the roles of messages to alternate."""
    status = error.details.get("status")
    return isinstance(status, int) and _TURNS.search(error.message) is not None


def _asks_for_patience(error: LLMTransientError) -> bool:
    """Tell whether a provider is at its limit and says when to come back."""
    is_limit = error.details.get("status") == HTTPStatus.TOO_MANY_REQUESTS
    return is_limit and error.details.get(_RETRY_AFTER, 0) >= _SHORTEST_PATIENCE_SECONDS


def hide_secrets(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as a recorded call may remember them: credentials blanked."""
    return {
        name: REDACTED if _SECRET_NAME.search(name) else value for name, value in parameters.items()
    }


def _now() -> float:
    return asyncio.get_running_loop().time()
