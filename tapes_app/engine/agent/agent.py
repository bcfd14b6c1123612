"""Agents: nodes, LLMs, prompt templates and subagents put together (paper 2.2).

`run` runs an agent; `selection` chooses the next node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, SkipValidation, model_validator

from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.environment.actions import ends_turn
from tapes_app.engine.errors import AgentConfigError, AgentNotFoundError
from tapes_app.engine.model.llm import LLM
from tapes_app.engine.prompts.briefing import Briefing
from tapes_app.engine.prompts.variables import fill_in
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import TapeView, ViewStack, compute_view_stack

if TYPE_CHECKING:
    from tapes_app.engine.agent.run import AgentStream
    from tapes_app.engine.environment.supervision import Supervisor

DEFAULT = "default"
MAX_ITERATIONS = 100

Value = TypeVar("Value")

AGENT_CLASSES: dict[str, type[Agent]] = {}
"""The subclasses that a spec can name."""


class Agent(BaseModel):
    """One member of a team, or the whole team seen from its root.

    Build one with `Agent.create`. A subclass may override how nodes are chosen (`select_node`) and
    when turns end (`should_stop`); specs refer to it by its class name.
    """

    type_name: ClassVar[str] = ""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )

    name: str
    description: str = ""
    """What it is for; a team's spec shows that of each member."""

    llms: dict[str, SkipValidation[LLM]] = Field(default_factory=dict)
    """Models by name; nodes use "default" unless they name another."""

    templates: dict[str, Any] = Field(default_factory=dict)
    """Prompt texts or function templates by name: what prompt tuning changes."""

    nodes: tuple[SerializeAsAny[Node], ...] = ()
    subagents: tuple[Agent, ...] = ()
    max_iterations: int = Field(default=MAX_ITERATIONS, gt=0)
    """How many node runs a turn may take before it counts as a runaway."""

    briefing: Briefing = Field(default_factory=Briefing, exclude=True)
    """What a run knows about its tape; not part of the agent's definition."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "type_name" not in cls.__dict__:
            cls.type_name = f"{cls.__module__}.{cls.__qualname__}"
        AGENT_CLASSES[cls.type_name] = cls

    @classmethod
    def create(
        cls,
        name: str = "",
        *,
        llms: LLM | Mapping[str, LLM] | None = None,
        templates: str | Mapping[str, Any] | None = None,
        nodes: Sequence[Node] = (),
        subagents: Sequence[Agent] = (),
        **options: Any,
    ) -> Self:
        """Build an agent; a single LLM or template goes under "default".

        Raises:
            AgentConfigError: a duplicate node or subagent, a subagent that is not an agent or
                appears in the team twice, a node whose LLM is unknown, an LLM that does not
                implement the protocol.
        """
        for subagent in subagents:
            if not isinstance(subagent, Agent):
                raise AgentConfigError(
                    f"Subagent {subagent!r} of {name!r} is not an agent but "
                    f"{type(subagent).__name__}."
                )
        return cls(
            name=name or cls.__name__,
            llms=_named(llms),
            templates=_named(templates),
            nodes=tuple(nodes),
            subagents=tuple(subagents),
            **options,
        )

    @model_validator(mode="after")
    def _check(self) -> Self:
        _refuse_duplicates("node", self.name, [node.name for node in self.nodes])
        _refuse_duplicates("subagent", self.name, [agent.name for agent in self.subagents])
        if "/" in self.name or not self.name:
            raise AgentConfigError(f"Agent name {self.name!r} must be text without '/'.")
        seen: dict[int, str] = {}
        for path, member in self.walk():
            if id(member) in seen:
                raise AgentConfigError(
                    f"Agent {member.name!r} already has a manager: it is both {seen[id(member)]!r} "
                    f"and {path!r}. Use clone() to add it twice."
                )
            seen[id(member)] = path
        for name, llm in self.llms.items():
            if not isinstance(llm, LLM):
                raise AgentConfigError(
                    f"LLM {name!r} of agent {self.name!r} is not an LLM but "
                    f"{type(llm).__name__}; pass an object with `model_name`, `describe` and "
                    "`stream`.",
                    llm=name,
                )
        for node in self.nodes:
            if self.llms and node.llm not in self.llms:
                raise AgentConfigError(
                    f"Node {node.name!r} of agent {self.name!r} needs LLM {node.llm!r}; "
                    f"available: {sorted(self.llms)}.",
                    node=node.name,
                )
        return self

    def walk(self, path: str = "") -> Iterator[tuple[str, Agent]]:
        """Yield every member of the team with its path, this agent first."""
        own = f"{path}/{self.name}" if path else self.name
        yield own, self
        for subagent in self.subagents:
            yield from subagent.walk(own)

    def list_defined_kinds(self) -> tuple[DefinedKind, ...]:
        """Return the kinds of steps that the team's nodes write and its spec defines.

        Raises:
            AgentConfigError: two of them share a name.
        """
        found: dict[str, DefinedKind] = {}
        nodes = (node for _, member in self.walk() for node in member.nodes)
        for kind in (kind for node in nodes for kind in node.list_defined_kinds()):
            if found.setdefault(kind.name, kind) != kind:
                raise AgentConfigError(
                    f"Two nodes define the kind {kind.name!r} differently; rename one of them.",
                    kind=kind.name,
                )
        return tuple(found.values())

    def find_subagent(self, path: str) -> Agent:
        """Return the member at a path below this agent; "" is this agent itself.

        Raises:
            AgentNotFoundError: there is no such member.
        """
        agent = self
        for name in path.split("/") if path else ():
            match = [member for member in agent.subagents if member.name == name]
            if not match:
                known = [member.name for member in agent.subagents]
                raise AgentNotFoundError(
                    f"Agent {agent.name!r} has no subagent {name!r}; available: {known}.",
                    agent=agent.name,
                    subagent=name,
                )
            found = match[0]
            # A member without models uses its manager's.
            inherits = agent.llms and not found.llms
            agent = found.model_copy(update={"llms": agent.llms}) if inherits else found
        return agent

    @property
    def routes_itself(self) -> bool:
        return type(self).select_node is not Agent.select_node

    def select_node(self, tape: Tape) -> Node:
        """Return the node to run next while this agent is active; see `selection`."""
        from tapes_app.engine.agent.selection import select_node

        view = self.compute_view(tape).top
        writer = view.last_agent.partition("/")[0]
        return select_node(self, view, root_name=writer if view.agent_path else self.name)

    def should_stop(self, tape: Tape) -> bool:
        """Return whether the turn is over; the root is asked after every node run.

        By default, a turn ends once a node run has produced an action.
        """
        prompt_id = tape[-1].metadata.prompt_id
        for position in range(len(tape) - 1, -1, -1):
            step = tape[position]
            if step.metadata.prompt_id != prompt_id:
                return False
            if ends_turn(step):
                return True
        return False

    @property
    def reads_whole_tape(self) -> bool:
        """Whether the agent can continue from any tape (see `Node.reads_whole_tape`)."""
        return bool(self.nodes) and self.nodes[0].reads_whole_tape

    def find_node(self, name: str) -> Node | None:
        return next((node for node in self.nodes if node.name == name), None)

    def read_template(self, name: str) -> str:
        """Return a prompt text.

        Raises:
            AgentConfigError: there is no template of this name.
        """
        text = self.templates.get(name)
        if not isinstance(text, str):
            raise AgentConfigError(
                f"Agent {self.name!r} has no template {name!r}; available: "
                f"{sorted(self.templates)}.",
                agent=self.name,
                template=name,
            )
        return text

    def fill_template(self, name: str, view: TapeView) -> str:
        """Return a prompt text with its variables filled in from the steps of a view.

        Raises:
            AgentConfigError: there is no template of this name.
        """
        return fill_in(self.read_template(name), view.steps_by_kind)

    @property
    def llm_names(self) -> tuple[str, ...]:
        """The names under which the agent looks up LLMs: its own, or those its nodes ask for."""
        return tuple(self.llms) or tuple(dict.fromkeys(node.llm for node in self.nodes))

    def compute_view(self, tape: Tape) -> ViewStack:
        """Return the view stack of the tape (paper 2.2.1)."""
        return compute_view_stack(tape)

    def run(self, tape: Tape, supervisor: Supervisor | None = None) -> AgentStream:
        """Continue the tape until a node acts, or calls several agents; see `AgentStream`."""
        from tapes_app.engine.agent.run import AgentStream

        return AgentStream(self, tape, supervisor)

    def run_sync(self, tape: Tape) -> Tape:
        """Run in a script without an event loop and return the final tape."""
        import asyncio

        return asyncio.run(self.run(tape).get_final_tape())

    def clone(self) -> Self:
        """Return a copy that can join another team."""
        return self.model_copy(
            update={"subagents": tuple(member.clone() for member in self.subagents)}
        )

    def with_llms(self, llms: Mapping[str, LLM]) -> Self:
        """Return this team with every member's LLMs replaced by name; the others are kept.

        A member without LLMs gets those that its nodes ask for.
        """
        given = {name: llms[name] for name in self.llm_names if name in llms}
        own = {**self.llms, **given}
        members = tuple(member.with_llms(llms) for member in self.subagents)
        return self.model_copy(update={"llms": own, "subagents": members})

    def with_briefing(self, briefing: Briefing) -> Self:
        """Return this team with a briefing on what its tape's steps do not show."""
        members = tuple(member.with_briefing(briefing) for member in self.subagents)
        return self.model_copy(update={"briefing": briefing, "subagents": members})


def _named(value: Value | Mapping[str, Value] | None) -> dict[str, Value]:
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else {DEFAULT: value}


def _refuse_duplicates(what: str, agent: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise AgentConfigError(f"Agent {agent!r} has more than one {what} named {twice}.")
