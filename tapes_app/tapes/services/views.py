"""The view stack after a step, as the debugger shows it: call stack, frames, positions."""

from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.engine.errors import DelegationError
from tapes_app.engine.steps import Step
from tapes_app.engine.view import ROOT, TapeView, ViewStack


@dataclass(frozen=True)
class ViewFrame:
    """What one agent of the stack sees; `positions` are those of its steps on the tape."""

    agent: str
    called_at: int | None
    """Position of the Call that opened it; `None` for the root."""

    next_node: str | int | None
    last_node: str
    step_count: int
    positions: list[int]


@dataclass(frozen=True)
class ViewFrames:
    """The stack, root first; empty with a reason when the steps break the rules."""

    views: list[ViewFrame]
    error: str = ""


def describe_views(steps: Sequence[Step]) -> ViewFrames:
    """Return the view stack after the last of `steps`, which start at position 0."""
    try:
        stack = ViewStack.compute(steps)
    except DelegationError as error:
        return ViewFrames([], error.message)
    positions = {id(step): position for position, step in enumerate(steps)}
    root_name = next(
        (step.metadata.agent.partition("/")[0] for step in steps if step.metadata.agent), ROOT
    )
    return ViewFrames([_frame(view, positions, root_name) for view in stack.views])


def _frame(view: TapeView, positions: dict[int, int], root_name: str) -> ViewFrame:
    _, slash, path = view.name.partition("/")
    return ViewFrame(
        agent=f"{root_name}{slash}{path}",
        # A call is the first step that the agent called sees.
        called_at=positions[id(view.steps[0])] if path and view.steps else None,
        next_node=view.next_node,
        last_node=view.last_node,
        step_count=len(view.steps),
        positions=[positions[id(step)] for step in view.steps],
    )
