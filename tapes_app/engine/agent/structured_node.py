"""A node whose model answers in the form of a pydantic class, which becomes a step."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, ClassVar, Self

from pydantic import BaseModel, model_validator

from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.agent.talk_node import ROUTE_OF_TOOLS, TalkNode, wrong_step
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.engine.prompts.structured_output import (
    StructuredOutputError,
    read_structured,
    write_structured,
)
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantThought, ParsingFailure, ToolCalls
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent


class StructuredNode(TalkNode):
    """Asks for an answer in the form `output`, which a subclass sets.

    If the form is a step class, the answer becomes that step; any other form becomes a thought that
    holds its data. The model is shown an answer that could not be read, and the node runs again. It
    also runs again after tools that the model called; otherwise the next node follows, or the one
    named in `after_answer`.
    """

    type_name = "engine.StructuredNode"
    talks = False

    output: ClassVar[type[BaseModel]]

    @model_validator(mode="after")
    def _check_output(self) -> Self:
        if not hasattr(type(self), "output"):
            raise AgentConfigError(
                f"Node {self.name!r} names no form; subclass {type(self).__name__} and set "
                "`output` to a pydantic class."
            )
        make_response_format(self.output)
        return self

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        asked = super().make_prompt(agent, tape)
        wanted = make_response_format(self.output)
        return Prompt(messages=asked.messages, tools=asked.tools, response_format=wanted)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        if output.tool_calls:
            yield SetNextNode(next_node=self.name)
            yield ToolCalls.from_llm_output(output)
            return
        text = output.content or ""
        try:
            answer = read_structured(text, self.output)
        except StructuredOutputError as error:
            yield ParsingFailure(error=error.message, llm_output=text)
            yield SetNextNode(next_node=self.name)
            return
        if self.after_answer != "":
            yield SetNextNode(next_node=self.after_answer)
        if not isinstance(answer, Step):
            answer = AssistantThought(
                content=dump_json_data(answer, by_alias=True, round_trip=True)
            )
        yield answer

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        turn = self.after_answer if self.after_answer != "" else self.following(agent)
        again = (Route(self.name, ROUTE_OF_TOOLS),) if self.list_schemas() else ()
        return (*again, *((Route(turn),) if turn != "" else ()))

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index : index + 2]:
            case (ParsingFailure() as failure, *_):
                return LLMOutput(content=failure.llm_output)
            case (SetNextNode(), ToolCalls() as calls):
                return calls.to_llm_output()
            case (SetNextNode(), step) | (step, *_):
                return LLMOutput(content=self._write(step, tape, index))
            case _:
                raise wrong_step(self, tape, index, self._wanted)

    @property
    def _wanted(self) -> str:
        return f"a step of the form {self.output.__name__}"

    def _write(self, step: Step, tape: Tape, index: int) -> str:
        if isinstance(step, self.output):
            return write_structured(step)
        if issubclass(self.output, Step) or not isinstance(step, AssistantThought):
            raise wrong_step(self, tape, index, self._wanted)
        try:
            return write_structured(read_structured(dump_json_text(step.content), self.output))
        except StructuredOutputError as error:
            raise wrong_step(self, tape, index, self._wanted) from error
