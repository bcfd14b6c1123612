"""An agent with tools for the tests of run control; part of the plugin of `plugin.py`.

What is said first is a JSON list of tool names: the agent calls them in one message, then
stops. Given {"form": …} it asks for a form instead.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Literal

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.environment.environment import Environment, EnvironmentGroup
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.spec import environments
from tapes_app.engine.environment.tool_context import ToolContext
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import irreversible
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt, scripts
from tapes_app.engine.model.messages import Message
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import ToolCalls, ToolResult
from tapes_app.engine.tape.media import Image
from tapes_app.engine.tape.steps import Action, Observation, PartialStep, Step, StopAction
from tapes_app.engine.tape.tape import Tape
from tests.waiting import PATIENCE_SECONDS


class AskForm(Action):
    kind: Literal["test_ask_form"] = "test_ask_form"
    question: str


class FormAnswer(Observation):
    kind: Literal["test_form_answer"] = "test_form_answer"
    color: Literal["red", "green"]
    count: int


class ToolStop(StopAction):
    kind: Literal["test_tool_stop"] = "test_tool_stop"


class ToolNode(Node):
    """Calls tools once, then stops when they have answered."""

    type_name = "test.Tools"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=(Message(role="user", content=f"{len(tape)} {_said(tape)}"),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        yield PartialStep(text="made ")
        yield PartialStep(text="by the node")
        yield SetNextNode(next_node=self.name)
        if any(isinstance(step, ToolResult | FormAnswer) for step in tape):
            yield ToolStop()
        elif output.tool_calls:
            yield ToolCalls.from_llm_output(output)
        else:
            yield AskForm(question=output.content or "")


def _said(tape: Tape) -> str:
    return str(getattr(tape[0], "content", ""))


def call_what_was_said(prompt: Prompt) -> LLMOutput:
    said = json.loads(prompt.messages[0]["content"].partition(" ")[2])
    if isinstance(said, dict):
        return LLMOutput(content=str(said["form"]))
    calls = [
        {"id": f"c{index}", "type": "function", "function": {"name": name, "arguments": "{}"}}
        for index, name in enumerate(said)
    ]
    return LLMOutput(tool_calls=tuple(calls))


def emulate_at_second_try(prompt: Prompt) -> LLMOutput:
    """Answer 12, but first in a form that no number has."""
    words = "12" if len(prompt.messages) > 2 else "twelve"
    return LLMOutput(content=json.dumps({"answer": words, "is_error": False}))


SENT: list[str] = []
"""What `send` did in this process."""

MEETING = threading.Barrier(2)


HOLD = threading.Event()
"""`hold` and `hold_nicely` answer when this is set, and so does what holds the counter."""

IS_HELD = threading.Event()
"""Set as one of them begins."""


@contextmanager
def holding() -> Iterator[None]:
    """Let what holds a run hold it until the end."""
    HOLD.clear()
    IS_HELD.clear()
    try:
        yield
    finally:
        HOLD.set()


def look() -> int:
    """Look something up."""
    return 7


def look_long() -> str:
    """Look up something very long."""
    return "x" * 1_000_000


def where(context: ToolContext) -> dict[str, object]:
    """Say where this was called."""
    return {
        "run": context.run_id,
        "project": context.project_id,
        "tape": context.tape_id,
        "position": context.position,
        "call": context.call_id,
    }


def photograph() -> Image:
    """Take a photograph."""
    return Image(
        b"GIF89a\x01\x00\x01\x00\x00\xff\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00;"
    )


@irreversible
def send() -> str:
    """Send something that nobody can call back."""
    SENT.append("sent")
    return "sent"


@irreversible
def send_slowly() -> str:
    """Take so long that the worker is killed in the middle of it."""
    threading.Event().wait(120)
    return "sent"


def meet() -> str:
    """Wait until this is called twice at the same time."""
    MEETING.wait(timeout=PATIENCE_SECONDS)
    return "met"


def hold() -> str:
    """Wait in a thread, which nobody can end, until the test lets it go."""
    IS_HELD.set()
    HOLD.wait(timeout=60)
    return "held"


async def hold_nicely() -> str:
    """Wait until cancelled."""
    IS_HELD.set()
    await asyncio.Event().wait()
    return "held"


def fail() -> str:
    raise ValueError("nothing there")


def build_environment() -> Environment:
    tools = ToolEnvironment(
        [look, look_long, where, photograph, send, send_slowly, meet, hold, hold_nicely, fail]
    )
    return EnvironmentGroup(tools, HumanEnvironment(forms={AskForm: FormAnswer}))


scripts.add("test-tools", call_what_was_said)
scripts.add("test-emulator", emulate_at_second_try)
environments.add("test-tools", build_environment)


def build_tool_agent() -> AgentSpec:
    return AgentSpec(
        name="tooler",
        llms={"default": LLMSpec(model="script:test-tools")},
        nodes=(NodeSpec(type="test.Tools", settings={"name": "main"}),),
        environment="test-tools",
    )
