"""TeamAgent: members who speak one at a time on one tape, and who chooses them (paper 3.1).

The manager broadcasts what was said to all members, chooses who speaks next and calls that member,
until it responds itself. Each member sees what it was told and what it did; any agent may be one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, create_model

from tapes_app.builders.conditions import Condition
from tapes_app.builders.control_flow import (
    CallNode,
    ControlNode,
    RespondNode,
    StopNode,
    respond_or_say,
)
from tapes_app.builders.step_refs import StepRef, value_of
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node, Route
from tapes_app.engine.agent.talk_node import (
    ROUTE_OF_TOOLS,
    TalkNode,
    read_answer,
    refuse_empty,
    wrong_step,
)
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.messages import Message, assistant_message, system_message, user_message
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.engine.prompts.chat_messages import as_text, show_text, step_to_message
from tapes_app.engine.prompts.sound_messages import SoundMessages, view_to_messages
from tapes_app.engine.prompts.structured_output import StructuredOutputError, read_structured
from tapes_app.engine.tape.control_steps import Broadcast, Call, Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, ParsingFailure, ToolCalls, UserStep
from tapes_app.engine.tape.media import list_media
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import TapeView

if TYPE_CHECKING:
    from tapes_app.engine.environment.tool_functions import AnyTool
    from tapes_app.engine.model.llm import LLM

NOBODY = "nobody"
"""What a model answers if nobody is to speak any more."""

PERSON = "person"


class MemberNode(TalkNode):
    """A worker: reads what it was told, may use tools, and responds with its model's text."""

    type_name = "builders.MemberNode"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        stack = agent.compute_view(tape)
        path = stack.top.path
        heard = [_tell(step, path) for step in stack.messages_by_agent.get(path, ())]
        own = view_to_messages(stack.top, agent)
        # Its call is the last thing that it was told.
        since = own[1:] if heard and isinstance(stack.top.steps[0], Call) else own
        messages = [
            system_message(agent.fill_template(self.template, stack.top)),
            *filter(None, heard),
            *since,
        ]
        if self.guidance:
            messages.append(user_message(agent.fill_template(self.guidance, stack.top)))
        return Prompt(messages=tuple(messages), tools=self.list_schemas() or None)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        answer = read_answer(self, await llm_stream.get_message())
        if isinstance(answer, ToolCalls):
            yield SetNextNode(next_node=self.name)
            yield answer
            return
        for step in respond_or_say(agent, tape, answer.content):
            yield step

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (Route(self.name, ROUTE_OF_TOOLS),) if self.list_schemas() else ()

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index : index + 2]:
            case (Respond() as step, *_):
                return LLMOutput(content=as_text(step.content))
            case (SetNextNode(), AssistantStep() | ToolCalls() as answer):
                return answer.to_llm_output()
            case _:
                raise wrong_step(self, tape, index, "tool calls or a response")


class TellNode(ControlNode):
    """Broadcasts the last message to all members but the one that said it."""

    type_name = "builders.TellNode"

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        view = agent.compute_view(tape).top
        messages = [step for step in view.steps if _is_message(step, view)]
        if not messages:
            return (Broadcast(to=()),)
        last = messages[-1]
        speaker = _speaker_of(last)
        to = tuple(member.name for member in agent.subagents if member.name != speaker)
        return (Broadcast(content=value_of(last), from_=speaker, to=to),)


class SpeakerRule(FrozenModel):
    """Who speaks next if a condition holds of what the manager sees since its task."""

    condition: Condition
    member: str = ""
    """The member that speaks; empty: nobody, the manager responds with what a member said. So this
    rule waits until one has spoken on the task."""


