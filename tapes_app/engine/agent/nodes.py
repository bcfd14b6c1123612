"""Nodes: one prompt and the processing of its answer; the smallest part of an agent (paper 2.1).

Node methods are pure: the same tape and the same answer give the same prompt and steps. A node
never calls the LLM; the agent does. How the answer is sampled is the node's choice, too, which
overrides its agent's and its model's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Container
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import Field, model_validator

from tapes_app.engine.errors import AgentConfigError, TrainingTextError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent
    from tapes_app.engine.environment.tool_functions import AnyTool

TOOL_MODES = ("auto", "none", "required")


class Sampling(FrozenModel):
    """Parameters that a node sets; `None` = as the agent or the model specifies."""

    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    stop: tuple[Annotated[str, Field(min_length=1)], ...] | None = None
    seed: int | None = None

    def without(self, names: Container[str]) -> Self:
        """Return the rest, without the named parameters, which are decided elsewhere."""
        chosen = self.model_dump(exclude_none=True)
        return type(self)(**{name: value for name, value in chosen.items() if name not in names})


def apply_choices(prompt: Prompt, sampling: Sampling, tool_choice: str) -> Prompt:
    """Return a prompt with its node's choices applied; what the prompt itself sets is kept.

    Raises:
        AgentConfigError: a tool must be called that the prompt does not offer.
    """
    chosen = dump_json_data(sampling, exclude_none=True)
    changes: dict[str, Any] = {}
    if chosen:
        changes["sampling"] = {**chosen, **(prompt.sampling or {})}
    # Providers refuse a tool choice without tools.
    if tool_choice and prompt.tools and prompt.tool_choice is None:
        changes["tool_choice"] = _write_choice(prompt, tool_choice)
    return prompt.model_copy(update=changes) if changes else prompt


def _write_choice(prompt: Prompt, tool_choice: str) -> str | dict[str, Any]:
    if tool_choice in TOOL_MODES:
        return tool_choice
    offered = [tool.get("function", {}).get("name") for tool in prompt.tools or ()]
    if tool_choice not in offered:
        raise AgentConfigError(
            f"tool_choice names {tool_choice!r}, but the node offers {offered}; name one of them, "
            f"or one of {list(TOOL_MODES)}.",
            tool=tool_choice,
        )
    return {"type": "function", "function": {"name": tool_choice}}


class Route(NamedTuple):
    """What may happen after a node; drawn as an arrow."""

    node: str | int = ""
    """The node that runs next, by name or position; empty: none of its agent."""

    label: str = ""
    """When, in a few words; empty: whenever no other route is taken."""

    agent: str = ""
    """The subagent that is called before."""


NODE_CLASSES: dict[str, type[Node]] = {}


class Node(FrozenModel):
    """Makes a prompt from the tape and steps from the answer.

    Subclasses are registered under their module and class (or `type_name`), so that agents can be
    stored as data: an unregistered class cannot be named.
    """

    type_name: ClassVar[str] = "Node"

    former_names: ClassVar[tuple[str, ...]] = ()
    """Other names that stored agents may use, such as those from a module that has moved."""

    talks: ClassVar[bool] = False
    """Whether it talks to a person, who then joins the environment built from its tools."""

    reads_whole_tape: ClassVar[bool] = False
    """Whether it continues from any tape, whoever wrote it and whichever agent is active there: it
    ignores views. Meant for an agent with a single node."""

    name: str = ""
    """Unique within its agent; the class name when empty."""

    llm: str = "default"
    """Which of the agent's LLMs answers the prompt."""

    sampling: Sampling = Sampling()
    """How the answer is sampled; overrides the agent and the model."""

    tool_choice: str = ""
    """One of auto, none and required, or the tool that must be called; empty: not specified."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "type_name" not in cls.__dict__:
            cls.type_name = _full_name(cls)
        taken = NODE_CLASSES.get(cls.type_name)
        if taken is not None and _full_name(taken) != _full_name(cls):
            raise AgentConfigError(
                f"Node type {cls.type_name!r} is already used by {taken.__module__}; give "
                f"{cls.__module__}.{cls.__name__} another `type_name`."
            )
        NODE_CLASSES[cls.type_name] = cls

    @model_validator(mode="before")
    @classmethod
    def _name_after_class(cls, values: Any) -> Any:
        if isinstance(values, dict) and not values.get("name"):
            return {**values, "name": cls.type_name.rpartition(".")[2]}
        return values

    def list_tools(self) -> tuple[AnyTool, ...]:
        """Return the tools that its prompts offer and an environment must answer."""
        return ()

    def list_defined_kinds(self) -> tuple[DefinedKind, ...]:
        """Return the kinds among those that it writes which its agent defines by their fields."""
        return ()

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        """Return the prompt; the null prompt by default, which calls no LLM."""
        return Prompt()

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        """Yield the steps that follow from the answer, and partial ones as it arrives."""
        nothing: tuple[Step, ...] = ()
        for step in nothing:  # makes this an async generator, like every override
            yield step

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        """Return the answer that would lead to the node run that starts at step `index`.

        Raises:
            TrainingTextError: this node cannot rebuild it; its agent is not trainable.
        """
        raise TrainingTextError(
            f"Node {self.name!r} cannot rebuild its model output; "
            f"give {type(self).__name__} a make_llm_output method.",
            node=self.name,
        )

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        """Return what may run next, for a drawing; by default the next node in order.

        A node that chooses in other ways overrides it.
        """
        following = self.following(agent)
        return (Route(following),) if following else ()

    def following(self, agent: Agent) -> str:
        """Return the name of the next node in order; empty after the last one."""
        names = [node.name for node in agent.nodes]
        at = names.index(self.name) + 1 if self.name in names else len(names)
        return names[at] if at < len(names) else ""

    def with_name(self, name: str) -> Self:
        return self.model_copy(update={"name": name})


def find_node_class(name: str) -> type[Node] | None:
    """Return the node class that a type name in an agent refers to.

    Before types were named by module and class, the class name alone was used; agents stored then
    still resolve.

    Raises:
        AgentConfigError: the name matches several classes.
    """
    if name in NODE_CLASSES:
        return NODE_CLASSES[name]
    found = [cls for cls in NODE_CLASSES.values() if name in _list_former_names(cls)]
    if len(found) > 1:
        raise AgentConfigError(
            f"Node type {name!r} is ambiguous; use one of "
            f"{sorted(cls.type_name for cls in found)}.",
            type=name,
        )
    return found[0] if found else None


def _list_former_names(cls: type[Node]) -> tuple[str, ...]:
    if cls.type_name == _full_name(cls):
        return (cls.__name__, *cls.former_names)
    return cls.former_names


def _full_name(cls: type[Node]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
