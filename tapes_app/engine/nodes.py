"""Nodes: one prompt and the processing of its answer; the smallest part of an agent (paper 2.1).

Node methods are pure: the same tape and the same answer give the same prompt and steps. A node
never calls the LLM; the agent does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import model_validator

from tapes_app.engine.errors import AgentConfigError, TrainingTextError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.sampling import Sampling
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent
    from tapes_app.engine.tool_functions import AnyTool

NODE_CLASSES: dict[str, type[Node]] = {}


class Node(FrozenModel):
    """Makes a prompt from the tape and steps from the answer.

    Subclasses are registered under their module and class (or `type_name`), so that agents can
    be kept as data: what is not registered cannot be named.
    """

    type_name: ClassVar[str] = "Node"

    former_names: ClassVar[tuple[str, ...]] = ()
    """Other names that agents were stored with, such as those of a module that has moved."""

    talks: ClassVar[bool] = False
    """It says things to a person, who is then part of an environment made of its tools."""

    reads_whole_tape: ClassVar[bool] = False
    """It continues from any tape, whoever wrote it and whoever is active there: views do not
    matter to it. Meant for the only node of an agent."""

    name: str = ""
    """Unique within its agent; the class name when empty."""

    llm: str = "default"
    """Which of the agent's LLMs answers the prompt."""

    sampling: Sampling = Sampling()
    """How the answer is sampled; over what the agent and the model say."""

    tool_choice: str = ""
    """One of auto, none and required, or the tool that has to be called; empty: not said."""

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
        """Return the tools that its prompts offer and an environment has to answer."""
        return ()

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        """Return what to ask; the null prompt by default, and then no LLM is called."""
        return Prompt()

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        """Give the steps that follow from the answer, partial ones as they come."""
        nothing: tuple[Step, ...] = ()
        for step in nothing:  # an async generator, like every override
            yield step

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        """Return the answer that would lead to the node run which starts at step `index`.

        Raises:
            TrainingTextError: this node cannot tell; its agent is not trainable.
        """
        raise TrainingTextError(
            f"Node {self.name!r} cannot rebuild its model output; "
            f"give {type(self).__name__} a make_llm_output method.",
            node=self.name,
        )

    def with_name(self, name: str) -> Self:
        return self.model_copy(update={"name": name})


def find_node_class(name: str) -> type[Node] | None:
    """Return the node class that an agent means by a type name.

    Before types were named by module and class, the class alone was their name; agents that
    were stored then still find it.

    Raises:
        AgentConfigError: several classes may be meant.
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