class SpeakerNode(Node):
    """Chooses who speaks next and calls that member, or goes on if nobody is to speak.

    The first rule that holds of the steps since the task decides; otherwise the model, or the order
    of the members. Neither chooses nobody before a member has spoken on the task. After a call, the
    agent's first node runs. A member of another kind is told by its call what it has missed; a
    `MemberNode` has heard it.
    """

    type_name = "builders.SpeakerNode"

    template: str = "system"
    """The agent's template that the model's prompt starts with."""

    guidance: str = ""
    """The agent's template that asks who speaks next; empty: a plain question."""

    choose: Literal["model", "turn"] = "turn"
    rules: tuple[SpeakerRule, ...] = ()
    most_calls: int = Field(default=10, ge=1)
    """How often members speak before nobody does any more."""

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        view = agent.compute_view(tape).top
        if self._decide(agent, view) is not None:
            return Prompt()
        sound = SoundMessages()
        for step in view.steps:
            if not isinstance(step, Broadcast):  # it repeats what is there
                sound.add_step(step, is_own_call=step is view.steps[0] and isinstance(step, Call))
        form = _make_form(_list_choices(agent, view))
        question = (
            agent.fill_template(self.guidance, view) if self.guidance else "Choose who speaks next."
        )
        names = ", ".join(_names_of(agent))
        end = f"; {NOBODY} if all is said" if _has_answer(view) else ""
        request = f"{question} Members: {names}{end}."
        opening = system_message(agent.fill_template(self.template, view))
        return Prompt(
            messages=(opening, *sound.take(), user_message(request)),
            response_format=make_response_format(form),
        )

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        view = agent.compute_view(tape).top
        chosen = self._decide(agent, view)
        if chosen is None:
            output = await llm_stream.get_message()
            refuse_empty(self, output)
            text = output.content or ""
            try:
                answer = read_structured(text, _make_form(_list_choices(agent, view)))
            except StructuredOutputError as error:
                yield ParsingFailure(error=error.message, llm_output=text)
                yield SetNextNode(next_node=self.name)
                return
            name = str(answer.model_dump()["member"])
            chosen = "" if name == NOBODY else name
        if not chosen:
            yield SetNextNode(next_node=self.following(agent))
            return
        yield SetNextNode(next_node=agent.nodes[0].name)
        yield Call(agent_name=chosen, content=_find_missed(agent, tape, chosen))

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index : index + 2]:
            case (ParsingFailure() as failure, *_):
                return LLMOutput(content=failure.llm_output)
            case (SetNextNode(), Call() as step):
                name = step.agent_name
            case (SetNextNode(), *_):
                name = NOBODY
            case _:
                raise wrong_step(self, tape, index, "the choice of a node and a call")
        if name not in (*_names_of(agent), NOBODY):
            raise wrong_step(self, tape, index, f"calls of {_names_of(agent)}")
        form = _make_form((*_names_of(agent), NOBODY))
        return LLMOutput(content=form(member=name).model_dump_json())

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        first = agent.nodes[0].name
        called = (Route(first, f"{name} speaks", name) for name in _names_of(agent))
        return (*called, Route(self.following(agent), "nobody speaks"))

    def _decide(self, agent: Agent, view: TapeView) -> str | None:
        """Return who speaks next: empty = nobody, `None` = the model says."""
        since = _steps_since_task(view)
        if sum(isinstance(step, Respond) for step in since) >= self.most_calls:
            return ""
        for rule in self.rules:
            if (rule.member or _has_answer(view)) and rule.condition.holds(since):
                return rule.member
        if self.choose == "model":
            return None
        names = _names_of(agent)
        own = view.steps[1:] if view.agent_path else view.steps
        last = next((step.agent_name for step in reversed(own) if isinstance(step, Call)), "")
        return names[(names.index(last) + 1) % len(names)] if last in names else names[0]


def build_worker(
    name: str,
    instruction: str,
    *,
    tools: Iterable[AnyTool] = (),
    llms: LLM | Mapping[str, LLM] | None = None,
) -> Agent:
    """Return a member that responds with what its model says, after the tools that it calls."""
    node = MemberNode(name="respond", tools=tuple(tools))
    return Agent.create(name, llms=llms, templates={"system": instruction}, nodes=[node])


