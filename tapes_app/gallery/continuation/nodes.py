"""The one node of the continuation agent: the whole tape as a prompt, the answer as one step."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from tapes_app.engine.dialog_steps import AssistantStep, ToolCalls
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.nodes import Node
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.talk_node import read_answer, write_answer, wrong_step
from tapes_app.engine.tape import Tape
from tapes_app.gallery.continuation.transcript import make_messages, make_tools

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent


class ContinueNode(Node):
    """Answers with tool calls or with words whatever tape there is."""

    type_name = "continuation.ContinueNode"
    reads_whole_tape = True

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        messages = make_messages(
            tape, system=agent.templates["system"], go_on=agent.templates["go_on"]
        )
        return Prompt(messages=messages, tools=make_tools(tape) or None)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        yield read_answer(self, await llm_stream.get_message())

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index]:
            case AssistantStep() | ToolCalls() as answer:
                return write_answer(answer)
            case _:
                raise wrong_step(self, tape, index, "one answer")
