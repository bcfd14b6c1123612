"""Revisions: what the improver made of a tape, written into that tape as one edit of a person."""

from typing import Any
from uuid import UUID

from tapes_app.editing.services.children import TapeCreated, store_edit
from tapes_app.editing.services.own_kinds import own_classes_of
from tapes_app.editing.services.previews import edit_tape
from tapes_app.engine.errors import EditError
from tapes_app.engine.tape.splice import ReplaceStep
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.improver.given import GivenTapeError, rewrite_step, write_body
from tapes_app.gallery.improver.steps import RevisionObservation
from tapes_app.projects.domain.columns import read_uuid
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import loading

_IMPROVES = "improves"
"""In the context of the improver's tape: the id of the tape that it was given."""


def name_improved(tape_id: UUID) -> dict[str, Any]:
    """Return the context of a tape on which another one is improved."""
    return {_IMPROVES: str(tape_id)}


def write_revision(person: Person, tape_id: UUID, position: int) -> TapeCreated:
    """Create the child of the improved tape that the revision at `position` describes.

    The steps that a resume would keep are kept, as after the same edit by hand. Anybody may have
    written the tape of the revision, so it is checked against the improved one again.

    Raises:
        EditError: the step is no revision, or it does not fit the tape that it is of.
        NotFoundError: the improved tape is not in this project.
        ArchivedError: the improved tape is archived.
    """
    tape = loading.load_tape(tape_id, person.project_id)
    revision = _find_revision(tape.steps[position : position + 1])
    improved_id = _read_improved(tape.context)
    improved = loading.load_tape(improved_id, person.project_id)
    at, written = revision.position, revision.steps[-1]
    try:
        step = rewrite_step(improved, at, written)
    except GivenTapeError as error:
        raise EditError(str(error), position=at) from error
    if write_body(improved.steps[at]) != revision.was or written.get("kind") != step["kind"]:
        raise EditError(
            f"Step {at} of the tape is not the step that this revision rewrites; improve the tape "
            "again.",
            position=at,
        )
    operation = ReplaceStep(position=at, step=step)
    edit = edit_tape(improved, [operation], own_classes_of(person, improved_id))
    return TapeCreated(store_edit(person, improved_id, edit, keep=None))


def _find_revision(steps: tuple[Step, ...]) -> RevisionObservation:
    for step in steps:
        if isinstance(step, RevisionObservation) and step.steps:
            return step
    raise EditError("This step is not a revision of a tape; choose the improver's revision.")


def _read_improved(context: Any) -> UUID:
    named = context.get(_IMPROVES) if isinstance(context, dict) else None
    found = read_uuid(named) if isinstance(named, str) else None
    if found is None:
        raise EditError(
            "This tape does not name the tape that it improves; start with “Improve” in the menu "
            "of that tape."
        )
    return found
