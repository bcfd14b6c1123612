"""Environments are opened before a run and closed after it, also those inside others."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from tapes_app.engine import (
    AgentConfigError,
    Environment,
    EnvironmentGroup,
    FinalStep,
    PendingAction,
    RunContext,
    Step,
    Tape,
    ToolCall,
    ToolCalls,
    ToolResult,
    WrapperEnvironment,
    run_to_end,
)
from tapes_app.engine.environment.opening import open_for_run
from tapes_app.engine.errors import AgentCodeError
from tests.engine.test_door import build_talker


class Door(Environment):
    """Notes when it is opened and closed; it answers only while it is open."""

    def __init__(self, name: str, notes: list[str], *, is_open: bool = False) -> None:
        self.name, self.notes, self.is_open = name, notes, is_open

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        self.notes.append(f"open {self.name}")
        yield Door(self.name, self.notes, is_open=True)
        self.notes.append(f"close {self.name}")

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if not self.is_open:
            raise RuntimeError("It is closed.")
        call = pending.tool_call
        return [ToolResult(content=self.name, tool_call_id=call.id if call is not None else "")]


class Stuck(Environment):
    name = "stuck"
    hinge = "broken"

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        if self.hinge == "broken":
            raise OSError("the hinge is broken")
        yield self


class Slammed(Environment):
    name = "slammed"

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        yield self
        raise OSError("the lock is broken")


class Loud(WrapperEnvironment):
    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        return [
            step.model_copy(update={"content": f"{step.content_dict()['content']}!"})
            for step in await super().observe(pending, tape)
        ]


def build_call() -> ToolCalls:
    call = {"id": "c", "function": {"name": "knock", "arguments": "{}"}}
    return ToolCalls(tool_calls=(ToolCall.model_validate(call),))


async def test_members_of_wrapped_groups_are_opened_in_order_and_closed_in_reverse() -> None:
    notes: list[str] = []
    house = Loud(EnvironmentGroup(Door("front", notes), WrapperEnvironment(Door("back", notes))))

    async with open_for_run(house, RunContext()) as opened:
        during = list(notes)
        after = await opened.react(Tape(steps=(build_call(),)))

    assert during == ["open front", "open back"]
    assert notes[2:] == ["close back", "close front"]
    assert after.steps[-1].content_dict()["content"] == "front!"
    with pytest.raises(AgentCodeError, match="It is closed"):
        await house.react(Tape(steps=(build_call(),)))


async def test_what_was_open_is_closed_when_another_does_not_open() -> None:
    notes: list[str] = []

    with pytest.raises(
        AgentCodeError, match="'stuck', asked to open, failed with OSError: the hin"
    ):
        async with open_for_run(EnvironmentGroup(Door("front", notes), Stuck()), RunContext()):
            raise AssertionError("it is not open")

    assert notes == ["open front", "close front"]


async def test_one_that_does_not_close_is_logged_and_the_run_keeps_its_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        end = await run_to_end(build_talker(), Tape(steps=(FinalStep(),)), Slammed())

    assert end.status == "finished"
    assert "'slammed', asked to close, failed" in caplog.text


def test_a_secret_that_is_not_there_is_named() -> None:
    run = RunContext(find_secret={"KEY": "open sesame"}.get)

    assert run.read_secret("KEY") == "open sesame"
    assert "sesame" not in repr(run)
    with pytest.raises(AgentConfigError, match="variable 'OTHER', which is not set"):
        run.read_secret("OTHER")
