"""What Save and Resume would refuse of a draft, told while somebody types.

It looks at the steps that were written and at nothing else of the tape, so that it can answer
every save of a draft, however long the tape is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.editing.services.previews import find_misfit
from tapes_app.engine.errors import EditError
from tapes_app.engine.splice import EditedPlace, Operation, arrange, read_place
from tapes_app.engine.steps import UnknownStep, parse_step
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import edits


@dataclass(frozen=True)
class StepProblem:
    """Why a step of the edited tape would be refused."""

    position: int
    field: str
    """JSON pointer into the step; empty: the whole of it."""

    message: str


def find_problems(
    person: Person, tape_id: UUID, step_count: int, operations: Sequence[Operation]
) -> tuple[StepProblem, ...]:
    try:
        places = arrange(step_count, operations).places
    except EditError as error:
        return (_of_error(error),)
    written = [(at, place) for at, place in enumerate(places) if place.written is not None]
    if not written:
        return ()
    origins = [place.origin for _, place in written if place.origin is not None]
    bodies = edits.load_bodies(tape_id, person.project_id, origins)
    olds = {origin: parse_step(body) for origin, body in bodies.items()}

    def was_unknown(kind: str) -> bool:
        used = edits.list_bodies_of_kind(tape_id, person.project_id, kind)
        return any(isinstance(parse_step(body), UnknownStep) for body in used)

    def check(position: int, place: EditedPlace) -> StepProblem | None:
        try:
            misfit = find_misfit(read_place(place, position, olds), was_unknown)
        except EditError as error:
            return _of_error(error)
        return None if misfit is None else StepProblem(position, misfit.field, misfit.message)

    return tuple(problem for at, place in written if (problem := check(at, place)) is not None)


def _of_error(error: EditError) -> StepProblem:
    return StepProblem(int(error.details.get("position", 0)), "", error.message)
