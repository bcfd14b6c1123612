"""Which side effects a run may have: what its person chose per tool, and the agent's rules."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple, assert_never

from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import Opened, RunContext
from tapes_app.engine.environment.tool_environment import ToolEnvironment, tool_error
from tapes_app.engine.environment.tool_rules import (
    RuleAction,
    ToolRule,
    describe_rule,
    find_ruling,
    fits_name,
    list_calls,
    read_arguments,
)
from tapes_app.engine.environment.wrapper import WrapperEnvironment
from tapes_app.engine.tape.dialog_steps import ActionFailure, AssistantStep, ToolResult
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.emulated import AskedCall, Emulator, ScriptedEmulator

Policy = Literal["replay", "live", "mock", "ask", "deny", "emulate"]

_POLICIES: Final[dict[RuleAction, Policy]] = {
    "allow": "live",
    "deny": "deny",
    "ask": "ask",
    "replace": "mock",
    "emulate": "emulate",
}

RULED_BY: Final = "tool_rule"
"""Where the metadata of an observation names the rule that gave it instead of the tool."""

UseApproval = Callable[[PendingAction], Awaitable[bool]]
"""Uses up a person's approval of an action, if there is one; each can be used once."""


async def never_approved(_: PendingAction) -> bool:
    return False


class Decision(NamedTuple):
    """What becomes of an action."""

    policy: Policy
    rule: ToolRule | None = None
    """The agent's rule that decided it; `None`: the choice for the run."""


