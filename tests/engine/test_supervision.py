"""A watched run stops only where nothing is lost, and goes on as if it had never stopped."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import LoopFinished, NodeFailed, StepAdded
from tapes_app.engine.environment.supervision import (
    ActionAnswered,
    BeforeAction,
    BeforeNode,
    Deadline,
    Halt,
    NodeRan,
    SafePoint,
    Supervisor,
)
from tapes_app.engine.model.llm import LLMDelta, LLMEvent, LLMStream, Prompt
from tapes_app.engine.tape.control_steps import FinalStep, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import AskNode, build_tape, texts

PAUSE = Halt("paused", "Paused.")


class CallNode(Node):
    """Calls two tools a turn, as often as `turns` says, then ends."""

    turns: int = 2

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        done = sum(isinstance(step, ToolCalls) for step in tape)
        yield SetNextNode(next_node=self.name)
        if done >= self.turns:
            yield FinalStep(reason="done")
            return
        calls = [{"id": f"{done}{one}", "function": {"name": one}} for one in ("a", "b")]
        yield ToolCalls.model_validate({"tool_calls": calls})


class Tools(Environment):
    """Answers `b` only when `a` is being answered too, if `is_together`."""

    def __init__(self, *, is_together: bool = False) -> None:
        self._is_together = is_together
        self._meeting = asyncio.Event()
        self.answered: list[str] = []

    def can_run_together(self, pending: PendingAction) -> bool:
        return self._is_together

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        call = pending.tool_call
        if call is None:
            raise ExternalInputNeeded("Say something.")
        if self._is_together and call.function.name == "a":
            await self._meeting.wait()
        self._meeting.set()
        self.answered.append(call.id)
        return [ToolResult(content=call.id, tool_call_id=call.id)]


class HaltAt(Supervisor):
    """Halts at the n-th safe point, for each n given."""

    def __init__(self, *numbers: int) -> None:
        self.points: list[SafePoint] = []
        self._numbers = numbers

    def check(self, point: SafePoint) -> Halt | None:
        self.points.append(point)
        return PAUSE if len(self.points) in self._numbers else None


class Whisper(Supervisor):
    """Says something at every turn at which there is something left."""

    def __init__(self, *words: str) -> None:
        self._left = list(words)

    def take_messages(self) -> Sequence[Step]:
        return [UserStep(content=self._left.pop(0))] if self._left else []


def build_caller(turns: int = 2) -> Agent:
    return Agent.create("caller", nodes=[CallNode(name="call", turns=turns)])


async def run(
    agent: Agent, tape: Tape, environment: Environment, supervisor: Supervisor
) -> tuple[list[StepAdded], LoopFinished]:
    events = [e async for e in main_loop(agent, tape, environment, supervisor=supervisor)]
    assert isinstance(events[-1], LoopFinished)
    return [event for event in events if isinstance(event, StepAdded)], events[-1]


async def test_a_run_is_asked_before_and_after_every_node_and_every_action() -> None:
    watch = HaltAt()

    await run(build_caller(1), build_tape(), Tools(), watch)

    assert [type(point) for point in watch.points] == [
        BeforeNode,
        NodeRan,
        BeforeAction,
        ActionAnswered,
        BeforeAction,
        ActionAnswered,
        BeforeNode,
        NodeRan,
    ]
    assert [point.position for point in watch.points] == [1, 1, 3, 3, 4, 4, 5, 5]


@given(st.lists(st.integers(1, 12), max_size=12))
def test_a_run_that_is_stopped_anywhere_goes_on_as_if_it_had_not_been(stops: list[int]) -> None:
    async def go() -> tuple[Tape, Tape, list[str]]:
        _, whole = await run(build_caller(), build_tape(), Tools(), Supervisor())
        tape, tools, left = build_tape(), Tools(), list(stops)
        while True:
            watch = HaltAt(left.pop(0)) if left else Supervisor()
            added, finished = await run(build_caller(), tape, tools, watch)
            assert [event.position for event in added] == list(range(len(tape), len(finished.tape)))
            tape = finished.tape
            if finished.status == "finished":
                return whole.tape, tape, tools.answered

    whole, tape, answered = asyncio.run(go())

    assert tape.content_equals(whole)
    assert answered == ["0a", "0b", "1a", "1b"]


async def test_calls_that_may_run_together_do_and_keep_their_order() -> None:
    tools = Tools(is_together=True)

    _, finished = await run(build_caller(1), build_tape(), tools, Supervisor())

    assert tools.answered == ["0b", "0a"]
    results = [step for step in finished.tape if isinstance(step, ToolResult)]
    assert texts(results) == ["0a", "0b"]


async def test_one_at_a_time_is_answered_when_a_person_steps_through() -> None:
    class Stepping(Supervisor):
        @property
        def is_stepping(self) -> bool:
            return True

        def check(self, point: SafePoint) -> Halt | None:
            return PAUSE if isinstance(point, ActionAnswered) else None

    tools = Tools(is_together=True)
    tools._meeting.set()

    _, finished = await run(build_caller(1), build_tape(), tools, Stepping())

    assert (finished.status, tools.answered) == ("paused", ["0a"])


async def test_what_was_answered_beside_a_refused_call_is_kept() -> None:
    class Picky(Tools):
        async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
            if pending.name == "a":
                raise UnknownActionError("Nobody knows 'a'.")
            return await super().observe(pending, tape)

    tools = Picky(is_together=True)

    _, finished = await run(build_caller(1), build_tape(), tools, Supervisor())

    assert (finished.status, finished.message) == ("unknown_action", "Nobody knows 'a'.")
    assert texts(step for step in finished.tape if isinstance(step, ToolResult)) == ["0b"]
    assert finished.waits_for is not None
    assert finished.waits_for.name == "a"


async def test_what_is_said_comes_after_the_answers_and_before_the_next_node() -> None:
    watch = Whisper("first", "second", "third", "fourth")

    _, finished = await run(build_caller(2), build_tape(), Tools(), watch)

    kinds = [step.kind for step in finished.tape]
    turn = ["set_next_node", "assistant", "tool", "tool"]
    assert kinds[:-2] == ["user", "user", *turn, "user", *turn, "user"]


async def test_what_is_said_answers_an_agent_that_waits_for_words() -> None:
    class Talk(Node):
        async def generate_steps(
            self, agent: Agent, tape: Tape, llm_stream: LLMStream
        ) -> AsyncIterator[Step | PartialStep]:
            yield SetNextNode(next_node=self.name)
            yield AssistantStep(content="What next?")

    class SayLater(Whisper):
        is_asked = False

        def take_messages(self) -> Sequence[Step]:
            said, self.is_asked = super().take_messages() if self.is_asked else [], True
            return said

    agent = Agent.create("talk", nodes=[Talk(name="talk")])

    _, finished = await run(agent, build_tape(), Tools(), SayLater("go on"))

    assert finished.status == "external_input_needed"
    assert texts(finished.tape)[2:4] == ["What next?", "go on"]


class Slow:
    """Writes one word, then nothing for ever."""

    model_name = "slow"

    def describe(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        yield LLMDelta(text="Well")
        await asyncio.Event().wait()


async def test_a_deadline_ends_a_model_call_and_keeps_what_came() -> None:
    watch = Supervisor()
    watch.deadline = Deadline(
        asyncio.get_running_loop().time() + 0.05, Halt("budget", "The time is used up.")
    )
    agent = Agent.create("slow", llms=Slow(), nodes=[AskNode(name="ask")])

    events = [e async for e in main_loop(agent, build_tape(), Tools(), supervisor=watch)]

    failed, finished = events[-2:]
    assert isinstance(failed, NodeFailed)
    assert failed.call is not None
    assert (failed.call.output.content, failed.call.error) == ("Well", "The time is used up.")
    assert isinstance(finished, LoopFinished)
    assert (finished.status, finished.message) == ("budget", "The time is used up.")
    assert finished.tape.content_equals(build_tape())


class CutWatch(Supervisor):
    """Remembers what was cut off and whether it was left behind."""

    def __init__(self) -> None:
        self.cut: list[tuple[str, bool]] = []

    def note_cut(self, pending: PendingAction, *, is_left_behind: bool) -> None:
        self.cut.append((pending.name, is_left_behind))


class Stuck(Tools):
    """Never answers `a`, and answers `b` beside it."""

    def __init__(self, *, is_stubborn: bool = False) -> None:
        super().__init__(is_together=True)
        self.is_let_go = asyncio.Event()
        self.has_answered = asyncio.Event()
        self.is_stubborn = is_stubborn

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if pending.name == "b":
            self.has_answered.set()
            return await super().observe(pending, tape)
        while not self.is_let_go.is_set():
            try:
                await self.is_let_go.wait()
            except asyncio.CancelledError:
                if not self.is_stubborn:
                    raise
        call = pending.tool_call
        return [ToolResult(content="late", tool_call_id=call.id if call else "")]


async def test_a_deadline_cuts_an_action_off_and_keeps_what_was_answered_beside_it() -> None:
    watch = CutWatch()
    watch.deadline = Deadline(
        asyncio.get_running_loop().time() + 0.05, Halt("budget", "The time is used up.")
    )

    _, finished = await run(build_caller(1), build_tape(), Stuck(), watch)

    assert (finished.status, finished.message) == ("budget", "The time is used up.")
    assert texts(step for step in finished.tape if isinstance(step, ToolResult)) == ["0b"]
    assert watch.cut == [("a", False)]


async def test_a_run_that_is_cancelled_gives_what_was_answered_before_it_ends() -> None:
    watch, environment, seen = CutWatch(), Stuck(), list[str]()

    async def collect() -> None:
        async for event in main_loop(build_caller(1), build_tape(), environment, supervisor=watch):
            if isinstance(event, StepAdded):
                seen.append(event.step.kind)

    running = asyncio.ensure_future(collect())
    await environment.has_answered.wait()
    running.cancel()
    await asyncio.wait([running])

    assert running.cancelled()
    assert (seen[-1], watch.cut) == ("tool", [("a", False)])


async def test_what_comes_while_an_answer_beside_it_is_stored_is_kept() -> None:
    watch, environment = CutWatch(), Stuck()
    watch.deadline = Deadline(
        asyncio.get_running_loop().time() + 0.05, Halt("budget", "The time is used up.")
    )
    seen: list[str] = []

    async for event in main_loop(build_caller(1), build_tape(), environment, supervisor=watch):
        if isinstance(event, StepAdded) and isinstance(event.step, ToolResult):
            seen.append(event.step.tool_call_id)
            if environment.is_let_go.is_set():
                continue
            environment.is_let_go.set()
            await asyncio.wait({task for task in asyncio.all_tasks() if "observe" in repr(task)})

    assert (seen, watch.cut) == (["0b", "0a"], [])


async def test_an_action_that_does_not_let_itself_be_stopped_is_left_behind() -> None:
    watch, environment = CutWatch(), Stuck(is_stubborn=True)
    watch.deadline = Deadline(asyncio.get_running_loop().time(), Halt("budget", "Over."))

    _, finished = await run(build_caller(1), build_tape(), environment, watch)
    environment.is_let_go.set()

    assert (finished.status, watch.cut) == ("budget", [("a", True)])


async def test_a_run_that_ends_where_it_was_to_pause_has_ended() -> None:
    watch = HaltAt(2)

    _, finished = await run(build_caller(0), build_tape(), Tools(), watch)

    assert finished.status == "finished"
