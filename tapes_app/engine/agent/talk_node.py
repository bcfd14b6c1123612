"""The standard node: it talks to a person and calls tools, and its tapes can be trained on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, TypeAlias

from tapes_app.engine.agent.nodes import Node, Route
from tapes_app.engine.environment.tool_functions import AnyTool, Tools
from tapes_app.engine.errors import AgentRunError, TrainingTextError
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.messages import Message, system_message, user_message
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent

Answer: TypeAlias = AssistantStep | ToolCalls


class TalkNode(Node):
    """Answers with text or with tool calls, possibly several at once, and runs again next turn.

    The prompt is a template, everything that the agent sees of the tape, and the tools. A subclass
    that makes other steps from the answer overrides `generate_steps`, its inverse and, if other
    nodes follow, `list_routes`.
    """

    type_name = "engine.TalkNode"
    talks = True

    tools: Tools = ()
    """What the model may call."""

    template: str = "system"
    """The agent's template that the prompt starts with."""

    guidance: str = ""
    """The agent's template that the prompt ends with; empty: none."""

    after_answer: str | int = ""
    """The node that starts the next turn, once the person has answered; this node when empty."""

    def list_tools(self) -> tuple[AnyTool, ...]:
        return tuple(self.tools)

    @property
    def says_every_word(self) -> bool:
        """Whether all text of its model is what it says to the person, from the first piece on.

        It is if nothing else is made of the text, and no call of a tool can follow it.
        """
        return type(self).generate_steps is TalkNode.generate_steps and not self.list_schemas()

    def list_schemas(self) -> tuple[dict[str, Any], ...]:
        """Return the tools offered to the model, and whatever a subclass adds."""
        return tuple(tool.schema() for tool in self.tools)

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        view = agent.compute_view(tape).top
        opening = system_message(agent.fill_template(self.template, view))
        messages: list[Message] = [opening, *view_to_messages(view, agent)]
        if self.guidance:
            messages.append(user_message(agent.fill_template(self.guidance, view)))
        return Prompt(messages=tuple(messages), tools=self.list_schemas() or None)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        answer = read_answer(self, await llm_stream.get_message())
        is_message = isinstance(answer, AssistantStep)
        turn = self.after_answer if is_message and self.after_answer != "" else self.name
        yield SetNextNode(next_node=turn)
        yield answer

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        turn = self.name if self.after_answer == "" else self.after_answer
        again = (Route(self.name, ROUTE_OF_TOOLS),) if self.list_schemas() else ()
        return (*again, Route(turn, "after an answer"))

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index : index + 2]:
            case (SetNextNode(), AssistantStep() | ToolCalls() as answer):
                return write_answer(answer)
            case _:
                raise wrong_step(self, tape, index, "a node selection followed by an action")


ROUTE_OF_TOOLS = "after tool calls"


def read_answer(node: Node, output: LLMOutput) -> Answer:
    """Return the action that a model's answer asks for.

    Raises:
        AgentRunError: it is empty.
    """
    refuse_empty(node, output)
    if output.tool_calls:
        return ToolCalls.from_llm_output(output)
    return AssistantStep.from_llm_output(output)


def refuse_empty(node: Node, output: LLMOutput) -> None:
    """Reject an answer that is empty.

    Raises:
        AgentRunError: it is empty.
    """
    if not (output.tool_calls or output.content):
        raise AgentRunError(
            f"The model returned neither text nor tool calls to node {node.name!r}; resume to ask "
            "it again, or choose another model.",
            node=node.name,
        )


def write_answer(answer: Answer) -> LLMOutput:
    """Return the model's answer from which `read_answer` makes this action."""
    return answer.to_llm_output()


def wrong_step(node: Node, tape: Tape, index: int, expected: str) -> TrainingTextError:
    """Return the error to raise when the tape holds something that a node does not write."""
    return TrainingTextError(
        f"Node {node.name!r} writes {expected}, but step {index} is a "
        f"{type(tape.steps[index]).__name__}.",
        node=node.name,
        position=index,
    )
