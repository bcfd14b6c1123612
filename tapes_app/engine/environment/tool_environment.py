"""An environment of Python functions: it answers every tool call with one result."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from itertools import pairwise
from math import isinf
from typing import Any

from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.state import EnvironmentState, read_state, with_state
from tapes_app.engine.environment.tool_context import ToolContext
from tapes_app.engine.environment.tool_functions import (
    AnyTool,
    Tool,
    ToolArgumentsError,
    ToolFailedError,
)
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.dialog_steps import LoopWarning, ToolCall, ToolCalls, ToolResult
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

LONGEST_ERROR = 1_000
"""How many characters of an error the model sees."""

LONGEST_CALL_SECONDS = 1_800.0
"""The default time limit of a call: a tool that never ends would hold its run forever."""

MOST_REPEATS = 3
"""How many equal calls in a row count as a loop."""

logger = logging.getLogger(__name__)


class ToolEnvironment(Environment):
    """Answers `ToolCalls` by calling functions.

    A mistake of the model (unknown tool, bad arguments) and an exception in a tool become results
    that the model can read, because only then can it do better. To offer the tools of several
    environments, make one from all of them: `ToolEnvironment([*a.tools, *b.tools])`.
    """

    def __init__(
        self,
        tools: Iterable[Callable[..., Any] | AnyTool],
        *,
        timeout_seconds: float = LONGEST_CALL_SECONDS,
        known: Iterable[str] = (),
    ) -> None:
        """`known`: names of tools that other environments answer, for who calls an unknown one."""
        made: list[AnyTool] = [tool if isinstance(tool, Tool) else Tool(tool) for tool in tools]
        for tool in made:
            tool.check()
        self._tools = {tool.name: tool for tool in made}
        self._timeout_seconds = timeout_seconds
        self._known = sorted({*self._tools, *known})

    @property
    def tools(self) -> tuple[AnyTool, ...]:
        return tuple(self._tools.values())

    def tool_schemas(self) -> list[dict[str, object]]:
        return [tool.schema() for tool in self._tools.values()]

    def get_tool_schema_dicts(self) -> list[dict[str, object]]:
        """Return `tool_schemas`; the paper's name for it."""
        return self.tool_schemas()

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        """Answer one tool call; after the last call of a message, warn of a loop."""
        call = pending.tool_call
        if call is None:
            raise UnknownActionError(
                f"Tools cannot answer a step of kind {pending.action.kind!r}.",
                kind=pending.action.kind,
            )
        before = self._read_state(pending, tape)
        state = EnvironmentState(deepcopy(before))
        context = ToolContext(tape=tape, position=pending.position, call_id=call.id, state=state)
        result = await self.answer(call, context)
        if state != before and not result.is_error:
            result = _keep_state(call, result, state)
        if is_last_call(pending) and (looping := find_loop(tape, pending.position)):
            return [result, make_loop_warning(looping)]
        return [result]

    def can_run_together(self, pending: PendingAction) -> bool:
        tool = self._find(pending)
        return tool is not None and not tool.is_irreversible and not tool.uses_state

    def can_be_stopped(self, pending: PendingAction) -> bool:
        tool = self._find(pending)
        return tool is None or tool.can_be_stopped

    def irreversible_tools(self) -> frozenset[str]:
        return frozenset(name for name, tool in self._tools.items() if tool.is_irreversible)

    def answer_schema(self, pending: PendingAction) -> dict[str, Any] | None:
        tool = self._find(pending)
        return tool.result_schema() if tool is not None else None

    def _read_state(self, pending: PendingAction, tape: Tape) -> dict[str, Any]:
        """Return the state for a tool that asks for it; for other tools it is not looked up."""
        tool = self._find(pending)
        return (read_state(tape.steps) or {}) if tool is not None and tool.uses_state else {}

    def _find(self, pending: PendingAction) -> AnyTool | None:
        return self._tools.get(pending.name) if pending.tool_call is not None else None

    async def answer(self, call: ToolCall, context: ToolContext | None = None) -> ToolResult:
        """Call one tool. Never raises for mistakes of a tool or a model."""
        name = call.function.name
        tool = self._tools.get(name)
        if tool is None:
            return tool_error(call, f"There is no tool {name!r}; available: {self._known}.")
        try:
            arguments = call.parsed_arguments()
        except (ValueError, RecursionError) as error:
            return tool_error(call, f"The arguments of {name!r} are not a JSON object: {error}.")
        seconds = self._timeout_seconds if tool.seconds is None else tool.seconds
        limit = asyncio.timeout(None if isinf(seconds) else seconds)
        try:
            async with limit:
                content = await tool.call(arguments, context)
        except ToolArgumentsError as error:
            return tool_error(call, f"The arguments of {name!r} are invalid: {error}.")
        except ToolFailedError as error:
            return ToolResult(content=str(error), tool_call_id=call.id, is_error=True)
        except ExternalInputNeeded:
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return tool_error(call, f"{name!r} cancelled itself.")
        except Exception as error:  # a tool may fail in any way, and the model reads how
            if isinstance(error, TimeoutError) and limit.expired():  # and not the tool's own
                return tool_error(call, _describe_stop(tool, seconds))
            logger.debug("tool %s failed", name, exc_info=True)
            return tool_error(call, f"{type(error).__name__}: {str(error) or 'no reason given'}")
        return ToolResult(content=content, tool_call_id=call.id)


