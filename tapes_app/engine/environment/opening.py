"""How environments are opened for a run, and closed: what they learn of it, and time limits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from tapes_app.engine.code_mistakes import describe_mistake
from tapes_app.engine.environment.state import read_state
from tapes_app.engine.environment.tool_context import RunPlace, current_run
from tapes_app.engine.errors import AgentConfigError, AgentRunError, StudioError
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from pathlib import Path

    from tapes_app.engine.environment.environment import Environment

OPEN_SECONDS = 120.0
"""How long an environment may take to open."""

CLOSE_SECONDS = 10.0
"""How long one may take to close; the run does not wait any longer."""

_PROCESS_KEY = token_bytes(32)

logger = logging.getLogger(__name__)

Opened = AbstractAsyncContextManager["Environment"]


@asynccontextmanager
async def open_for_run(environment: Environment, run: RunContext) -> AsyncIterator[Environment]:
    """Open an environment, and close it at the end, however that comes.

    Raises:
        AgentCodeError: its code failed while it opened.
        AgentRunError: it did not open in time.
    """
    async with AsyncExitStack() as stack:
        limit = asyncio.timeout(OPEN_SECONDS)
        try:
            async with limit:
                opened = await stack.enter_async_context(environment.open(run))
        except StudioError:
            raise
        except TimeoutError as error:
            if not limit.expired():  # its own, and not this limit
                raise describe_mistake(_describe(environment, "open"), error) from error
            raise AgentRunError(
                f"{_describe(environment, 'open')} had not finished after {OPEN_SECONDS:g} "
                "seconds; resume to try again."
            ) from error
        except Exception as error:
            raise describe_mistake(_describe(environment, "open"), error) from error
        rest = stack.pop_all()
        try:
            yield opened
        finally:
            await _close(environment, rest)


async def _close(environment: Environment, stack: AsyncExitStack) -> None:
    """Close an environment; a failure is logged, since what the run did is on its tape."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await stack.aclose()
    except Exception:
        logger.exception("%s failed", _describe(environment, "close"))


def _describe(environment: Environment, verb: str) -> str:
    return f"Environment {environment.name!r}, asked to {verb},"


def _no_secret(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class RunContext:
    """The run for which an environment is opened; without arguments, that of a script or a test."""

    tape: Tape = field(default_factory=Tape, repr=False)
    """The tape as the run found it."""

    place: RunPlace | None = field(default_factory=current_run.get)
    """The run and its project; `None` outside a studio."""

    find_secret: Callable[[str], str | None] = field(default=_no_secret, repr=False)
    process_notes: Path | None = None
    """The folder that lists the processes to end if this one is killed; see `process_group`."""

    state_key: bytes = field(default=_PROCESS_KEY, repr=False)
    """Signs what an environment must not take from the state of a tape of somebody else; outside a
    studio it is that of this process."""

    open_one: Callable[[Environment, RunContext], Opened] = field(default=open_for_run, repr=False)
    """Opens an environment, or joins one that is kept open for longer than a run."""

    @property
    def state(self) -> dict[str, Any]:
        """The environment's state at the end of the tape, which is where the run begins."""
        return read_state(self.tape.steps) or {}

    def read_secret(self, name: str) -> str:
        """Return the secret that a setting names.

        Raises:
            AgentConfigError: there is none of this name.
        """
        value = self.find_secret(name)
        if not value:
            raise AgentConfigError(
                f"The environment needs a secret from the variable {name!r}, which is not set; "
                "set it and restart the studio.",
                variable=name,
            )
        return value

    def opened(self, environment: Environment) -> Opened:
        """Return a context in which an environment is open: how those with members open them."""
        return self.open_one(environment, self)
