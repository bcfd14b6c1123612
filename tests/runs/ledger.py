"""An environment that is opened, with a count as its state, for tests of its life."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, ClassVar

from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment, Lifetime
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.process_groups import process_group
from tapes_app.engine.environment.spec import (
    EnvironmentSettings,
    EnvironmentSpec,
    SecretName,
    environments,
)
from tapes_app.engine.tape.dialog_steps import ToolResult
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tests.runs.tool_plugin import build_tool_agent

NAME = "test-ledger"

LIFE: list[str] = []
"""What happened to the ledgers of this process, in order."""


class LedgerSettings(EnvironmentSettings):
    lifetime: Lifetime = "run"
    by: int = 1
    """What each `add` adds."""

    key: SecretName | None = None
    has_program: bool = False
    """Whether it starts a program, which would run for an hour."""


class Ledger(Environment):
    name = "ledger"

    def __init__(self, settings: LedgerSettings) -> None:
        self.settings = settings
        self.lifetime = settings.lifetime

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        if self.settings.key is not None:
            LIFE.append(f"key {run.read_secret(self.settings.key)}")
        session = OpenLedger(self.settings.by, run.state.get("count", 0))
        async with AsyncExitStack() as stack:
            if self.settings.has_program:
                program = process_group(["sleep", "3600"], notes=run.process_notes)
                await stack.enter_async_context(program)
            LIFE.append(f"opened at {session.count}")
            try:
                yield session
            finally:
                LIFE.append(f"closed at {session.count}")


class OpenLedger(Environment):
    name = "ledger"
    is_ill: ClassVar[bool] = False

    def __init__(self, by: int, count: int) -> None:
        self.by, self.count = by, count

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if pending.tool_call is None or pending.name not in ("add", "spill"):
            return await super().observe(pending, tape)
        if pending.name == "spill":
            raise RuntimeError("ink everywhere")
        self.count += self.by
        return [ToolResult(content=str(self.count), tool_call_id=pending.tool_call.id)]

    async def save_state(self) -> Mapping[str, Any]:
        return {"count": self.count}

    async def check_health(self) -> str:
        return "It is ill." if self.is_ill else ""


environments.add(NAME, Ledger)


def build_bookkeeper(**settings: Any) -> AgentSpec:
    """Return the agent that calls the tools it is told to, with a ledger before its other tools."""
    ledger = EnvironmentSpec(type=NAME, settings=settings)
    return build_tool_agent().model_copy(update={"environment": (ledger, "test-tools")})