def _keep_state(call: ToolCall, result: ToolResult, state: EnvironmentState) -> ToolResult:
    """Return a result with the state that its call left, or an error if it cannot be stored."""
    try:
        kept = with_state(result, state)
    except InvalidInputError as error:
        return tool_error(call, f"{error.message} Nothing of it was changed.")
    assert isinstance(kept, ToolResult)
    return kept


def _describe_stop(tool: AnyTool, seconds: float) -> str:
    message = f"{tool.name!r} was stopped: it had not finished after {seconds:g} seconds."
    if tool.can_be_stopped and not tool.is_irreversible:
        return message
    return f"{message} What it had begun may still take effect."


def tool_error(call: ToolCall, reason: str) -> ToolResult:
    """Return the result of a failed call, with the beginning of the reason."""
    text = f"Error: {reason}"[:LONGEST_ERROR]
    return ToolResult(content=text, tool_call_id=call.id, is_error=True)


def is_last_call(pending: PendingAction) -> bool:
    """Return whether the call is its message's last; a warning must not separate results."""
    action = pending.action
    return isinstance(action, ToolCalls) and action.tool_calls[-1] == pending.tool_call


def find_loop(tape: Tape, position: int) -> ToolCall | None:
    """Return a call that the step at `position` repeats for at least the third time in a row."""
    action = tape.steps[position]
    if not isinstance(action, ToolCalls):
        return None
    calls = list(action.tool_calls)
    for step in reversed(tape.steps[:position]):
        if len(calls) >= len(action.tool_calls) + MOST_REPEATS - 1:
            break
        if isinstance(step, ToolCalls):
            calls = [*step.tool_calls, *calls]
    repeats = 1
    for before, call in pairwise(calls):
        repeats = repeats + 1 if _key(before) == _key(call) else 1
        if repeats >= MOST_REPEATS and call in action.tool_calls:
            return call
    return None


def make_loop_warning(call: ToolCall) -> LoopWarning:
    return LoopWarning(
        content=f"You have called {call.function.name!r} {MOST_REPEATS} times in a row with the "
        "same arguments. Its answer will not change: try something else, or say what is missing."
    )


def _key(call: ToolCall) -> tuple[str, Any]:
    try:
        return call.function.name, call.parsed_arguments()
    except (ValueError, RecursionError):
        return call.function.name, call.function.arguments
