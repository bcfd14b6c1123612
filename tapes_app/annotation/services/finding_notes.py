"""Findings that somebody wants to keep: notes by the linter, with its name and the time."""

from uuid import UUID, uuid5

from tapes_app.annotation.services.annotations import record_annotation
from tapes_app.annotation.services.checks import AnnotationValues
from tapes_app.annotation.store.rows import Anchor
from tapes_app.engine.errors import NotFoundError
from tapes_app.lint.services.linting import lint_one
from tapes_app.projects.services.people import Person


def keep_finding(person: Person, tape_id: UUID, detector: str, position: int) -> UUID:
    """Write what a detector finds at a step as a note; kept again it is the same note.

    Raises:
        NotFoundError: no such tape, or the detector finds nothing there.
    """
    findings = lint_one(person, tape_id).findings
    messages = [
        found.message
        for found in findings
        if (found.detector, found.position) == (detector, position)
    ]
    if not messages:
        raise NotFoundError(
            f"{detector!r} no longer reports a finding at step {position} of this tape.",
            position=position,
        )
    return record_annotation(
        person.project_id,
        tape_id,
        Anchor(position),
        AnnotationValues("note", text="\n".join(messages)),
        source="linter",
        source_name=detector,
        annotation_id=uuid5(tape_id, f"{detector} {position}"),
    )