def build_team(
    name: str,
    members: Sequence[Agent],
    *,
    instruction: str = "You lead a team.",
    choose: Literal["model", "turn"] = "turn",
    rules: Sequence[SpeakerRule] = (),
    most_calls: int = 10,
    llms: LLM | Mapping[str, LLM] | None = None,
) -> Agent:
    """Return the manager of a team: a person, or an initiator, gives it a task.

    Its response is the last one of a member.

    Raises:
        AgentConfigError: it has no members, a rule names none of them, or one has a name that a
            team uses otherwise.
    """
    names = [member.name for member in members]
    strangers = sorted({rule.member for rule in rules} - {*names, ""})
    if not names or strangers or NOBODY in names:
        raise AgentConfigError(
            f"Team {name!r} needs members, none of them named {NOBODY!r}, and rules that name "
            f"these; it has {names}, and its rules name {strangers} besides.",
            agent=name,
        )
    speaker = SpeakerNode(name="choose", choose=choose, rules=tuple(rules), most_calls=most_calls)
    return Agent.create(
        name,
        llms=llms,
        templates={"system": instruction},
        nodes=[
            TellNode(name="tell"),
            speaker,
            RespondNode(name="respond", content=StepRef(kind="respond")),
        ],
        subagents=members,
    )


def build_initiator(name: str, team: Agent, *, opening: str = "") -> Agent:
    """Return an agent that gives a team its first message, and ends with its response.

    With an `opening` it needs no person, and the tape ends; without one, it passes on what the
    person said, and says the response.
    """
    content = opening or StepRef(kind="user")
    end = (
        StopNode(name="end", reason="The team has responded.")
        if opening
        else RespondNode(name="end", content=StepRef(subagent=team.name))
    )
    call = CallNode(name="call", subagent=team.name, content=content)
    return Agent.create(name, nodes=[call, end], subagents=[team])


def _names_of(agent: Agent) -> tuple[str, ...]:
    return tuple(member.name for member in agent.subagents)


def _steps_since_task(view: TapeView) -> Sequence[Step]:
    steps = view.steps
    return steps[
        max((at for at, one in enumerate(steps) if isinstance(one, UserStep)), default=0) :
    ]


def _has_answer(view: TapeView) -> bool:
    return any(isinstance(step, Respond) for step in _steps_since_task(view))


def _list_choices(agent: Agent, view: TapeView) -> tuple[str, ...]:
    """Return what a model may answer: without an answer of a member, there is nothing to say."""
    return (*_names_of(agent), *((NOBODY,) if _has_answer(view) else ()))


@lru_cache(maxsize=256)
def _make_form(choices: tuple[str, ...]) -> type[BaseModel]:
    wanted: Any = Literal[choices]
    return create_model("Speaker", __base__=FrozenModel, member=(wanted, ...))


def _is_message(step: Step, view: TapeView) -> bool:
    is_task = bool(view.agent_path) and step is view.steps[0]
    return is_task or isinstance(step, UserStep | Respond)


def _speaker_of(step: Step) -> str:
    return step.metadata.agent.rpartition("/")[2] or PERSON


def _find_missed(agent: Agent, tape: Tape, name: str) -> str:
    """Return what a member was told since it last spoke, if it does not hear broadcasts itself."""
    member = agent.find_subagent(name)
    if any(isinstance(node, MemberNode) for node in member.nodes):
        return ""
    stack = agent.compute_view(tape)
    missed: list[str] = []
    for step in stack.messages_by_agent.get(f"{stack.top.path}/{name}", ()):
        if isinstance(step, Broadcast):
            missed.append(f"{step.from_}: {show_text(step.content)}")
        else:
            missed = []
    return "\n\n".join(missed)


def _tell(step: Step, path: str) -> Message | None:
    """Return a message of the team as one of its members reads it; `None` if it says nothing."""
    match step:
        case Broadcast():
            words = f"{step.from_}: {show_text(step.content)}"
            media = list_media(step.content)
            parts = [{"type": "text", "text": words}, *media]
            return Message(role="user", content=parts) if media else user_message(words)
        case Call() if step.metadata.agent != path:
            return step_to_message(step, is_own_call=True) if step.content else None
        case Respond() if step.metadata.agent == path:
            return assistant_message(as_text(step.content))
        case _:
            return None
