"""Environments: they answer actions with observations (paper 2.3).

Everything with side effects belongs here; agents stay pure.
"""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal, NamedTuple

from tapes_app.engine.dialog_steps import PARSING_FAILURE, ToolCall, ToolCalls, ToolResult
from tapes_app.engine.errors import StudioError
from tapes_app.engine.opening import RunContext
from tapes_app.engine.steps import Step, ends_tape, family_of, new_id
from tapes_app.engine.tape import Tape


class ExternalInputNeeded(StudioError):  # noqa: N818 - a request, not a failure
    """An action waits for somebody outside, such as a person; the run can continue later.

    Details, all optional: `data_schema`, the answer's JSON schema; `answer_kind`, the kind of step
    that such data become; `can_approve`, when a person may instead allow the action to be carried
    out.
    """

    code = "external_input_needed"
    status = 409


class UnknownActionError(StudioError):
    """No environment here can answer this action."""

    code = "unknown_action"
    status = 409


class PendingAction(NamedTuple):
    """An action without its observation; `tool_call` is set for one call of a `ToolCalls`."""

    position: int
    action: Step
    tool_call: ToolCall | None = None

    @property
    def name(self) -> str:
        """The name of the called tool, or the kind of any other action."""
        return self.tool_call.function.name if self.tool_call is not None else self.action.kind

    @property
    def key(self) -> str:
        """A key that identifies this action, or this call of it, on its tape."""
        return f"{self.position}:{self.tool_call.id if self.tool_call is not None else ''}"


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
        from tapes_app.engine.answering import AnswerStream

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


def sign(step: Step) -> Step:
    """Give an observation its own id."""
    return step if step.metadata.id else step.with_metadata(id=new_id())


def wants_answer(step: Step) -> bool:
    """Return whether an environment must answer a step; nodes handle parsing failures."""
    return ends_turn(step) and not ends_tape(step)


def ends_turn(step: Step) -> bool:
    """Return whether a step ends the turn after its node run, as every action does."""
    return family_of(step) == "action" and step.kind != PARSING_FAILURE


def unfulfilled_actions(tape: Tape) -> list[PendingAction]:
    """Return the actions at the end of the tape that have no observation yet.

    Only actions after the last finished exchange count, so that resuming an edited tape never
    repeats what was already done. Tool calls are matched by id, and by order where two share
    one; other actions by order.
    """
    # Indexed from the end, never over all steps: a run calls this every turn.
    end = len(tape)
    start = end
    while start > 0 and family_of(tape[start - 1]) == "observation":
        start -= 1
    observations = [tape[position] for position in range(start, end)]
    turn = start
    while turn > 0 and family_of(tape[turn - 1]) != "observation":
        turn -= 1
    pending: list[PendingAction] = []
    for position in range(turn, start):
        step = tape[position]
        if wants_answer(step):
            pending.extend(split_action(position, step))
    return _unanswered(pending, observations)


def split_action(position: int, step: Step) -> list[PendingAction]:
    """Return an action, or each call of a `ToolCalls`, as waiting for an answer."""
    if isinstance(step, ToolCalls):
        return [PendingAction(position, step, call) for call in step.tool_calls]
    return [PendingAction(position, step)]


def _unanswered(pending: list[PendingAction], observations: list[Step]) -> list[PendingAction]:
    answers = Counter(step.tool_call_id for step in observations if isinstance(step, ToolResult))
    others = sum(
        1 for step in observations if not (isinstance(step, ToolResult) and step.tool_call_id)
    )
    left: list[PendingAction] = []
    for item in pending:
        if item.tool_call is not None and item.tool_call.id:
            answers[item.tool_call.id] -= 1
            if answers[item.tool_call.id] < 0:
                left.append(item)
        elif others:
            others -= 1
        else:
            left.append(item)
    return left


def is_finished(tape: Tape) -> bool:
    """Return whether the session is over: its last agent step is a stop step."""
    for position in range(len(tape) - 1, -1, -1):
        step = tape[position]
        if ends_tape(step):
            return True
        if family_of(step) in ("observation", "action"):
            return False
    return False
