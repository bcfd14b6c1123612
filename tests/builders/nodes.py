"""The smallest node that asks a model: says what it answers."""

from collections.abc import AsyncIterator
from typing import ClassVar

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.model.llm import LLMStream, Prompt
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape


class SayNode(Node):
    type_name: ClassVar[str] = "tests.SayNode"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=tuple(view_to_messages(agent.compute_view(tape).top)))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        yield AssistantStep(content=await llm_stream.get_text())
        yield SetNextNode(next_node=self.name)
