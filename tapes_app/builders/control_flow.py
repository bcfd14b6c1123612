"""Nodes that ask no model: they steer the agent, as data.

They have the null prompt, whose inverse is the empty answer: a tape is replayed through them by
writing their steps again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import Field, PositiveInt, model_validator

from tapes_app.builders.conditions import Condition, last_observation_kind
from tapes_app.builders.step_kinds import StepsAsData
from tapes_app.builders.step_refs import StepRef
from tapes_app.engine.agent.nodes import Node, Route
from tapes_app.engine.errors import AgentConfigError, NodeNotFoundError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import LLMOutput, LLMStream
from tapes_app.engine.prompts.chat_messages import show_text
from tapes_app.engine.tape.control_steps import (
    MOST_TOGETHER,
    Call,
    CallTogether,
    FinalStep,
    MemberCall,
    Respond,
    SetNextNode,
)
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.defined_steps import list_definitions
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.steps import PartialStep, Step, ends_tape
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent


class ControlNode(Node):
    """Writes steps that follow from what the agent sees; a subclass says which."""

    type_name = "builders.ControlNode"

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        """Return its steps, at least one."""
        raise NotImplementedError

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        for step in self.write_steps(agent, tape):
            yield step

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        return LLMOutput()

    def go_to(self, agent: Agent, node: str) -> SetNextNode:
        """Return the choice of a node, or if it is empty, of the one that follows in order.

        Raises:
            NodeNotFoundError: none follows.
        """
        turn = node or self.following(agent)
        if not turn:
            raise NodeNotFoundError(
                f"No node follows {self.name!r} in agent {agent.name!r}; name the one that is to "
                "run next.",
                node=self.name,
            )
        return SetNextNode(next_node=turn)


class StepsNode(ControlNode):
    """Writes fixed steps.

    Raises:
        AgentConfigError: there are none, or one of them is an observation.
    """

    type_name = "builders.StepsNode"
    talks: ClassVar[bool] = True

    steps: StepsAsData = ()
    next_node: str = ""
    """The node that runs next; empty: the one that follows in order."""

    @model_validator(mode="after")
    def _check_steps(self) -> Self:
        if not self.steps:
            raise AgentConfigError(
                f"Node {self.name!r} has no steps to write; give it at least one.", node=self.name
            )
        return self

    def list_defined_kinds(self) -> tuple[DefinedKind, ...]:
        return list_definitions(map(type, self.steps))

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        turn = (SetNextNode(next_node=self.next_node),) if self.next_node else ()
        return (*turn, *self.steps)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        if any(isinstance(step, Respond) or ends_tape(step) for step in self.steps):
            return ()
        turn = self.next_node or self.following(agent)
        called = next((step.agent_name for step in self.steps if isinstance(step, Call)), "")
        return (Route(turn, agent=called),) if turn else ()


class GoToNode(ControlNode):
    """Goes on with another node of the agent."""

    type_name = "builders.GoToNode"

    next_node: str

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        return (self.go_to(agent, self.next_node),)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (Route(self.next_node),)


class IfNode(ControlNode):
    """Goes on with one node if a condition holds, and with another if it does not."""

    type_name = "builders.IfNode"

    condition: Condition
    then: str = ""
    """The node for when it holds; empty: the one that follows in order."""

    otherwise: str = ""
    """The node for when it does not; empty: the one that follows in order."""

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        holds = self.condition.holds(agent.compute_view(tape).top.steps)
        return (self.go_to(agent, self.then if holds else self.otherwise),)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        following = self.following(agent)
        return (
            Route(self.then or following, self.condition.describe()),
            Route(self.otherwise or following, "otherwise"),
        )


class ObservationNode(ControlNode):
    """Goes on with the node that is named for the kind of the last observation."""

    type_name = "builders.ObservationNode"

    routes: Mapping[str, str] = Field(default_factory=dict)
    """Nodes by kinds of observations."""

    otherwise: str = ""
    """The node for all other kinds; empty: the one that follows in order."""

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        kind = last_observation_kind(agent.compute_view(tape).top.steps)
        return (self.go_to(agent, self.routes.get(kind, self.otherwise)),)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        rest = self.otherwise or self.following(agent)
        return (
            *(Route(node, f"on {kind}") for kind, node in self.routes.items()),
            *((Route(rest, "otherwise"),) if rest else ()),
        )


class PassingNode(ControlNode):
    """Passes something on: a text, what a step says, or several of these by name."""

    type_name = "builders.PassingNode"

    content: str | StepRef = ""
    """A text, or the step that says it."""

    inputs: Mapping[str, StepRef] = Field(default_factory=dict)
    """Steps by names: with them an object is passed on, with a text under `message`."""

    def read_content(self, agent: Agent, tape: Tape) -> Any:
        """Return what is passed on, as JSON data.

        Raises:
            AgentRunError: it refers to a step that is not there.
        """
        steps = agent.compute_view(tape).top.steps
        return read_passed(self.content, self.inputs, steps, self.name)


def read_passed(
    content: str | StepRef, inputs: Mapping[str, StepRef], steps: Sequence[Step], reader: str
) -> Any:
    """Return what a node passes on, as JSON data; `reader` is its name.

    Raises:
        AgentRunError: it refers to a step that is not there.
    """
    message = content.read(steps, reader) if isinstance(content, StepRef) else content
    if not inputs:
        return message
    named = {name: ref.read(steps, reader) for name, ref in inputs.items()}
    return {"message": message, **named} if message else named


class CallNode(PassingNode):
    """Calls a subagent, with a text or inputs."""

    type_name = "builders.CallNode"

    subagent: str
    next_node: str = ""
    """The node that runs once the subagent has responded; empty: the one that follows in order."""

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        turn = (SetNextNode(next_node=self.next_node),) if self.next_node else ()
        content = self.read_content(agent, tape)
        return (*turn, Call(agent_name=self.subagent, content=content))

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        turn = self.next_node or self.following(agent)
        return (Route(turn, f"when {self.subagent} has responded", self.subagent),)


class MemberTask(FrozenModel):
    """A subagent that is called together with others, and what it is told."""

    subagent: str
    content: str | StepRef = ""
    """A text, or the step that says it."""

    inputs: Mapping[str, StepRef] = Field(default_factory=dict)
    """Steps by names: with them an object is passed on, with a text under `message`."""


class CallTogetherNode(ControlNode):
    """Calls several subagents at once, and goes on when enough of them have responded.

    The same subagent may be called more than once.
    """

    type_name = "builders.CallTogetherNode"

    calls: tuple[MemberTask, ...] = Field(min_length=1, max_length=MOST_TOGETHER)
    join: Literal["all", "first"] | PositiveInt = "all"
    """How many have to respond; the others are cancelled then."""

    next_node: str = ""
    """The node that runs afterwards; empty: the one that follows in order."""

    @model_validator(mode="after")
    def _check_join(self) -> Self:
        if isinstance(self.join, int) and self.join > len(self.calls):
            raise AgentConfigError(
                f"Node {self.name!r} waits for {self.join} responses but calls only "
                f"{len(self.calls)} subagents; lower `join`, or add calls.",
                node=self.name,
            )
        return self

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        steps = agent.compute_view(tape).top.steps
        turn = (SetNextNode(next_node=self.next_node),) if self.next_node else ()
        calls = tuple(
            MemberCall(
                agent_name=one.subagent,
                content=read_passed(one.content, one.inputs, steps, self.name),
            )
            for one in self.calls
        )
        return (*turn, CallTogether(calls=calls, join=self.join))

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        turn = self.next_node or self.following(agent)
        when = "when all have responded"
        if self.join != "all":
            when = f"when {self.join} of them have responded"
        if self.join in ("first", 1):
            when = "when one of them has responded"
        names = dict.fromkeys(one.subagent for one in self.calls)
        return tuple(Route(turn, when, name) for name in names)


class RespondNode(PassingNode):
    """Gives control back to the caller, or if nobody has called, says the content to the person."""

    type_name = "builders.RespondNode"
    talks: ClassVar[bool] = True

    copy_output: bool = False
    """Also copy the agent's own last output into the caller's view."""

    next_node: str = ""
    """The node that begins the next turn with the person; empty: the first one."""

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        content = self.read_content(agent, tape)
        return respond_or_say(
            agent, tape, content, copy_output=self.copy_output, next_node=self.next_node
        )

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return ()


def respond_or_say(
    agent: Agent, tape: Tape, content: Any, *, copy_output: bool = False, next_node: str = ""
) -> tuple[Step, ...]:
    """Return a response to the caller, or if nobody has called, an answer to the person.

    After the answer `next_node` begins the next turn, or the agent's first node.
    """
    if len(agent.compute_view(tape).views) > 1:
        return (Respond(content=content, copy_output=copy_output),)
    turn = SetNextNode(next_node=next_node or agent.nodes[0].name)
    return (turn, AssistantStep(content=show_text(content)))


class StopNode(ControlNode):
    """Ends the tape."""

    type_name = "builders.StopNode"

    reason: str = ""

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        return (FinalStep(reason=self.reason),)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return ()
