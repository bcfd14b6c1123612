"""References to steps that an agent sees, as data: what a node reads, compares or passes on."""

from collections.abc import Sequence
from typing import Any

from pydantic import model_validator

from tapes_app.engine.errors import AgentRunError, InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.json_pointer import find_value
from tapes_app.engine.tape.control_steps import Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Step


class StepRef(FrozenModel):
    """The last step that fits, of those that an agent sees, or a field of it.

    Choices of the next node do not count. A number alone is a position: `-1` is the last step.
    """

    kind: str = ""
    """Its kind; empty: any."""

    node: str = ""
    """The node that wrote it; empty: any."""

    subagent: str = ""
    """The subagent whose response it is; empty: any step."""

    position: int = -1
    """Which of those that fit: from 0 on, or from the end, negative."""

    field: str = ""
    """The JSON pointer to a field, such as `/content`; empty: all that the step says."""

    @model_validator(mode="before")
    @classmethod
    def _read_position(cls, value: Any) -> Any:
        return {"position": value} if isinstance(value, int) else value

    def find(self, steps: Sequence[Step]) -> Step | None:
        """Return the step, or `None` if none fits."""
        fitting = [step for step in steps if self._fits(step)]
        inside = -len(fitting) <= self.position < len(fitting)
        return fitting[self.position] if inside else None

    def require(self, steps: Sequence[Step], reader: str) -> Step:
        """Return the step; `reader` names the node that asks.

        Raises:
            AgentRunError: no step fits.
        """
        step = self.find(steps)
        if step is None:
            raise AgentRunError(
                f"Node {reader!r} reads {self.describe()}, but sees no such step yet; change "
                "what it refers to, or let another node run before it.",
                node=reader,
            )
        return step

    def read(self, steps: Sequence[Step], reader: str) -> Any:
        """Return what the step says, as JSON data; `reader` names the node that asks.

        Raises:
            AgentRunError: no step fits, or it has no such field.
        """
        step = self.require(steps, reader)
        try:
            return value_of(step, self.field)
        except InvalidInputError as error:
            raise AgentRunError(
                f"Node {reader!r} reads {self.describe()}: {error.message}", node=reader
            ) from error

    def describe(self) -> str:
        """Return the reference in words."""
        what = f"{self.field} of " if self.field else ""
        named = [f"kind {self.kind!r}"] if self.kind else []
        named += [f"node {self.node!r}"] if self.node else []
        named += [f"a response of {self.subagent!r}"] if self.subagent else []
        which = "the last step" if self.position == -1 else f"step {self.position}"
        return f"{what}{which}{' of ' + ', '.join(named) if named else ''}"

    def _fits(self, step: Step) -> bool:
        if isinstance(step, SetNextNode):
            return False
        if self.subagent:
            writer = step.metadata.agent.rpartition("/")[2]
            if not isinstance(step, Respond) or writer != self.subagent:
                return False
        return self.kind in ("", step.kind) and self.node in ("", step.metadata.node)


def value_of(step: Step, field: str = "") -> Any:
    """Return a field of a step, or all that it says: its content, or else its only field or all.

    What a person said with images are the parts of a message.

    Raises:
        InvalidInputError: it has no such field.
    """
    if field:
        return find_value(step.content_dict(), field)
    if isinstance(step, UserStep):
        return step.message_content()
    data = step.llm_dict()
    del data["kind"]
    if "content" in data:
        return data["content"]
    return next(iter(data.values())) if len(data) == 1 else data
