"""LLMs that draw on a budget: a call that does not fit is not sent."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.errors import CallRefusedError, LLMError
from tapes_app.engine.model.llm import LLM, LLMEvent, LLMResult, Prompt, Usage, is_unsent
from tapes_app.engine.model.prompt_length import estimate_tokens
from tapes_app.jobs.services.context import JobContext
from tapes_app.llms.wrapping import WrappingLLM
from tapes_app.runs.domain.reservations import NOTHING, Cost, Obstacle, Reservation
from tapes_app.runs.store import budgets as storage

_FIRST_WAIT_SECONDS = 0.05
_LONGEST_WAIT_SECONDS = 1.0
"""How often a call asks again whether there is room; the calls in progress take about as long."""

_LIMITS_OF_ANSWERS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


class BudgetedLLM(WrappingLLM):
    """Reserves each call of a model before it is sent, and settles it afterwards.

    A call that is cut off counts as what was reserved, since its provider reports nothing; one that
    the provider refuses counts as a call that cost nothing, and one that was stopped before it was
    sent is none.
    """

    def __init__(self, llm: LLM, budget_id: UUID, context: JobContext) -> None:
        super().__init__(llm)
        self._budget_id = budget_id
        self._context = context
        self._longest: int | None = None
        """Tokens of the longest answer of the model so far, as far as is known here."""
        self._waits_for_room = False
        """Also of a call that was stopped while it waited."""

    @property
    def is_waiting(self) -> bool:
        return self._waits_for_room or super().is_waiting

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        key = str(uuid4())
        reserved = await self._wait_for_room(key, prompt)
        unsettled: Cost | None = reserved
        events = self._llm.stream(prompt)
        try:
            async for event in events:
                if isinstance(event, LLMResult):
                    unsettled = None
                    self._settle(key, _read_cost(event, reserved), event.usage.output_tokens)
                yield event
        except LLMError:
            if unsettled is not None:
                unsettled = Cost(calls=1)
            raise
        finally:
            if unsettled is not None:
                self._settle(key, NOTHING if is_unsent(self._llm) else unsettled, None)
            if isinstance(events, AsyncGenerator):
                await events.aclose()  # stops the live request when the reader stops

    async def _wait_for_room(self, key: str, prompt: Prompt) -> Cost:
        self._waits_for_room = True
        try:
            reserved = await self._reserve(key, prompt)
        except asyncio.CancelledError:
            self._settle(key, NOTHING, None)  # it may just have been reserved, and is not sent
            raise
        self._waits_for_room = False
        return reserved

    async def _reserve(self, key: str, prompt: Prompt) -> Cost:
        """Wait until a call fits; return what was reserved for it.

        Raises:
            CallRefusedError: it does not fit, and will not.
        """
        wait = _FIRST_WAIT_SECONDS
        while True:
            wanted = await self._estimate(prompt)
            obstacle = await self._try(key, wanted)
            if obstacle is None:
                return wanted.cost
            if obstacle.is_final:
                cost = wanted.cost
                raise CallRefusedError(
                    obstacle.reason, tokens=cost.tokens, micro_usd=cost.micro_usd
                )
            longest = obstacle.longest_answer
            if longest is not None and longest > (self._longest or -1):
                self._longest = longest
                continue
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT_SECONDS)

    async def _try(self, key: str, wanted: Reservation) -> Obstacle | None:
        found: list[Obstacle | None] = []
        await self._context.commit(
            lambda: found.append(storage.reserve(self._budget_id, key, wanted))
        )
        return found[-1]

    def _settle(self, key: str, used: Cost, answer_tokens: int | None) -> None:
        if answer_tokens is not None:
            self._longest = max(answer_tokens, self._longest or 0)
        work = partial(storage.settle, self._budget_id, key, used, answer_tokens)
        self._context.commit_soon(work)

    async def _estimate(self, prompt: Prompt) -> Reservation:
        """Return what a call will probably take."""
        job, own = self._context.job, self._llm.describe().get("parameters") or {}
        limit = _find_limit(prompt.sampling or {}) or _find_limit(own)
        expected = limit or self._longest
        asked, answer = estimate_tokens(prompt), expected or 0
        price = getattr(self._llm, "price", None)
        money = await price(Usage(input_tokens=asked, output_tokens=answer)) if price else None
        return Reservation(
            job.id,
            job.attempt,
            self.model_name,
            Cost(asked + answer, money or 0, 1),
            expected_tokens=expected,
            has_limit=limit is not None,
        )


def with_budget(agent: Agent, budget_id: UUID | None, context: JobContext) -> Agent:
    """Return an agent whose models draw on a budget."""
    if budget_id is None:
        return agent
    llms = {name: BudgetedLLM(llm, budget_id, context) for name, llm in agent.llms.items()}
    members = tuple(with_budget(member, budget_id, context) for member in agent.subagents)
    return agent.model_copy(update={"llms": llms, "subagents": members})


def _find_limit(parameters: dict[str, Any]) -> int | None:
    """Return how many tokens an answer may have at most, if the parameters say so."""
    found = (parameters.get(name) for name in _LIMITS_OF_ANSWERS)
    return next((one for one in found if isinstance(one, int) and one > 0), None)


def _read_cost(result: LLMResult, reserved: Cost) -> Cost:
    """Return what a call used; what its provider does not report counts as reserved."""
    usage = result.usage
    is_counted = usage.input_tokens is not None and usage.output_tokens is not None
    tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
    money = result.cost_micro_usd
    return Cost(
        tokens if is_counted else reserved.tokens,
        reserved.micro_usd if money is None else money,
        1,
    )
