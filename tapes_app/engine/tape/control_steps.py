"""Steps that steer agents: delegation and node choice (paper 2.2)."""

from typing import Any, Literal

from tapes_app.engine.tape.steps import ControlThought, StopAction


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
