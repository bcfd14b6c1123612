"""Steps that steer agents: delegation and node choice (paper 2.2)."""

from typing import Any, Final, Literal, Self

from pydantic import Field, PositiveInt, model_validator

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import ControlThought, Observation, StopAction

CALL_TOGETHER: Final = "call_together"
MOST_TOGETHER = 32
"""How many subagents may be called at once."""


class Call(ControlThought):
    """Hand over to a subagent of the active agent, from the next iteration on."""

    kind: Literal["call"] = "call"
    agent_name: str
    content: Any = ""
    """A free-form message for the called agent."""


class Respond(ControlThought):
    """Give control back to the caller."""

    kind: Literal["respond"] = "respond"
    content: Any = ""
    copy_output: bool = False
    """Also copy the responding agent's own last output into the caller's view."""


class MemberCall(FrozenModel):
    """One of several calls that are made at once."""

    agent_name: str
    content: Any = ""
    """A free-form message for the called agent."""


class CallTogether(ControlThought):
    """Hand over to several subagents at once, each in a lane of its own, numbered from 1.

    The active agent goes on after the `Join`.
    """

    kind: Literal["call_together"] = "call_together"
    calls: tuple[MemberCall, ...] = Field(min_length=1, max_length=MOST_TOGETHER)
    join: Literal["all", "first"] | PositiveInt = "all"
    """How many must have answered before the caller goes on; the others are cancelled then."""

    @model_validator(mode="after")
    def _check_join(self) -> Self:
        if self.needed_count > len(self.calls):
            raise ValueError(
                f"join ({self.join}) must be at most the number of calls ({len(self.calls)})"
            )
        return self

    @property
    def needed_count(self) -> int:
        match self.join:
            case "all":
                return len(self.calls)
            case "first":
                return 1
            case count:
                return count

    def as_call(self, number: int) -> Call:
        """Return the call of one lane as if it had been made alone."""
        chosen = self.calls[number - 1]
        return Call(agent_name=chosen.agent_name, content=chosen.content, metadata=self.metadata)


class Join(Observation):
    """Enough of the agents that were called together have answered: the caller goes on.

    The caller sees their responses in front of it, in the order of the calls.
    """

    kind: Literal["join"] = "join"
    answered: tuple[int, ...]
    """The lanes that have answered, by number."""

    cancelled: tuple[int, ...] = ()
    """The lanes that were cancelled; nobody sees what they did."""


class SetNextNode(ControlThought):
    """Choose the node that the active agent runs next; used for loops."""

    kind: Literal["set_next_node"] = "set_next_node"
    next_node: str | int
    """A node's name; an integer is the position of the node, as in the paper."""


class Broadcast(ControlThought):
    """Say something to several subagents without handing over."""

    kind: Literal["broadcast"] = "broadcast"
    content: Any = ""
    from_: str = ""
    to: tuple[str, ...] = ()


class FinalStep(StopAction):
    """The team has finished."""

    kind: Literal["final_step"] = "final_step"
    reason: str = ""
