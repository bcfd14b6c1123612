"""Tapes as a person sees them: lists, one tape's header, its steps and views.

Every function makes a fixed number of queries, however long the tape is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.errors import DelegationError, NotFoundError
from tapes_app.engine.tape.lanes import find_lane
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import ROOT, TapeView, ViewStack
from tapes_app.gallery.form_filler.form_view import FormView, describe_form
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import StepRow
from tapes_app.tapes.store import headers, loading


@dataclass(frozen=True)
class StepPage:
    """Some steps of a tape, and how many it has in total."""

    items: tuple[StepRow, ...]
    step_count: int


@dataclass(frozen=True)
class ViewFrame:
    """What one agent of the stack sees; `positions` are the positions of its steps on the tape."""

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


def load_steps(person: Person, tape_id: UUID, *, start: int, count: int) -> StepPage:
    """Return some steps; for large ones, the beginning and what is missing."""
    header = headers.load_header(tape_id, person.project_id)
    items = headers.load_step_page(tape_id, person.project_id, start=start, count=count)
    return StepPage(tuple(items), header.step_count)


def load_step(person: Person, tape_id: UUID, position: int) -> StepRow:
    """Return one complete step.

    Raises:
        NotFoundError: the tape has no such step.
    """
    rows = headers.load_steps(tape_id, person.project_id, start=position, count=1)
    if not rows:
        raise NotFoundError(f"The tape has no step {position}.", position=position)
    return rows[0]


def load_views(person: Person, tape_id: UUID, position: int) -> ViewFrames:
    """Return the view stack after a step.

    Raises:
        NotFoundError: the tape has no such step.
    """
    return describe_views(_load_up_to(person, tape_id, position))


def load_form(person: Person, tape_id: UUID, position: int) -> FormView | None:
    """Return the form that a dialogue is about, after a step; `None` if it is about none yet.

    Raises:
        NotFoundError: the tape has no such step.
    """
    return describe_form(_load_up_to(person, tape_id, position))


def _load_up_to(person: Person, tape_id: UUID, position: int) -> Sequence[Step]:
    steps = loading.load_part(tape_id, person.project_id, end=position + 1)
    if len(steps) <= position:
        raise NotFoundError(f"The tape has no step {position}.", position=position)
    return steps


def describe_views(steps: Sequence[Step]) -> ViewFrames:
    """Return the view stack after the last of `steps`, which start at position 0; of its lane."""
    try:
        lane, place = find_lane(Tape(steps=tuple(steps)), len(steps) - 1)
        stack = ViewStack.compute(lane.tape.steps[: place + 1])
    except DelegationError as error:
        return ViewFrames([], error.message)
    positions = {
        id(step): position for step, position in zip(lane.tape, lane.positions, strict=True)
    }
    root_name = next(
        (step.metadata.agent.partition("/")[0] for step in steps if step.metadata.agent), ROOT
    )
    return ViewFrames([_frame(view, positions, root_name) for view in stack.views])


def _frame(view: TapeView, positions: dict[int, int], root_name: str) -> ViewFrame:
    _, slash, path = view.name.partition("/")
    return ViewFrame(
        agent=f"{root_name}{slash}{path}",
        # A call is the first step that the called agent sees.
        called_at=positions[id(view.steps[0])] if path and view.steps else None,
        next_node=view.next_node,
        last_node=view.last_node,
        step_count=len(view.steps),
        positions=[positions[id(step)] for step in view.steps],
    )
