"""Builds the spec of an agent that was read from another framework's files."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from tapes_app.authoring.domain.foreign.agents import (
    Act,
    Ask,
    Choose,
    Course,
    Difference,
    End,
    FieldIs,
    ForeignAgent,
    Say,
    SaysYes,
)
from tapes_app.builders.conditions import FieldCompares
from tapes_app.builders.control_flow import (
    CallNode,
    CallTogetherNode,
    IfNode,
    MemberTask,
    RespondNode,
    StepsNode,
)
from tapes_app.builders.mono import MonoNode
from tapes_app.builders.step_refs import StepRef
from tapes_app.builders.team import TellNode, build_team, build_worker
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, describe_agent
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.tool_functions import AnyTool, read_tools
from tapes_app.engine.tape.dialog_steps import AssistantStep

_END = "end"


class Models(NamedTuple):
    """The models of a project."""

    known: Mapping[str, str]
    """Their names, by whatever a file may call them."""

    usual: str
    """What an agent has that names none of them."""

    def find(self, wanted: str) -> str:
        return self.known.get(wanted, self.usual)


class Built(NamedTuple):
    spec: AgentSpec
    differences: tuple[Difference, ...]


def build_spec(agent: ForeignAgent, models: Models) -> Built:
    """Return the spec of an agent, and which of its models the project does not have.

    Raises:
        AgentConfigError: it has a name that no agent can have, or two members of one name.
    """
    whole = _with_itself(agent)
    made = describe_agent(_build(whole, is_root=True), models={"default": ""})
    wanted = next((one.model for one in whole.walk() if one.model), "")
    spec = _with_models(made, whole, models, inherited=wanted, is_root=True)
    return Built(spec, tuple(_find_lacking(whole, models)))


def _with_itself(agent: ForeignAgent) -> ForeignAgent:
    """Return a team in which an agent that may also answer by itself is one of its members."""
    members = tuple(map(_with_itself, agent.members))
    if members and agent.speaks == "one" and (agent.instruction or agent.tools):
        itself = replace(agent, name=f"{agent.name}_itself", members=(), description="")
        members = (itself, *members)
    return replace(agent, members=members)


def _build(agent: ForeignAgent, *, is_root: bool = False) -> Agent:
    if agent.speaks == "course":
        return _build_course(agent)
    if agent.speaks == "together":
        return _build_together(agent, is_root=is_root)
    if agent.members:
        return _build_team(agent)
    tools = read_tools(agent.tools)
    if agent.form is not None:
        return _build_former(agent, tools)
    if not is_root:
        made = build_worker(agent.name, agent.instruction, tools=tools)
        return made.model_copy(update={"description": agent.description})
    return Agent.create(
        agent.name,
        description=agent.description,
        templates={"system": agent.instruction},
        nodes=[TalkNode(name="answer", tools=tools)],
    )


def _build_former(agent: ForeignAgent, tools: tuple[AnyTool, ...]) -> Agent:
    """Return an agent whose answers are objects of a form, of which conditions read fields."""
    assert agent.form is not None
    values = {
        one.name: StepRef(kind=agent.form.name, field=f"/{one.name}") for one in agent.form.fields
    }
    asks = {"name": "answer", "steps": (agent.form,), "tools": tools}
    return Agent.create(
        agent.name,
        description=agent.description,
        templates={"system": agent.instruction},
        nodes=[MonoNode.model_validate(asks), RespondNode(name="respond", inputs=values)],
    )


def _build_team(agent: ForeignAgent) -> Agent:
    members = [_build(member) for member in agent.members]
    chosen = agent.speaks == "one"
    described = [f"- {one.name}: {one.description}" for one in agent.members if one.description]
    parts = [
        agent.instruction,
        "Members of the team:\n" + "\n".join(described) if described else "",
    ]
    made = build_team(
        agent.name,
        members,
        instruction="\n\n".join(filter(None, parts)) if chosen else "You lead a team.",
        choose="model" if chosen else "turn",
        most_calls=1 if chosen else len(members) * agent.rounds,
    )
    return made.model_copy(update={"description": agent.description})


def _build_together(agent: ForeignAgent, *, is_root: bool) -> Agent:
    """Return an agent whose members all get its task at once; it answers with their answers."""
    names = [member.name for member in agent.members]
    task = StepRef(kind="user" if is_root else "call")
    calls = tuple(MemberTask(subagent=name, content=task) for name in names)
    answers = {name: StepRef(subagent=name) for name in names}
    return Agent.create(
        agent.name,
        description=agent.description,
        nodes=[
            CallTogetherNode(name="ask", calls=calls),
            RespondNode(name="respond", inputs=answers),
        ],
        subagents=[_build(member) for member in agent.members],
    )


def _build_course(agent: ForeignAgent) -> Agent:
    layout = _Layout({one.name: one for one in agent.members})
    nodes, _ = layout.lay(agent.course, _END)
    return Agent.create(
        agent.name,
        description=agent.description,
        nodes=[*nodes, RespondNode(name=_END, content=StepRef(kind="respond"))],
        subagents=[_build(member) for member in agent.members],
    )


class _Layout:
    """Writes a course as nodes: from its end on, since each names the one after it."""

    def __init__(self, members: Mapping[str, ForeignAgent]) -> None:
        self._members = members
        self._taken = {_END}

    def lay(self, course: Course, then: str) -> tuple[list[Node], str]:
        """Return the nodes of a course, and the name of the one that runs first."""
        nodes: list[Node] = []
        for act in reversed(course):
            added, then = self._lay_act(act, then)
            nodes = [*added, *nodes]
        return nodes, then

    def _lay_act(self, act: Act, then: str) -> tuple[list[Node], str]:
        match act:
            case Ask():
                return self._lay_question(act, then)
            case Choose():
                return self._lay_choice(act, then)
            case Say():
                answer = RespondNode(name=self._name("say"), content=act.text)
                return [answer], answer.name
            case End():
                return [], _END

    def _lay_question(self, act: Ask, then: str) -> tuple[list[Node], str]:
        tell = TellNode(name=self._name(f"tell before {act.member}"))
        member = self._members[act.member]
        if member.members or member.form is not None:  # it hears nothing but its call
            inputs = {name: StepRef(subagent=name) for name in act.after}
            content: str | StepRef = StepRef(kind="user")
        else:
            inputs, content = {}, ""
        call = CallNode(
            name=self._name(f"ask {act.member}"),
            subagent=act.member,
            content=content,
            inputs=inputs,
            next_node=then,
        )
        return [tell, call], tell.name

    def _lay_choice(self, act: Choose, then: str) -> tuple[list[Node], str]:
        name, confirm = self._name("choose"), self._name("confirm")
        yes, first_yes = self.lay(act.then, then)
        no, first_no = self.lay(act.otherwise, then)
        choice = IfNode(
            name=name, condition=_read_condition(act.condition), then=first_yes, otherwise=first_no
        )
        nodes = [choice, *yes, *no]
        if not isinstance(act.condition, SaysYes):
            return nodes, name
        question = AssistantStep(content=act.condition.question)
        return [StepsNode(name=confirm, steps=[question], next_node=name), *nodes], confirm

    def _name(self, wanted: str) -> str:
        free = (wanted if at == 1 else f"{wanted} {at}" for at in count(1))
        name = next(one for one in free if one not in self._taken)
        self._taken.add(name)
        return name


def _read_condition(condition: FieldIs | SaysYes) -> FieldCompares:
    if isinstance(condition, SaysYes):
        return FieldCompares(step=StepRef(kind="user"), value="yes")
    return FieldCompares(
        step=StepRef(subagent=condition.member, field=f"/content/{condition.field}"),
        comparison=condition.comparison,
        value=condition.value,
    )


def _with_models(
    spec: AgentSpec, agent: ForeignAgent, models: Models, *, inherited: str, is_root: bool = False
) -> AgentSpec:
    wanted = agent.model or inherited
    own: dict[str, Any] = {}
    if is_root or agent.model or agent.parameters:
        parameters = dict(agent.parameters)
        own = {"default": LLMSpec(model=models.find(wanted), parameters=parameters)}
    members = tuple(
        _with_models(below, member, models, inherited=wanted)
        for below, member in zip(spec.subagents, agent.members, strict=True)
    )
    return spec.model_copy(update={"llms": own, "subagents": members})


def _find_lacking(agent: ForeignAgent, models: Models) -> Iterator[Difference]:
    for name in dict.fromkeys(one.model for one in agent.walk()):
        if name and name not in models.known:
            yield Difference(
                f"model {name[:100]!r}",
                f"The project has no such model; {models.usual!r} takes its place. Add it under "
                "Models, or choose another in the editor.",
            )
