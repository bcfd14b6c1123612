"""The one node of the continuation agent: the whole tape as a prompt, the answer as one step."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from tapes_app.engine.dialog_steps import AssistantStep, ToolCalls
from tapes_app.engine.errors import AgentRunError, TrainingTextError
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.nodes import Node
from tapes_app.engine.steps import PartialStep, Step
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
        output = await llm_stream.get_message()
        if output.tool_calls:
            calls = ToolCalls.from_llm_output(output)
            yield calls.model_copy(update={"content": output.content}) if output.content else calls
        elif output.content:
            yield AssistantStep(content=output.content)
        else:
            raise AgentRunError(
                "The model gave neither text nor tool calls; resume to ask it again, "
                "or choose another model.",
                node=self.name,
            )

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index]:
            case AssistantStep() as step:
                return LLMOutput(content=step.content)
            case ToolCalls() as step:
                calls = tuple(call.model_dump(mode="json") for call in step.tool_calls)
                return LLMOutput(content=step.content, tool_calls=calls)
            case step:
                raise TrainingTextError(
                    f"Node {self.name!r} writes one answer, but step {index} is a "
                    f"{type(step).__name__}.",
                    node=self.name,
                    position=index,
                )
