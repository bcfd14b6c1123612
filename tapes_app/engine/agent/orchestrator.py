"""The main loop: agent and environment take turns on one tape (paper 2.4).

It resumes from any tape, because the tape is the only state there is.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.lane_stream import LaneStream
from tapes_app.engine.agent.resume import missing_steps
from tapes_app.engine.agent.run import AgentStream, hands_over
from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    is_finished,
    unfulfilled_actions,
)
from tapes_app.engine.environment.answering import AnswerStream, Door
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import (
    AgentTurnFinished,
    EnvironmentTurnFinished,
    LoopEvent,
    LoopFinished,
    StepAdded,
)
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.environment.supervision import Halt, Supervisor
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.tape.lanes import Lane
from tapes_app.engine.tape.tape import Tape

MAX_LOOPS = 100
FINISHED_BEFORE = "The tape is already finished, so no agent was asked; edit or cut it to continue."
PERSON = "person"
"""Author of a tape after a person sent a message in the middle of a run."""


async def main_loop(
    agent: Agent,
    tape: Tape,
    environment: Environment,
    *,
    recorded_outputs: Mapping[str, LLMOutput] | None = None,
    max_loops: int = MAX_LOOPS,
    supervisor: Supervisor | None = None,
) -> AsyncGenerator[LoopEvent, None]:
    """Let agent and environment take turns until one of them cannot or need not continue.

    `environment` is open, and stays so. `recorded_outputs` maps prompt ids to known model outputs:
    they complete a tape that was cut in the middle of a node run, instead of running that node
    twice. `supervisor` may stop the run between its steps and send messages to the agent at each of
    its turns.

    Yields events; the last one is always `LoopFinished` unless an error is raised.
    """
    loop = _Loop(agent, recorded_outputs or {}, max_loops)
    turns = loop.take_turns(tape, environment, supervisor or Supervisor())
    async with aclosing(turns) as events:
        async for event in events:
            yield event


@dataclass(frozen=True)
class _Loop:
    """What agents that are called together share."""

    agent: Agent
    recorded_outputs: Mapping[str, LLMOutput]
    max_loops: int
    door: Door = field(default_factory=Door)

    def start_lane(
        self, lane: Lane, environment: Environment, watch: Supervisor
    ) -> AsyncGenerator[LoopEvent, None]:
        return self.take_turns(lane.tape, environment, watch, depth=lane.depth)

    async def take_turns(
        self, tape: Tape, environment: Environment, watch: Supervisor, depth: int = 0
    ) -> AsyncGenerator[LoopEvent, None]:
        """Continue a tape, or that of a lane until only `depth` views are left on its stack."""
        agent = self.agent
        for step in await missing_steps(agent, tape, self.recorded_outputs):
            yield StepAdded(len(tape), step)
            tape = tape.append(step, author=agent.name)
        for _ in range(self.max_loops):
            if hands_over(agent, tape, depth):
                if is_finished(tape):
                    yield LoopFinished("finished", tape.settle(), FINISHED_BEFORE)
                    return
                if agent.compute_view(tape).lanes is None:
                    yield LoopFinished("ok", tape.settle())
                    return
                lanes = LaneStream(tape, environment, watch, self.start_lane)
                async with aclosing(aiter(lanes)) as events:
                    async for event in events:
                        yield event
                tape = lanes.tape
                if lanes.finished is not None:
                    yield lanes.finished
                    return
            if not unfulfilled_actions(tape):
                if is_finished(tape):
                    yield LoopFinished("finished", tape.settle(), FINISHED_BEFORE)
                    return
                # A message goes to a lane only when it waits for one: it may be for the caller.
                for added in () if depth else _take_messages(watch, tape):
                    tape = tape.append(added.step, author=PERSON)
                    yield added
                stream = AgentStream(agent, tape, watch, depth=depth)
                async with aclosing(aiter(stream)) as turn:
                    async for event in turn:
                        yield event
                tape = stream.tape
                if stream.halt is not None and not is_finished(tape):
                    yield _halted(stream.halt, tape)
                    return
                yield AgentTurnFinished(tape)
                if is_finished(tape):
                    yield LoopFinished("finished", tape.settle())
                    return
                if hands_over(agent, tape, depth):
                    continue
            is_stuck = not unfulfilled_actions(tape)
            answers = AnswerStream(environment, tape, watch, self.door)
            async with aclosing(aiter(answers)) as observations:
                async for added in observations:
                    yield added
            tape = answers.tape
            if answers.halt is not None:
                yield _halted(answers.halt, tape)
                return
            if is_stuck or _waits_for_words(answers):
                messages = _take_messages(watch, tape)
                for added in messages:
                    tape = tape.append(added.step, author=PERSON)
                    yield added
                if not messages:
                    yield _unanswered(answers)
                    return
            elif answers.refusal is not None:
                yield _unanswered(answers)
                return
            yield EnvironmentTurnFinished(tape)
        yield LoopFinished(
            "loop_limit",
            tape.settle(),
            f"Stopped after {self.max_loops} turns without finishing; allow more turns, or fix "
            "the loop.",
        )


def _take_messages(watch: Supervisor, tape: Tape) -> list[StepAdded]:
    """Return the messages sent to the agent since its last turn, as steps for the tape."""
    messages = watch.take_messages()
    return [StepAdded(len(tape) + index, step) for index, step in enumerate(messages)]


def _waits_for_words(answers: AnswerStream) -> bool:
    """Return whether the run waits for a person who may answer in free text."""
    refusal, pending = answers.refusal, answers.refused
    return (
        isinstance(refusal, ExternalInputNeeded)
        and pending is not None
        and pending.tool_call is None
        and not refusal.details.get("data_schema")
        and not refusal.details.get("can_approve")
    )


def _halted(halt: Halt, tape: Tape) -> LoopFinished:
    return LoopFinished(
        halt.status, tape.settle(), halt.message, hit=halt.hit, refusal=halt.refused
    )


def _unanswered(answers: AnswerStream) -> LoopFinished:
    tape, refusal = answers.tape.settle(), answers.refusal
    if refusal is None:
        return LoopFinished("no_actions", tape, "The agent ended its turn without an action.")
    is_waiting = isinstance(refusal, ExternalInputNeeded)
    return LoopFinished(
        "external_input_needed" if is_waiting else "unknown_action",
        tape,
        refusal.message,
        waits_for=answers.refused,
        refusal=refusal,
    )


async def run_to_end(
    agent: Agent, tape: Tape, environment: Environment, *, max_loops: int = MAX_LOOPS
) -> LoopFinished:
    """Open the environment, run the loop and return how it ended; for scripts and tests."""
    async with open_for_run(environment, RunContext(tape)) as opened:
        async for event in main_loop(agent, tape, opened, max_loops=max_loops):
            if isinstance(event, LoopFinished):
                return event
    raise AssertionError("the main loop always ends with LoopFinished")
