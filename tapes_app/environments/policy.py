"""Which side effects a run may have: replay, live, mock or ask, per tool."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, assert_never

from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.wrapper import WrapperEnvironment
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolResult
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

Policy = Literal["replay", "live", "mock", "ask"]

UseApproval = Callable[[PendingAction], Awaitable[bool]]
"""Uses up a person's approval of an action, if there is one; each can be used once."""


async def never_approved(_: PendingAction) -> bool:
    return False


class PolicyEnvironment(WrapperEnvironment):
    """Decides who answers an action, by its tool's name or else by its kind.

    `replay` uses the recorded observation, `live` carries out the action, `mock` gives a prepared
    answer, `ask` waits for a person, who enters the result or approves the action once.

    A tool that cannot be undone is live only if it is named; by default it asks. Actions that can
    be neither replayed nor mocked ask too. What an agent says to a person is not a tool: it is
    affected only if its kind is named.
    """

    def __init__(
        self,
        live: Environment,
        policies: Mapping[str, Policy],
        *,
        default: Policy = "live",
        recorded: Environment | None = None,
        mocks: Mapping[str, Any] | None = None,
        use_approval: UseApproval = never_approved,
    ) -> None:
        super().__init__(live)
        self._policies = dict(policies)
        self._default: Policy = default
        self._recorded = recorded
        self._mocks = dict(mocks or {})
        self._use_approval = use_approval

    def can_run_together(self, pending: PendingAction) -> bool:
        return self.policy_of(pending) == "live" and super().can_run_together(pending)

    def policy_of(self, pending: PendingAction) -> Policy:
        named = self._policies.get(pending.name)
        if named is not None:
            return named
        if isinstance(pending.action, AssistantStep):
            return "live"
        is_grave = pending.name in self.irreversible_tools()
        return "ask" if is_grave and self._default == "live" else self._default

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        policy = self.policy_of(pending)
        match policy:
            case "live":
                return await self.inner.observe(pending, tape)
            case "replay":
                return await self._replay(pending, tape)
            case "mock":
                return await self._mock(pending, tape)
            case "ask":
                return await self._ask(pending, tape, "needs your approval")
            case _:
                assert_never(policy)

    async def _replay(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if self._recorded is not None:
            try:
                return await self._recorded.observe(pending, tape)
            except UnknownActionError:
                pass
        return await self._ask(pending, tape, "is not in the recording")

    async def _mock(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if pending.name not in self._mocks:
            return await self._ask(pending, tape, "has no mock answer")
        answer = self._mocks[pending.name]
        if isinstance(answer, Step):
            return [answer]
        call_id = pending.tool_call.id if pending.tool_call is not None else ""
        return [ToolResult(content=answer, tool_call_id=call_id)]

    async def _ask(self, pending: PendingAction, tape: Tape, why: str) -> Sequence[Step]:
        """Carry out the action if a person approved it; otherwise wait for the person."""
        if await self._use_approval(pending):
            return await self.inner.observe(pending, tape)
        raise ExternalInputNeeded(
            f"{pending.name!r} {why}: let it run once, or enter its result.",
            data_schema=self.inner.answer_schema(pending),
            can_approve=True,
        )
