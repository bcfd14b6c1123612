"""Notes, scores, labels and corrections on tapes and steps: who may write what, and where.

A correction is an overlay: the recorded text stays as it is, and an editor may apply the correction
to a draft. Judges and checkers write through `record_annotation`, people through `add_annotation`;
`keep_finding` writes for the linter.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from tapes_app.annotation.services.checks import (
    MAX_NAME,
    AnnotationValues,
    Scale,
    check_anchor,
    check_correction,
    check_quote,
    check_values,
    read_scale,
)
from tapes_app.annotation.store import annotations
from tapes_app.annotation.store.rows import Anchor, AnnotationRow, Content, Kind, Source
from tapes_app.engine.errors import NotAllowedError, NotFoundError
from tapes_app.lint.services.linting import lint_one
from tapes_app.projects.domain.columns import check_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.task_outcome import Outcome

_LONGEST_QUOTE = 1000


@dataclass(frozen=True)
class Annotation:
    """An annotation, with what the person who asks may do with it."""

    id: UUID
    tape_id: UUID
    position: int | None
    field: str
    start: int | None
    end: int | None
    quote: str
    """The beginning of the span's text."""

    kind: Kind
    name: str
    value: float | None
    scale: Scale | None
    text: str
    source: Source
    source_name: str
    """The person, judge or checker that made the annotation."""

    outcome: Outcome | None
    """The annotator's verdict on the tape's outcome; `None` if they gave none."""

    can_edit: bool
    can_delete: bool
    created_at: datetime
    updated_at: datetime


def list_annotations(person: Person, tape_id: UUID) -> list[Annotation]:
    """Return annotations of a tape and its steps, also those of relatives that share a step."""
    rows = annotations.list_annotations(tape_id, person.project_id)
    return [_show(row, person) for row in rows]


def add_annotation(
    person: Person, tape_id: UUID, anchor: Anchor, values: AnnotationValues, *, quote: str = ""
) -> Annotation:
    """Annotate a tape, a step, a field or a piece of text.

    `quote` is the selected text, or its beginning. A span whose text differs is refused, so that a
    note never ends up next to words that it is not about.

    Raises:
        NotFoundError: no such tape or step.
        InvalidInputError: no such field or span, a value outside its scale, or an empty annotation.
    """
    project = person.project_id
    content = _check_place(project, tape_id, anchor, check_values(values), quote, {})
    row = annotations.add_annotation(tape_id, project, anchor, content, owner=person.user_id)
    return _show(row, person)


def record_annotation(
    project_id: UUID,
    tape_id: UUID,
    anchor: Anchor,
    values: AnnotationValues,
    *,
    source: Source,
    source_name: str,
    owner: int | None = None,
    details: dict[str, Any] | None = None,
    quote: str = "",
    annotation_id: UUID | None = None,
    created_at: datetime | None = None,
) -> UUID:
    """Store an annotation of a judge, a checker or a file; `details` is stored unchanged.

    An annotation with the same `annotation_id` is replaced. A score needs no scale here, because
    the questions of a rubric have scales of their own.

    Raises:
        NotFoundError: no such tape or step.
        InvalidInputError: as for `add_annotation`.
    """
    content = check_values(values, needs_scale=False)
    row = annotations.add_annotation(
        tape_id,
        project_id,
        anchor,
        _check_place(project_id, tape_id, anchor, content, quote, details or {}),
        owner=owner,
        source=source,
        source_name=check_text(source_name, MAX_NAME, "The name of the source"),
        annotation_id=annotation_id,
        created_at=created_at,
    )
    return row.id


def keep_finding(person: Person, tape_id: UUID, detector: str, position: int) -> UUID:
    """Save a detector's finding at a step as a note; saving it again updates the same note.

    Raises:
        NotFoundError: no such tape, or the detector finds nothing at that step.
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


def change_annotation(
    person: Person, tape_id: UUID, annotation_id: UUID, changes: dict[str, Any]
) -> Annotation:
    """Change the name, value, scale or text of the person's own annotation.

    Raises:
        NotFoundError: no such annotation on this tape.
        NotAllowedError: somebody else wrote it.
    """
    row = annotations.load_annotation(annotation_id, tape_id, person.project_id)
    if not _is_own(row, person):
        raise NotAllowedError(
            f"{row.owner or row.source_name!r} wrote this, so only they can change it. Add your "
            "own note instead."
        )
    before = AnnotationValues(row.kind, row.name, row.value, read_scale(row.details), row.text)
    content = check_values(replace(before, **changes))
    annotations.change_annotation(row, _with_details(content, {"quote": row.details.get("quote")}))
    return _show(annotations.load_annotation(annotation_id, tape_id, person.project_id), person)


def delete_annotation(person: Person, tape_id: UUID, annotation_id: UUID) -> None:
    """Delete the person's own annotation; project owners can delete any annotation.

    Raises:
        NotFoundError: no such annotation on this tape.
        NotAllowedError: somebody else wrote it.
    """
    row = annotations.load_annotation(annotation_id, tape_id, person.project_id)
    if not _may_delete(row, person):
        raise NotAllowedError(
            f"{row.owner or row.source_name!r} wrote this, so only they or a project owner can "
            "delete it."
        )
    annotations.delete_annotations([row.id])


def restore_annotation(person: Person, tape_id: UUID, annotation_id: UUID) -> Annotation:
    """Restore the person's own deleted annotation; project owners can restore any annotation.

    Raises:
        NotFoundError: there is no such deleted annotation that the person may restore.
    """
    owner = None if person.role == "owner" else person.user_id
    annotations.restore_annotation(annotation_id, tape_id, person.project_id, owner=owner)
    return _show(annotations.load_annotation(annotation_id, tape_id, person.project_id), person)


def _check_place(
    project_id: UUID,
    tape_id: UUID,
    anchor: Anchor,
    content: Content,
    quote: str,
    details: dict[str, Any],
) -> Content:
    """Return the content with its details and the beginning of the text that it is about."""
    found = check_anchor(project_id, tape_id, anchor)
    check_correction(content, found)
    check_quote(quote, found, anchor)
    return _with_details(content, {**details, "quote": found[:_LONGEST_QUOTE]})


def _with_details(content: Content, details: dict[str, Any]) -> Content:
    kept = {name: value for name, value in details.items() if value not in ("", None)}
    return replace(content, details={**content.details, **kept})


def _is_own(row: AnnotationRow, person: Person) -> bool:
    return row.source == "person" and row.owner_id == person.user_id and person.can_write


def _may_delete(row: AnnotationRow, person: Person) -> bool:
    return _is_own(row, person) or person.role == "owner"


def _show(row: AnnotationRow, person: Person) -> Annotation:
    return row_of(
        Annotation,
        row,
        quote=str(row.details.get("quote", "")),
        scale=read_scale(row.details),
        source_name=row.owner or row.source_name,
        outcome=row.details.get("outcome"),
        can_edit=_is_own(row, person),
        can_delete=_may_delete(row, person),
    )
