"""Environments around another one."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from typing import Any, Self

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape


class WrapperEnvironment(Environment):
    """Answers as the environment inside; subclasses override what they change.

    Opening it opens the one inside, which may stay open for longer than the wrapper.
    """

    def __init__(self, inner: Environment) -> None:
        self.inner = inner
        self.name = inner.name
        self.answers_anything = inner.answers_anything

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        async with run.opened(self.inner) as opened:
            yield self._around(opened)

    def _around(self, opened: Environment) -> Self:
        wrapper = copy(self)
        wrapper.inner = opened
        return wrapper

    async def check_health(self) -> str:
        return await self.inner.check_health()

    async def save_state(self) -> Mapping[str, Any]:
        return await self.inner.save_state()

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        return await self.inner.observe(pending, tape)

    def can_run_together(self, pending: PendingAction) -> bool:
        return self.inner.can_run_together(pending)

    def can_be_stopped(self, pending: PendingAction) -> bool:
        return self.inner.can_be_stopped(pending)

    def irreversible_tools(self) -> frozenset[str]:
        return self.inner.irreversible_tools()

    def answer_schema(self, pending: PendingAction) -> dict[str, Any] | None:
        return self.inner.answer_schema(pending)

    def tool_schemas(self) -> list[dict[str, object]]:
        return self.inner.tool_schemas()
