"""Notes, scores, labels and corrections on tapes and steps: who may write what, and where.

A correction lies over the recorded text, which stays as it is; an editor may take it into a draft.
Judges and checkers write through `record_annotation`, people through `add_annotation`.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

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
from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.columns import check_text
from tapes_app.projects.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.task_outcome import Outcome

_LONGEST_QUOTE = 1000


@dataclass(frozen=True)
class Annotation:
    """An annotation as the person who asks may use it."""

    id: UUID
    tape_id: UUID
    position: int | None
    field: str
    start: int | None
    end: int | None
    quote: str
    """The beginning of the text that a span holds."""

    kind: Kind
    name: str
    value: float | None
    scale: Scale | None
    text: str
    source: Source
    source_name: str
    """The person, judge or checker that said it."""

    outcome: Outcome | None
    """What an annotator said of the outcome of the tape; `None`: nothing."""

    can_edit: bool
    can_delete: bool
    created_at: datetime
    updated_at: datetime


def list_annotations(person: Person, tape_id: UUID) -> list[Annotation]:
    """Return what is said about a tape and its steps, also on relatives that share a step."""
    rows = annotations.list_annotations(tape_id, person.project_id)
    return [_show(row, person) for row in rows]


def add_annotation(
    person: Person, tape_id: UUID, anchor: Anchor, values: AnnotationValues, *, quote: str = ""
) -> Annotation:
    """Say something about a tape, a step, a field or a piece of text.

    `quote` is the selected text, or its beginning: a span that holds other text is refused, so
    that a note never ends up beside the words it is about.

    Raises:
        NotFoundError: no such tape or step.
        InvalidInputError: no such field or span; a value outside its scale; nothing said.
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
    """Store what a judge or a checker says, or what a file holds; `details` is kept as it is.

    What was said under the same `annotation_id` is replaced. A score needs no scale here: the
    questions of a rubric have scales of their own.

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


def change_annotation(
    person: Person, tape_id: UUID, annotation_id: UUID, changes: dict[str, Any]
) -> Annotation:
    """Say something else: name, value, scale or text of one's own annotation.

    Raises:
        NotFoundError: no such annotation on this tape.
        NotAllowedError: somebody else said it.
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
    """Take one's own annotation out of sight; owners of the project take out any.

    Raises:
        NotFoundError: no such annotation on this tape.
        NotAllowedError: somebody else said it.
    """
    row = annotations.load_annotation(annotation_id, tape_id, person.project_id)
    if not _may_delete(row, person):
        raise NotAllowedError(
            f"{row.owner or row.source_name!r} wrote this, so only they or a project owner can "
            "delete it."
        )
    annotations.delete_annotations([row.id])


def restore_annotation(person: Person, tape_id: UUID, annotation_id: UUID) -> Annotation:
    """Bring back what was deleted: one's own; owners of the project bring back any.

    Raises:
        NotFoundError: there is no such deleted annotation that one may bring back.
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
    """Return what is said, with details and the beginning of the text that it is said of."""
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
