"""The node that calls a function over a model with steps of the tape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from tapes_app.builders.llm_function import LLMFunctionTemplate, UnreadableOutputError
from tapes_app.builders.step_refs import StepRef
from tapes_app.engine.agent.node_runs import steps_of_run
from tapes_app.engine.agent.nodes import Node, Route
from tapes_app.engine.agent.talk_node import refuse_empty, wrong_step
from tapes_app.engine.environment.tool_functions import AnyTool, Tools
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.messages import Message, assistant_message, user_message
from tapes_app.engine.prompts.chat_messages import message_of_step
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import ParsingFailure
from tapes_app.engine.tape.media import list_media
from tapes_app.engine.tape.steps import PartialStep, Step, family_of, first_reason
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent


class LLMFunctionNode(Node):
    """Fills the inputs of a function with steps, and writes a step for each of its outputs.

    Images of the steps are shown with the text. The model is shown an answer that lacks an output,
    and the node runs again. Afterwards the next node follows; after the last node's action, the
    first one begins the next turn.
    """

    type_name = "builders.LLMFunctionNode"
    talks = True

    template_name: str
    """The agent's template that holds the function: an `LLMFunctionTemplate`."""

    input_refs: tuple[StepRef, ...] = ()
    """The steps that are its inputs, in the order of the template's."""

    tools: Tools = ()
    """What its outputs may call; the prompt does not list them."""

    next_node: str = ""
    """The node that runs next; empty: the one that follows in order."""

    def list_tools(self) -> tuple[AnyTool, ...]:
        return tuple(self.tools)

    def find_function(self, agent: Agent) -> LLMFunctionTemplate:
        """Return the function.

        Raises:
            AgentConfigError: the agent has no such template, or it is not a function.
        """
        found = agent.templates.get(self.template_name)
        if isinstance(found, LLMFunctionTemplate):
            return found
        try:
            return LLMFunctionTemplate.model_validate(found)
        except ValidationError as error:
            raise AgentConfigError(
                f"Template {self.template_name!r} of agent {agent.name!r} is not a function: "
                f"{first_reason(error)}.",
                agent=agent.name,
                template=self.template_name,
            ) from error

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        steps, failures = self._split_failures(agent.compute_view(tape).top.steps)
        text = self.find_function(agent).render(self._read_inputs(steps))
        media = [part for ref in self.input_refs for part in _find_media(ref, steps)]
        asked = [{"type": "text", "text": text}, *media]
        messages = [Message(role="user", content=asked) if media else user_message(text)]
        for failure in failures:
            messages.append(assistant_message(failure.llm_output))
            complaint = f"Your answer could not be used: {failure.error} Answer again."
            messages.append(user_message(complaint))
        return Prompt(messages=tuple(messages))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        refuse_empty(self, output)
        text = output.content or ""
        try:
            steps = self.find_function(agent).make_steps(text)
        except UnreadableOutputError as error:
            yield ParsingFailure(error=error.message, llm_output=text)
            yield SetNextNode(next_node=self.name)
            return
        if turn := self._choose_next(agent, steps):
            yield SetNextNode(next_node=turn)
        for step in steps:
            yield step

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        run = steps_of_run(tape, index)
        if isinstance(run[0], ParsingFailure):
            return LLMOutput(content=run[0].llm_output)
        function = self.find_function(agent)
        return LLMOutput(content=function.write_answer(self._read_outputs(function, tape, index)))

    def extract_demo(self, agent: Agent, tape: Tape, index: int) -> dict[str, Any]:
        """Return the inputs and outputs of the run that starts at step `index`, by name.

        `agent` is the node's agent or a team that it belongs to.

        Raises:
            TrainingTextError: the run did not give the function's outputs.
            AgentRunError: an input is not there.
        """
        if self not in agent.nodes:
            agent = agent.find_subagent(tape.steps[index].metadata.agent.partition("/")[2])
        function = self.find_function(agent)
        seen, _ = self._split_failures(agent.compute_view(tape.fork(index)).top.steps)
        inputs = zip(function.inputs, self._read_inputs(seen), strict=True)
        outputs = self._read_outputs(function, tape, index)
        return {**{one.name: value for one, value in inputs}, **outputs}

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        turn = self.next_node or self.following(agent)
        return (Route(turn),) if turn else ()

    def _choose_next(self, agent: Agent, steps: Sequence[Step]) -> str:
        if self.next_node or self.following(agent):
            return self.next_node
        acts = any(family_of(step) == "action" for step in steps)
        return agent.nodes[0].name if acts else ""

    def _read_inputs(self, steps: Sequence[Step]) -> list[Any]:
        return [ref.read(steps, self.name) for ref in self.input_refs]

    def _read_outputs(
        self, function: LLMFunctionTemplate, tape: Tape, index: int
    ) -> dict[str, str]:
        run = steps_of_run(tape, index)
        made = function.read_steps([step for step in run if not isinstance(step, SetNextNode)])
        if made is None:
            names = [output.name for output in function.outputs]
            raise wrong_step(self, tape, index, f"the outputs {names}")
        return made

    def _split_failures(
        self, steps: Sequence[Step]
    ) -> tuple[Sequence[Step], Sequence[ParsingFailure]]:
        """Return the steps before this node's last failures to read an answer, and those."""
        end = len(steps)
        failures: list[ParsingFailure] = []
        while end and steps[end - 1].metadata.node == self.name:
            step = steps[end - 1]
            if isinstance(step, ParsingFailure):
                failures.insert(0, step)
            elif not isinstance(step, SetNextNode):
                break
            end -= 1
        return (steps[:end], failures) if failures else (steps, ())


def _find_media(ref: StepRef, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return the images of a step that is an input; none if only a field of it is."""
    step = ref.find(steps)
    message = message_of_step(step) if step is not None and not ref.field else None
    return list_media(message.get("content")) if message else []
