"""Nodes: one prompt and the processing of its answer; the smallest part of an agent (paper 2.1).

Node methods are pure: the same tape and the same answer give the same prompt and steps. A node
never calls the LLM; the agent does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, model_validator

from tapes_app.engine.errors import AgentConfigError, TrainingTextError
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent

NODE_CLASSES: dict[str, type[Node]] = {}


class Node(BaseModel):
    """Makes a prompt from the tape and steps from the answer.

    Subclasses are registered under their class name (or `type_name`), so that agents can be
    kept as data without import paths.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    type_name: ClassVar[str] = "Node"

    reads_whole_tape: ClassVar[bool] = False
    """It goes on from any tape, whoever wrote it and whoever is active there: views do not
    matter to it. Meant for the only node of an agent."""

    name: str = ""
    """Unique within its agent; the class name when empty."""

    llm: str = "default"
    """Which of the agent's LLMs answers the prompt."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "type_name" not in cls.__dict__:
            cls.type_name = cls.__name__
        taken = NODE_CLASSES.get(cls.type_name)
        if taken is not None and taken.__qualname__ != cls.__qualname__:
            raise AgentConfigError(
                f"Node type {cls.type_name!r} is taken by {taken.__module__}; "
                f"give {cls.__module__}.{cls.__name__} another `type_name`."
            )
        NODE_CLASSES[cls.type_name] = cls

    @model_validator(mode="before")
    @classmethod
    def _name_after_class(cls, values: Any) -> Any:
        if isinstance(values, dict) and not values.get("name"):
            return {**values, "name": cls.type_name.rpartition(".")[2]}
        return values

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
