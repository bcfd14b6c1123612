"""Teams whose members are called together; models and worlds that depend on nothing but prompts."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal, NamedTuple

from hypothesis import strategies as st

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.environment.actions import PendingAction, UnknownActionError
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.model.llm import LLMEvent, LLMOutput, LLMResult, LLMStream, Prompt
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.control_steps import (
    CallTogether,
    FinalStep,
    MemberCall,
    Respond,
    SetNextNode,
)
from tapes_app.engine.tape.dialog_steps import AssistantThought
from tapes_app.engine.tape.steps import Action, Observation, PartialStep, Step
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import ThinkNode, build_steps_node


class EchoLLM:
    """Answers with the length of the prompt and its last words."""

    model_name = "echo"

    def describe(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        said = prompt.messages[-1].text
        yield LLMResult(output=LLMOutput(content=f"{len(prompt.messages)}|{said[-20:]}"))


class Look(Action):
    kind: Literal["lane_look"] = "lane_look"
    at: str


class Seen(Observation):
    kind: Literal["lane_seen"] = "lane_seen"
    what: str


class World(Environment):
    """Shows what it is asked to look at."""

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if not isinstance(pending.action, Look):
            raise UnknownActionError("The world can only be looked at.", kind=pending.action.kind)
        return [Seen(what=f"seen {pending.action.at}")]


class WorkNode(Node):
    """Thinks a few times, or looks at things, then responds with what its model says."""

    rounds: int = 0
    looks: bool = False

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=tuple(view_to_messages(agent.compute_view(tape).top, agent)))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        text = await llm_stream.get_text()
        view = agent.compute_view(tape).top
        done = sum(
            len(view.steps_by_kind.get(kind, ())) for kind in ("assistant_thought", "lane_look")
        )
        if done < self.rounds:
            yield SetNextNode(next_node=self.name)
            yield Look(at=text) if self.looks else AssistantThought(content=text)
        else:
            yield Respond(content=text)

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        step = tape[index + 1] if isinstance(tape[index], SetNextNode) else tape[index]
        return LLMOutput(
            content=step.at if isinstance(step, Look) else step.content_dict()["content"]
        )


class Shape(NamedTuple):
    """A member: how often it works, whether it looks at things, and whom it calls together."""

    rounds: int = 1
    looks: bool = False
    below: tuple["Shape", ...] = ()


_leaf = st.tuples(st.integers(0, 2), st.booleans()).map(lambda drawn: Shape(*drawn))
_nested = st.lists(_leaf, min_size=1, max_size=2).map(lambda below: Shape(below=tuple(below)))
shapes = st.lists(_leaf | _nested, min_size=1, max_size=3).map(tuple)


def build_member(name: str, shape: Shape) -> Agent:
    if shape.below:
        return Agent.create(
            name,
            nodes=[_ask_all(shape.below, "all"), WorkNode(name="sum up")],
            subagents=[build_member(f"m{at}", one) for at, one in enumerate(shape.below)],
        )
    return Agent.create(name, nodes=[WorkNode(name="work", rounds=shape.rounds, looks=shape.looks)])


def build_lane_team(members: Sequence[Shape], join: Any = "all", llm: Any = None) -> Agent:
    """A boss who calls all members together, thinks of what they answered, and stops."""
    return Agent.create(
        "boss",
        llms=llm or EchoLLM(),
        nodes=[
            _ask_all(members, join),
            ThinkNode(name="conclude"),
            build_steps_node(FinalStep(reason="done"), name="stop"),
        ],
        subagents=[build_member(f"m{at}", one) for at, one in enumerate(members)],
    )


def _ask_all(members: Sequence[Shape], join: Any) -> Node:
    calls = tuple(
        MemberCall(agent_name=f"m{at}", content=f"task {at}") for at in range(len(members))
    )
    return build_steps_node(CallTogether(calls=calls, join=join), name="ask")
