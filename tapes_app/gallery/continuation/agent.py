"""The continuation agent: its one node, and the person who answers; registered.

For the node, the entire tape is the prompt, and the answer its steps.
"""

from collections.abc import AsyncIterator

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_runs import steps_of_run
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.stand_in import stand_in
from tapes_app.engine.agent.talk_node import refuse_empty, write_answer, wrong_step
from tapes_app.engine.environment.human import StandInEnvironment
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.prompt_length import find_room
from tapes_app.engine.tape.dialog_steps import AssistantStep, ParsingFailure, ToolCalls
from tapes_app.engine.tape.steps import PartialStep, Step, family_of
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.continuation.answers import read_steps, write_steps
from tapes_app.gallery.continuation.transcript import make_prompt

NAME = "continuation"

SYSTEM = """\
You go on with a recorded session of an AI agent. Its steps follow as messages: what the agent \
thought and did is said by the assistant, what it observed by the user. Steps that are more than \
words are JSON objects with a field "kind". Continue as that agent would: answer the person, or \
call one of the tools. Do not repeat what was done already."""

GO_ON = "Go on from here."


class ContinueNode(Node):
    """Answers with steps of the tape's own kinds, with tool calls or with text."""

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
        steps = steps_of_run(tape, index)
        match steps:
            case [AssistantStep() | ToolCalls() as answer]:
                return write_answer(answer)
            case [ParsingFailure() as failure]:
                return LLMOutput(content=failure.llm_output)
            case _ if any(family_of(step) in ("observation", "control") for step in steps):
                raise wrong_step(self, tape, index, "thoughts and actions")
            case _:
                return LLMOutput(content=write_steps(steps))


agent = register(
    Agent.create(NAME, templates={"system": SYSTEM, "go_on": GO_ON}, nodes=[ContinueNode()]),
    description=(
        "Goes on from any tape, also an imported transcript or one whose agent is not here. "
        "It asks with the tape's own system message, tools and steps; you give the results "
        "of tools."
    ),
    environment=StandInEnvironment,
    script=stand_in,  # by the agent's name, which stored agents have where no model was chosen
)
