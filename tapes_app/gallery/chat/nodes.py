"""The one node of the chat agent: call tools, or say something."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from tapes_app.engine.control_steps import SetNextNode
from tapes_app.engine.dialog_steps import AssistantStep, ToolCalls
from tapes_app.engine.errors import AgentRunError, TrainingTextError
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.messages import system_message
from tapes_app.engine.nodes import Node
from tapes_app.engine.prompting import view_to_messages
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.tape import Tape
from tapes_app.environments.tool_functions import Tool
from tapes_app.gallery.chat.tools import calculate, convert_units

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent

TOOLS = tuple(Tool(function).schema() for function in (calculate, convert_units))


class ChatNode(Node):
    """Answers with tool calls or with words, and runs again in the next turn."""

    type_name = "chat.ChatNode"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        view = agent.compute_view(tape).top
        messages = (system_message(agent.templates["system"]), *view_to_messages(view, agent))
        return Prompt(messages=messages, tools=TOOLS)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        if not output.tool_calls and not output.content:
            raise AgentRunError(
                "The model gave neither text nor tool calls; resume to ask it again, "
                "or choose another model.",
                node=self.name,
            )
        yield SetNextNode(next_node=self.name)
        if output.tool_calls:
            calls = ToolCalls.from_llm_output(output)
            with_text = calls.model_copy(update={"content": output.content})
            yield with_text if output.content else calls
        else:
            yield AssistantStep(content=output.content or "")

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        if isinstance(tape.steps[index], SetNextNode) and index + 1 < len(tape):
            match tape.steps[index + 1]:
                case AssistantStep() as step:
                    return LLMOutput(content=step.content)
                case ToolCalls() as step:
                    calls = tuple(call.model_dump(mode="json") for call in step.tool_calls)
                    return LLMOutput(content=step.content, tool_calls=calls)
                case _:
                    pass
        raise TrainingTextError(
            f"Node {self.name!r} writes a node choice and then an action, but step {index} "
            f"begins with a {type(tape.steps[index]).__name__}.",
            node=self.name,
            position=index,
        )
