"""Refuses to save a step that was sent cut in place of the complete step."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from tapes_app.engine.errors import EditError, InvalidInputError
from tapes_app.engine.json_pointer import find_value
from tapes_app.engine.tape.splice import InsertStep, Operation, ReplaceStep, arrange
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.step_cuts import CUT_MARK, LONGEST_STEP, measure
from tapes_app.tapes.store import edits, headers

_SHORTEST_CUT = 1_000
"""Minimum length of a cut value; nobody would write exactly that beginning by hand."""


class CutStepError(InvalidInputError):
    """An edit contains only the beginning of a step that was too large for a page."""

    code = "step_cut"


def refuse_cut_steps(
    person: Person, tape_id: UUID, operations: Sequence[Operation], applied_count: int
) -> None:
    """Refuse operations that would save the beginning of a step as the step.

    Raises:
        CutStepError: an operation would; the error shows which, and where the complete step is.
    """
    for number, operation in enumerate(operations, start=1):
        if isinstance(operation, ReplaceStep | InsertStep) and CUT_MARK in operation.step:
            raise _refuse(tape_id, f"Edit {number}", operation.position)
    _refuse_beginnings(person, tape_id, operations[:applied_count])


def _refuse_beginnings(person: Person, tape_id: UUID, operations: Sequence[Operation]) -> None:
    """Refuse an unmarked step that ends exactly where a page has cut it."""
    project = person.project_id
    step_count = headers.load_header(tape_id, project).step_count
    try:
        places = arrange(step_count, operations).places
    except EditError:
        return  # reported as a problem of the draft
    written = {
        place.origin: place
        for place in places
        if place.origin is not None
        and place.written is not None
        and measure(place.written) <= 2 * LONGEST_STEP
    }
    for position in edits.find_large_steps(tape_id, project, list(written)):
        (row,) = headers.load_step_page(tape_id, project, start=position, count=1)
        place = written[position]
        if row.cut and any(_is_same(place.written, row.body, way) for way in row.cut.places):
            raise _refuse(tape_id, f"Edit {place.number}", position)


def _is_same(written: Any, cut: Any, pointer: str) -> bool:
    try:
        value = find_value(cut, pointer)
        is_beginning = measure(value) >= _SHORTEST_CUT or str(value).startswith("data:")
        return is_beginning and bool(find_value(written, pointer) == value)
    except InvalidInputError:  # one of them lacks that field
        return False


def _refuse(tape_id: UUID, edit: str, position: int) -> CutStepError:
    return CutStepError(
        f"{edit} holds only the beginning of step {position}, which was too large for a page; "
        f"read the whole step at /api/v1/tapes/{tape_id}/steps/{position} and edit that.",
        position=position,
    )