class PolicyEnvironment(WrapperEnvironment):
    """Decides what becomes of an action: by the agent's rules and by what was chosen for the run.

    `replay` uses the recorded observation, `live` carries out the action, `mock` gives a prepared
    answer, `ask` waits for a person, who enters the result or approves the action once, `deny`
    refuses it, which the agent reads, and `emulate` lets a model or a script answer as the tool
    would.

    What the agent's rules deny is denied whatever was chosen. Otherwise a choice for the tool by
    its name comes first, then the first rule that matches, then the default. A rule that allows,
    asks or emulates is about really running the tool: it changes nothing where the default does not
    run it.

    A tool that cannot be undone is live only if it is named or allowed; by default it asks. Actions
    that can be neither replayed, mocked nor emulated ask too. What an agent says to a person is not
    a tool: it is affected only if its kind is named.
    """

    def __init__(
        self,
        live: Environment,
        policies: Mapping[str, Policy],
        *,
        rules: Sequence[ToolRule] = (),
        default: Policy = "live",
        recorded: Environment | None = None,
        mocks: Mapping[str, Any] | None = None,
        emulator: Emulator | None = None,
        declared: Sequence[Mapping[str, Any]] = (),
        use_approval: UseApproval = never_approved,
    ) -> None:
        """Without an `emulator`, a script emulates.

        `declared`: what is known of tools that the environment does not offer, in chat-completions
        form.
        """
        super().__init__(live)
        self._policies = dict(policies)
        self._rules = tuple(rules)
        self._default: Policy = default
        self._recorded = recorded
        self._mocks = dict(mocks or {})
        self._emulator = emulator or ScriptedEmulator()
        self._declared = tuple(declared)
        self._use_approval = use_approval

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        """Yield the policy around the open environment.

        Tools that are all emulated are not opened: what they come from, such as a server, may be
        gone.
        """

        def open_one(environment: Environment, of_run: RunContext) -> Opened:
            if isinstance(environment, ToolEnvironment) and self._emulates_all_of(environment):
                return nullcontext(environment)
            is_shared = environment.lifetime != "run"  # with runs that emulate nothing
            return run.open_one(environment, run if is_shared else of_run)

        async with super().open(replace(run, open_one=open_one)) as opened:
            yield opened

    def _emulates_all_of(self, environment: ToolEnvironment) -> bool:
        return bool(environment.tools) and all(
            self._always_emulates(tool.name) for tool in environment.tools
        )

    def _always_emulates(self, name: str) -> bool:
        """Return whether every call of a tool that gets an answer is emulated, whatever it says."""
        if name in self._policies or self._default != "live":
            return self._policies.get(name, self._default) == "emulate"
        rule = next((rule for rule in self._rules if fits_name(rule.tool, name)), None)
        return (
            rule is not None
            and rule.action == "emulate"
            and not (rule.agent or rule.arguments or rule.reads_tape)
        )

    def can_run_together(self, pending: PendingAction) -> bool:
        if any(rule.reads_tape and rule.names(pending) for rule in self._rules):
            return False  # what the others answer may decide
        return self.decide(pending, ()).policy == "live" and super().can_run_together(pending)

    def decide(self, pending: PendingAction, steps: Sequence[Step]) -> Decision:
        """Return what becomes of an action at the end of the steps."""
        ruling = find_ruling(self._rules, steps, pending)
        rule = None if ruling is None else ruling.rule
        if rule is not None and rule.action == "deny":
            return Decision("deny", rule)
        named = self._policies.get(pending.name)
        if named is not None:
            return Decision(named)
        if rule is not None and (rule.action == "replace" or self._default == "live"):
            return Decision(_POLICIES[rule.action], rule)
        if isinstance(pending.action, AssistantStep):
            return Decision("live")
        is_grave = rule is None and pending.name in self.irreversible_tools()
        return Decision("ask" if is_grave and self._default == "live" else self._default)

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        policy, rule = self.decide(pending, tape.steps)
        match policy:
            case "live":
                return await self.inner.observe(pending, tape)
            case "replay":
                return await self._replay(pending, tape)
            case "mock" if rule is not None:
                return [_by_rule(_answer(pending, rule.answer), rule)]
            case "mock":
                return await self._mock(pending, tape)
            case "ask":
                because = f" ({rule.reason})" if rule is not None and rule.reason else ""
                return await self._ask(pending, tape, f"needs your approval{because}")
            case "deny":
                return [_refuse(pending, rule)]
            case "emulate":
                return await self._emulate(pending, tape)
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
        return [_answer(pending, self._mocks[pending.name])]

    async def _emulate(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        call = pending.tool_call
        if call is None:
            return await self._ask(pending, tape, "is no tool, so it cannot be emulated")
        asked = AskedCall(
            call,
            arguments=read_arguments(pending),
            tool=self._describe(pending.name),
            result_schema=self.inner.answer_schema(pending),
            earlier=[
                earlier
                for earlier in list_calls(tape.steps)
                if earlier.pending.name == pending.name
                and earlier.answer is not None
                and RULED_BY not in earlier.answer.metadata.other
            ],
        )
        return [await self._emulator.answer(asked)]

    def _describe(self, name: str) -> Mapping[str, Any] | None:
        """Return what is known of a tool: its name, description and parameters."""
        offered = (*self.inner.tool_schemas(), *self._declared)
        functions = (schema.get("function") for schema in offered)
        return next(
            (one for one in functions if isinstance(one, Mapping) and one.get("name") == name), None
        )

    async def _ask(self, pending: PendingAction, tape: Tape, why: str) -> Sequence[Step]:
        """Carry out the action if a person approved it; otherwise wait for the person."""
        if await self._use_approval(pending):
            return await self.inner.observe(pending, tape)
        raise ExternalInputNeeded(
            f"{pending.name!r} {why}: let it run once, or enter its result.",
            data_schema=self.inner.answer_schema(pending),
            can_approve=True,
        )


def _answer(pending: PendingAction, answer: Any) -> Step:
    if isinstance(answer, Step):
        return answer
    call_id = pending.tool_call.id if pending.tool_call is not None else ""
    return ToolResult(content=answer, tool_call_id=call_id)


def _refuse(pending: PendingAction, rule: ToolRule | None) -> Step:
    """Return the refusal of an action, for the agent to read."""
    if rule is None:
        reason = f"{pending.name!r} may not be used in this run."
    else:
        reason = rule.reason or f"this agent may not call {pending.name!r} like this."
    if pending.tool_call is None:
        refusal: Step = ActionFailure(error=f"Refused: {reason}")
    else:
        refusal = tool_error(pending.tool_call, f"refused: {reason}")
    return refusal if rule is None else _by_rule(refusal, rule)


def _by_rule(step: Step, rule: ToolRule) -> Step:
    return step.with_metadata(other={**step.metadata.other, RULED_BY: describe_rule(rule)})
