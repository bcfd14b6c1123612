"""Tapes as a person sees them: lists, one tape's header, its steps and views.

Every function asks the store a fixed number of questions, however long the tape is.
"""

from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.errors import NotFoundError
from tapes_app.projects.services.people import Person
from tapes_app.tapes.rows import StepRow
from tapes_app.tapes.services.views import ViewFrames, describe_views
from tapes_app.tapes.store import headers, loading


@dataclass(frozen=True)
class StepPage:
    """Some steps of a tape, and how many it has in all."""

    items: tuple[StepRow, ...]
    step_count: int


def load_steps(person: Person, tape_id: UUID, *, start: int, count: int) -> StepPage:
    """Return some steps; of large ones the beginning, and what is missing."""
    header = headers.load_header(tape_id, person.project_id)
    items = headers.load_step_page(tape_id, person.project_id, start=start, count=count)
    return StepPage(tuple(items), header.step_count)


def load_step(person: Person, tape_id: UUID, position: int) -> StepRow:
    """Return one step, whole.

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
    steps = loading.load_part(tape_id, person.project_id, end=position + 1)
    if len(steps) <= position:
        raise NotFoundError(f"The tape has no step {position}.", position=position)
    return describe_views(steps)
