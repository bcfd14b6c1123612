"""What nodes of one's own may give, and how their mistakes are told."""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.orchestrator import main_loop, run_to_end
from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import LoopFinished, NodeFailed
from tapes_app.engine.errors import AgentCodeError, NodeStepError
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import ListLLM, build_tape, texts

THOUGHT = AssistantThought(content="hm")
ANSWER = AssistantStep(content="yes")
Write = Callable[[], Any]


class WriteNode(Node):
    """Gives what a function of the test gives."""

    write: Any = None

    def generate_steps(self, agent: Agent, tape: Tape, llm_stream: LLMStream) -> Any:
        return self.write()


class PromptNode(Node):
    prompt: Any = None

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        prompt: Prompt = self.prompt
        return prompt


class BrokenNode(Node):
    """Thinks what the model says and then makes a mistake, until it is mended."""

    type_name = "test.Broken"
    mended: bool = False

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=(user_message("Well?"),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        yield AssistantThought(content=await llm_stream.get_text())
        word = "yes" if self.mended else self.look_up({})
        yield AssistantStep(content=word)

    def look_up(self, found: dict[str, str]) -> str:
        return found["missing"]


class BrokenEnvironment(Environment):
    name = "broken"

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        raise LookupError(pending.name)


def build_writer(write: Write) -> Agent:
    return Agent.create("writer", nodes=[WriteNode(name="write", write=write)])


def plain() -> list[Step]:
    return [THOUGHT, ANSWER]


def generator() -> Iterator[Step]:
    yield THOUGHT
    yield ANSWER


async def coroutine() -> list[Step]:
    return [THOUGHT, ANSWER]


async def asynchronous() -> AsyncIterator[Step]:
    yield THOUGHT
    yield ANSWER


@pytest.mark.parametrize("write", [plain, generator, coroutine, asynchronous])
async def test_steps_may_come_from_a_list_a_plain_generator_or_an_asynchronous_one(
    write: Write,
) -> None:
    final = await build_writer(write).run(build_tape()).get_final_tape()

    assert texts(final.steps) == ["Hello", "hm", "yes"]


async def yield_observation() -> AsyncIterator[Step]:
    yield THOUGHT
    yield UserStep(content="I am you")


def yield_text() -> Iterator[Any]:
    yield "a text"


async def yield_nothing() -> AsyncIterator[Any]:
    yield None


LINES = {
    function.__name__: function.__code__.co_firstlineno
    for function in (yield_observation, yield_text, yield_nothing)
}


@pytest.mark.parametrize(
    ("write", "complaint"),
    [
        (
            yield_observation,
            rf"an observation of kind 'user' for a step \(test_node_code.py, line "
            rf"{LINES['yield_observation'] + 2}\)",
        ),
        (yield_text, rf"'str' for a step \(test_node_code.py, line {LINES['yield_text'] + 1}\)"),
        (
            yield_nothing,
            rf"nothing for a step \(test_node_code.py, line {LINES['yield_nothing'] + 1}\)",
        ),
        (lambda: None, r"nothing for its steps \(test_node_code.py, line \d+\); .* with `yield`"),
        (lambda: THOUGHT, r"'AssistantThought' for its steps"),
        (list, r"wrote no step \(test_node_code.py, line \d+\)"),
    ],
)
async def test_what_an_agent_does_not_write_is_refused_with_node_kind_and_line(
    write: Write, complaint: str
) -> None:
    with pytest.raises(NodeStepError, match=f"Node 'write' of agent 'writer' .*{complaint}"):
        await build_writer(write).run(build_tape()).get_final_tape()


async def test_a_prompt_that_is_none_is_refused() -> None:
    agent = Agent.create("asker", nodes=[PromptNode(name="ask", prompt="Well?")])

    with pytest.raises(NodeStepError, match=r"'str' for a prompt .*return a Prompt"):
        await agent.run(build_tape()).get_final_tape()


async def test_a_mistake_in_a_node_is_told_with_its_last_lines_and_keeps_what_came() -> None:
    agent = Agent.create("broken", llms=ListLLM(["a plan"]), nodes=[BrokenNode(name="look")])
    stream = agent.run(build_tape())
    events: list[Any] = []

    with pytest.raises(AgentCodeError, match=r"'look' .* KeyError: 'missing' \(test_node") as told:
        await collect(stream, events)

    assert [(frame["function"], frame["code"]) for frame in told.value.details["frames"]] == [
        ("generate_steps", 'word = "yes" if self.mended else self.look_up({})'),
        ("look_up", 'return found["missing"]'),
    ]
    assert texts(stream.tape.steps) == ["Hello", "a plan"]
    failed = events[-1]
    assert isinstance(failed, NodeFailed)
    assert failed.keeps_steps
    assert failed.call is not None
    assert (failed.call.output.content, failed.call.error) == ("a plan", "")


async def test_the_rest_is_made_of_the_same_answer_once_the_code_is_mended() -> None:
    agent = Agent.create("broken", llms=ListLLM(["a plan"]), nodes=[BrokenNode(name="look")])
    stream = agent.run(build_tape())
    with pytest.raises(AgentCodeError):
        await stream.get_final_tape()
    tape = stream.tape.settle()
    outputs = {tape[1].metadata.prompt_id: LLMOutput(content="a plan")}

    mended = Agent.create("broken", nodes=[BrokenNode(name="look", mended=True)])
    loop = main_loop(mended, tape, Environment(), recorded_outputs=outputs)
    end = [event async for event in loop][-1]

    assert isinstance(end, LoopFinished)
    assert texts(end.tape.steps) == ["Hello", "a plan", "yes"]
    with pytest.raises(AgentCodeError, match="KeyError"):
        await collect(main_loop(agent, tape, Environment(), recorded_outputs=outputs), [])


async def test_a_mistake_in_an_environment_is_told_like_one_in_a_node() -> None:
    with pytest.raises(AgentCodeError, match=r"'broken', asked to answer 'assistant', .*Lookup"):
        await run_to_end(build_writer(plain), build_tape(), BrokenEnvironment())


async def collect(source: AsyncIterable[Any], events: list[Any]) -> None:
    async for event in source:
        events.append(event)  # noqa: PERF401 - those before an error count
