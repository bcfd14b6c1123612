"""A node that blocks the loop of its worker is found out and named."""

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.code_mistakes import pick_lines
from tapes_app.engine.model.llm import LLMStream
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.services.loop_watch import LoopWatch
from tests.waiting import PATIENCE_SECONDS

told = threading.Event()


class Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
        told.set()


class BlockingNode(Node):
    """Holds the loop until the watch has noticed."""

    type_name = "test.Blocking"

    def generate_steps(  # type: ignore[override]  # a plain generator will do
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> Iterator[Step]:
        told.wait(timeout=PATIENCE_SECONDS)
        yield AssistantStep(content="at last")


@pytest.fixture
def listener() -> Iterator[Listener]:
    told.clear()
    logger, listener = logging.getLogger(LoopWatch.__module__), Listener()
    logger.addHandler(listener)
    yield listener
    logger.removeHandler(listener)


async def test_a_node_that_blocks_the_loop_is_named_with_its_line(listener: Listener) -> None:
    watch = LoopWatch(asyncio.get_running_loop())
    agent = Agent.create("slow", nodes=[BlockingNode(name="hold")])

    final = await agent.run(Tape()).get_final_tape()
    watch.close()

    assert len(final) == 1
    (message,) = listener.messages
    assert message.startswith("Node 'hold' of agent 'slow' has blocked the worker for 0.7 s")
    assert "(test_loop_watch.py, line " in message


def test_a_frame_between_two_lines_is_told_by_the_first_of_its_function() -> None:
    # Of a frame that another thread runs, Python may know no line at the moment.
    frame = sys._getframe()

    (told_of,) = pick_lines([(frame, None)])

    assert told_of["line"] == frame.f_code.co_firstlineno
    assert told_of["function"] == frame.f_code.co_name
