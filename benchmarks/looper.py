"""The agent that benchmarks run: one node that thinks and returns to itself, and an instant LLM."""

from collections.abc import AsyncIterator
from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.environment.events import NodeFinished
from tapes_app.engine.model.llm import LLMCall, LLMEvent, LLMOutput, LLMResult, LLMStream, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantThought, UserStep
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape

ANSWER = "The next thing to look at is the one after this."


class InstantLLM:
    """Answers immediately, and always the same."""

    model_name = "instant"

    def describe(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        yield LLMResult(output=LLMOutput(content=ANSWER))


class LoopNode(Node):
    """Thinks and runs again, with a constant prompt or with the full history."""

    full_history: bool = False

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        if self.full_history:
            return Prompt(messages=tuple(view_to_messages(agent.compute_view(tape).top, agent)))
        return Prompt(messages=(user_message("Go on."),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        yield AssistantThought(content=await llm_stream.get_text())
        yield SetNextNode(next_node="loop")


def build_looper(*, full_history: bool) -> Agent:
    return Agent.create(
        "looper",
        llms=InstantLLM(),
        nodes=[LoopNode(name="loop", full_history=full_history)],
        max_iterations=10**9,
    )


async def grow_tape(
    agent: Agent, step_count: int, tape: Tape | None = None
) -> tuple[Tape, dict[str, LLMCall]]:
    """Run the agent until the tape has `step_count` steps; return it with its calls."""
    start = tape or Tape(steps=(UserStep(content="Start."),))
    calls: dict[str, LLMCall] = {}
    stream = agent.run(start)
    async for event in stream:
        if isinstance(event, NodeFinished) and event.call is not None:
            calls[event.prompt_id] = event.call
        if len(stream.tape) >= step_count:
            break
    return stream.tape, calls
