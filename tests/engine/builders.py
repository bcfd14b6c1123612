"""Small agents, answers and tapes that are valid with no arguments."""

from collections.abc import AsyncIterator, Iterable
from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.model.llm import LLMDelta, LLMEvent, LLMOutput, LLMResult, LLMStream, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.control_steps import Call, Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, UserStep
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape


class ListLLM:
    """Answers with the given texts in turn, word by word."""

    def __init__(self, answers: Iterable[str], name: str = "list") -> None:
        self._answers = iter(answers)
        self.model_name = name
        self.prompts: list[Prompt] = []

    def describe(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        self.prompts.append(prompt)
        answer = next(self._answers)
        for word in answer.split(" "):
            yield LLMDelta(text=word)
        yield LLMResult(output=LLMOutput(content=answer))


class ThinkNode(Node):
    """Thinks what the model says."""

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=tuple(view_to_messages(agent.compute_view(tape).top, agent)))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        async for delta in llm_stream:
            yield PartialStep(text=delta.text)
        yield AssistantThought(content=await llm_stream.get_text())

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        step = tape.steps[index]
        if not isinstance(step, AssistantThought):
            raise ValueError(f"step {index} is no thought")  # noqa: TRY004
        return LLMOutput(content=str(step.content))


class SayNode(Node):
    """Says what the model says and starts over at the first node next time."""

    first_node: str = "think"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=tuple(view_to_messages(agent.compute_view(tape).top, agent)))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        yield SetNextNode(next_node=self.first_node)
        yield AssistantStep(content=await llm_stream.get_text())

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        step = tape.steps[index + 1]
        assert isinstance(step, AssistantStep)
        return LLMOutput(content=step.content)


class StepsNode(Node):
    """Asks nobody and writes fixed steps, given as JSON."""

    steps: tuple[dict[str, Any], ...] = ()

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        from tapes_app.engine.tape.steps import parse_step

        assert llm_stream.is_null
        for step in self.steps:
            yield parse_step(step)


class AskNode(Node):
    """Makes a prompt of its own and thinks the answer, whatever the tape."""

    question: str = "Well?"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=(user_message(self.question),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        yield AssistantThought(content=await llm_stream.get_text())


def build_talker(answers: Iterable[str] = ("a thought", "an answer")) -> Agent:
    """An agent that thinks, then speaks."""
    return Agent.create(
        "talker",
        llms=ListLLM(answers),
        nodes=[ThinkNode(name="think"), SayNode(name="say")],
    )


def build_steps_node(*steps: Step, name: str = "write") -> StepsNode:
    return StepsNode(name=name, steps=tuple(step.to_json() for step in steps))


def build_tape(*steps: Step) -> Tape:
    return Tape(steps=steps or (UserStep(content="Hello"),))


def signed(step: Step, agent: str, node: str = "n", prompt_id: str = "p") -> Step:
    return step.with_metadata(agent=agent, node=node, prompt_id=prompt_id)


def thought(text: str = "hm", *, agent: str = "root", node: str = "n", prompt: str = "p") -> Step:
    return signed(AssistantThought(content=text), agent, node, prompt)


def call(name: str, *, agent: str = "root", node: str = "n", prompt: str = "p") -> Step:
    return signed(Call(agent_name=name, content="please"), agent, node, prompt)


def respond(*, agent: str, node: str = "n", prompt: str = "p", copy_output: bool = False) -> Step:
    return signed(Respond(content="done", copy_output=copy_output), agent, node, prompt)


def texts(steps: Iterable[Step]) -> list[str]:
    return [str(getattr(step, "content", step.kind)) for step in steps]
