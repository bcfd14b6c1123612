"""The one node of the continuation agent: the whole tape as a prompt, the answer as its steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from tapes_app.engine.dialog_steps import AssistantStep, ParsingFailure, ToolCalls
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.nodes import Node
from tapes_app.engine.prompt_length import find_room
from tapes_app.engine.steps import PartialStep, Step, family_of
from tapes_app.engine.talk_node import refuse_empty, write_answer, wrong_step
from tapes_app.engine.tape import Tape
from tapes_app.gallery.continuation.answers import read_steps, write_steps
from tapes_app.gallery.continuation.transcript import make_prompt

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent


class ContinueNode(Node):
    """Answers with the steps of whatever tape there is, with tool calls or with words."""

    type_name = "continuation.ContinueNode"
    reads_whole_tape = True

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return make_prompt(
            tape,
            agent.briefing.recorded,
            system=agent.templates["system"],
            go_on=agent.templates["go_on"],
            room=find_room(agent.llms.get(self.llm)),
        )

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        refuse_empty(self, output)
        for step in read_steps(output, tape, agent.briefing, agent=agent.name):
            yield step

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        steps = _find_run(tape, index)
        match steps:
            case [AssistantStep() | ToolCalls() as answer]:
                return write_answer(answer)
            case [ParsingFailure() as failure]:
                return LLMOutput(content=failure.llm_output)
            case _ if any(family_of(step) in ("observation", "control") for step in steps):
                raise wrong_step(self, tape, index, "thoughts and actions")
            case _:
                return LLMOutput(content=write_steps(steps))


def _find_run(tape: Tape, index: int) -> list[Step]:
    """Return the steps of the node run that begins at a place."""
    steps = [tape.steps[index]]
    prompt_id = steps[0].metadata.prompt_id
    for step in tape.steps[index + 1 :]:
        if not prompt_id or step.metadata.prompt_id != prompt_id:
            break
        steps.append(step)
    return steps
