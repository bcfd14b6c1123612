"""Where a regression test of a tape can begin: how many of its steps are frozen."""

from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape.steps import family_of
from tapes_app.engine.tape.tape import Tape
from tapes_app.library.services.suspects import find_suspect
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.candidates import load_candidate
from tapes_app.runs.services.fit import explain_misfit
from tapes_app.tapes.domain.task_outcome import find_answer_step
from tapes_app.tapes.store.headers import load_header
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.starts import find_start


@dataclass(frozen=True, slots=True)
class FrozenPlaces:
    """Counts of leading steps; `None` where the tape's agent cannot continue."""

    start: int
    """Just the task."""

    before_answer: int | None
    """All before the answer at the end of the tape."""

    before_suspect: int | None
    """All before the suspected step, or before the action that it answers."""

    @property
    def default(self) -> int:
        """An agent that starts after a mistake cannot pass, so the suspected step comes first."""
        found = (self.before_suspect, self.before_answer, self.start)
        return next(place for place in found if place is not None)


def find_places(person: Person, tape_id: UUID) -> FrozenPlaces:
    """Return where a test of the tape can begin.

    Steps from the same prompt as the answer or the mistake belong to it: they are repeated with it.

    Raises:
        NotFoundError: no such tape in the project.
    """
    version = load_header(tape_id, person.project_id).agent_version_id
    tape = load_tape(tape_id, person.project_id)
    start = find_start(tape_id, person.project_id).step_count
    suspect = find_suspect(person, tape_id)

    def find_place(position: int | None) -> int | None:
        if position is None:
            return None
        place = max(start, find_beginning(tape, position))
        can_begin = version is None or _can_begin(person, tape_id, version, place)
        return place if can_begin else None

    return FrozenPlaces(
        start=start,
        before_answer=find_place(find_answer_step(tape.steps)),
        before_suspect=find_place(
            None if suspect is None else _find_action(tape, suspect.position)
        ),
    )


def _find_action(tape: Tape, position: int) -> int:
    """Return the newest step that an agent wrote, as an observation only answers it."""
    while position and family_of(tape.steps[position]) == "observation":
        position -= 1
    return position


def _can_begin(person: Person, tape_id: UUID, version: UUID, place: int) -> bool:
    try:
        candidate = load_candidate(person.project_id, version)
        return not explain_misfit(person.project_id, tape_id, candidate, at=place)
    except StudioError:  # an agent that cannot be built here cannot be asked
        return True


def find_beginning(tape: Tape, place: int) -> int:
    """Return where the steps of one prompt begin, as they are only repeated together."""
    prompt = tape.steps[place].metadata.prompt_id
    while prompt and place and tape.steps[place - 1].metadata.prompt_id == prompt:
        place -= 1
    return place
