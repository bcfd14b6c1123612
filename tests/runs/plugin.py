"""Agents for the tests of runs; loaded as a plugin by real workers too.

The counter takes as many turns as the first step asks for: a thought, an action, and the
environment's answer. The talker says something and waits for a person.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from django.conf import settings

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.spec import environments
from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt, scripts
from tapes_app.engine.model.messages import Message
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.steps import Action, Observation, Step, StopAction, Thought
from tapes_app.engine.tape.tape import Tape
from tests.runs import ledger  # noqa: F401 - registers what it defines
from tests.runs.tool_plugin import HOLD, IS_HELD
from tests.waiting import PATIENCE_SECONDS


class CountThought(Thought):
    kind: Literal["test_count_thought"] = "test_count_thought"
    text: str


class CountAction(Action):
    kind: Literal["test_count_action"] = "test_count_action"
    number: int


class CountedObservation(Observation):
    kind: Literal["test_counted_observation"] = "test_counted_observation"
    number: int


class CountStop(StopAction):
    kind: Literal["test_count_stop"] = "test_count_stop"


TURN = ["count_thought", "set_next_node", "count_action", "counted_observation"]
"""Kinds of the steps of a turn of the counter, without their prefix; then of its last one."""
LAST = ["count_thought", "set_next_node", "count_stop"]


def count_actions(tape: Tape) -> int:
    return sum(isinstance(step, CountAction) for step in tape)


class CountNode(Node):
    """Counts one further, until the number in the first step is reached."""

    type_name = "test.Count"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        number = count_actions(tape) + 1
        return Prompt(messages=(Message(role="user", content=f"Say {number}."),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        number = count_actions(tape) + 1
        yield CountThought(text=await llm_stream.get_text())
        yield SetNextNode(next_node=self.name)
        if number >= int(tape[0].content):  # type: ignore[attr-defined]
            yield CountStop()
        else:
            yield CountAction(number=number)


class TalkNode(Node):
    """Says what the model says, and waits for the person."""

    type_name = "test.Talk"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        said = [str(getattr(step, "content", "")) for step in tape]
        return Prompt(messages=(Message(role="user", content=" / ".join(said)),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        text = await llm_stream.get_text()
        yield SetNextNode(next_node=self.name)
        yield CountStop() if "bye" in text else AssistantStep(content=text)


class CountEnvironment(Environment):
    name = "counter"

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if not isinstance(pending.action, CountAction):
            return await super().observe(pending, tape)
        return [CountedObservation(number=pending.action.number)]


class HeldCountEnvironment(CountEnvironment):
    """Answers the second action when the test lets it."""

    name = "held counter"

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if isinstance(pending.action, CountAction) and pending.action.number == 2:
            IS_HELD.set()
            while not HOLD.is_set():  # noqa: ASYNC110 - set by another thread
                await asyncio.sleep(0.005)
        return await super().observe(pending, tape)


class GatedCountEnvironment(CountEnvironment):
    """Answers no action after the second one while the gate is closed, in whatever process."""

    name = "gated counter"

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if isinstance(pending.action, CountAction) and pending.action.number > 2:
            while _closed_gate().exists():  # noqa: ASYNC110 - other processes ask as well
                await asyncio.sleep(0.005)
        return await super().observe(pending, tape)


@contextmanager
def closed_gate() -> Iterator[None]:
    """Let no run of a gated counter come past its third action."""
    _closed_gate().touch()
    try:
        yield
    finally:
        _closed_gate().unlink()


def _closed_gate() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "closed-gate"


def say_words(prompt: Prompt) -> LLMOutput:
    """Answer with twelve words that name the number asked for."""
    number = prompt.messages[0]["content"].strip("Say .")
    return LLMOutput(content=" ".join(f"{number}-{word}" for word in range(12)))


def echo(prompt: Prompt) -> LLMOutput:
    return LLMOutput(content="You said: " + prompt.messages[0]["content"])


def hold_words(prompt: Prompt) -> LLMOutput:
    """Answer when the test lets it; meanwhile its worker does nothing else."""
    IS_HELD.set()
    HOLD.wait(PATIENCE_SECONDS)
    return say_words(prompt)


def refuse(prompt: Prompt) -> LLMOutput:
    raise LLMError("The provider said no.")


_refused: set[str] = set()


def refuse_second_once(prompt: Prompt) -> LLMOutput:
    """Break when asked for the second number, once in the life of a test."""
    content = prompt.messages[0]["content"]
    if content == "Say 2." and not _refused:
        _refused.add(content)
        raise LLMError("The provider broke off.")
    _refused.clear()
    return say_words(prompt)


scripts.add("test-words", say_words)
scripts.add("test-held-words", hold_words)
scripts.add("test-refuse-second", refuse_second_once)
scripts.add("test-echo", echo)
scripts.add("test-refuse", refuse)
environments.add("test-counter", CountEnvironment)
environments.add("test-held-counter", HeldCountEnvironment)
environments.add("test-gated-counter", GatedCountEnvironment)
environments.add("test-person", HumanEnvironment)


def build_counter(
    *,
    delay_seconds: float = 0.0,
    script: str = "test-words",
    environment: str = "test-counter",
) -> AgentSpec:
    return _build("counter", "test.Count", environment, script, delay_seconds)


def build_talker(*, delay_seconds: float = 0.0) -> AgentSpec:
    return _build("talker", "test.Talk", "test-person", "test-echo", delay_seconds)


def _build(name: str, node: str, environment: str, script: str, delay_seconds: float) -> AgentSpec:
    parameters: dict[str, Any] = {"delay_seconds": delay_seconds}
    return AgentSpec(
        name=name,
        llms={"default": LLMSpec(model=f"script:{script}", parameters=parameters)},
        nodes=(NodeSpec(type=node, settings={"name": "main"}),),
        environment=environment,
    )
