"""Environments: they answer actions with observations (paper 2.3).

Everything with side effects belongs here; agents stay pure.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tapes_app.engine.environment.actions import PendingAction, UnknownActionError
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.environment.tool_functions import AnyTool

Lifetime = Literal["run", "branch", "studio"]
"""How long an environment stays open: for one run; for all runs on a tape, also while one waits
for a person; or for all runs of a project. A worker that ends closes all of its own."""


class Environment:
    """Answers the actions of a tape. Subclasses define how to observe one action.

    One that needs something to be started first overrides `open`. What that yields answers the run,
    and is an environment too.
    """

    name = "environment"
    lifetime: Lifetime = "run"

    answers_anything: bool = False
    """Whether every action gets an answer here, including unknown kinds and tools."""

    isolation: ClassVar[str] = ""
    """What it keeps apart, as a sentence for people; empty where that does not matter."""

    offers: "ClassVar[Sequence[AnyTool]]" = ()
    """The tools that it answers whatever its settings are, for people who choose one."""

    identity: str = ""
    """Equal for environments made from the same type and settings; empty if made otherwise."""

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator["Environment"]:
        """Yield the environment that answers a run, and close it afterwards.

        It begins with `run.state`, wherever the run begins: on a new tape, after a person answered,
        or at a fork.
        """
        del run
        yield self

    async def check_health(self) -> str:
        """Return why an open environment can no longer answer, as a sentence; empty if it can."""
        return ""

    async def save_state(self) -> Mapping[str, Any]:
        """Return what another one must find in `run.state` to continue from here, as JSON.

        Called before and after every action. If the action changed it, its observation holds it as
        part of the environment's state; so actions that change it must not run together.
        """
        return {}

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        """Return the observations of one action, usually one.

        Raises:
            ExternalInputNeeded: somebody outside must answer first.
            UnknownActionError: this environment cannot answer it.
        """
        raise UnknownActionError(
            f"No environment here can answer a step of kind {pending.action.kind!r}.",
            kind=pending.action.kind,
        )

    async def react(self, tape: Tape) -> Tape:
        """Return the tape with an observation for every unfulfilled action, in their order.

        Raises:
            ExternalInputNeeded: somebody outside must answer one of them.
            UnknownActionError: one cannot be answered here.
        """
        from tapes_app.engine.environment.answering import AnswerStream

        answers = AnswerStream(self, tape)
        async for _ in answers:
            pass
        if answers.refusal is not None:
            raise answers.refusal
        return answers.tape

    def can_run_together(self, pending: PendingAction) -> bool:
        """Return whether this tool call may run in parallel with others of its message."""
        return False

    def can_be_stopped(self, pending: PendingAction) -> bool:
        """Return whether cancelling `observe` stops the work on an action; no thread stops."""
        return True

    def irreversible_tools(self) -> frozenset[str]:
        """Return the tools whose effects cannot be undone; a run asks before each call."""
        return frozenset()

    def answer_schema(self, pending: PendingAction) -> dict[str, Any] | None:
        """Return the JSON schema of the answer to an action; `None` = any text."""
        return None

    def tool_schemas(self) -> list[dict[str, object]]:
        """Return the tools offered to models, in chat-completions form."""
        return []


class NoEnvironment(Environment):
    """Answers nothing: for agents that only think."""


class EnvironmentGroup(Environment):
    """Asks each environment in turn until one can answer; all are opened and closed together."""

    def __init__(self, *environments: Environment) -> None:
        self.environments = environments
        self.answers_anything = any(member.answers_anything for member in environments)

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        async with AsyncExitStack() as stack:
            members = [
                await stack.enter_async_context(run.opened(one)) for one in self.environments
            ]
            yield EnvironmentGroup(*members)

    async def check_health(self) -> str:
        reasons = [await member.check_health() for member in self.environments]
        return next(filter(None, reasons), "")

    async def save_state(self) -> Mapping[str, Any]:
        state: dict[str, Any] = {}
        for member in self.environments:
            state.update(await member.save_state())
        return state

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        for environment in self.environments:
            try:
                return await environment.observe(pending, tape)
            except UnknownActionError:
                continue
        return await super().observe(pending, tape)

    def tool_schemas(self) -> list[dict[str, object]]:
        return [schema for member in self.environments for schema in member.tool_schemas()]

    def can_run_together(self, pending: PendingAction) -> bool:
        return any(member.can_run_together(pending) for member in self.environments)

    def can_be_stopped(self, pending: PendingAction) -> bool:
        return all(member.can_be_stopped(pending) for member in self.environments)

    def irreversible_tools(self) -> frozenset[str]:
        return frozenset().union(*(member.irreversible_tools() for member in self.environments))

    def answer_schema(self, pending: PendingAction) -> dict[str, Any] | None:
        found = (member.answer_schema(pending) for member in self.environments)
        return next((schema for schema in found if schema is not None), None)
