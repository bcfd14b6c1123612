"""`/tapes/{id}/annotations`: notes, scores and labels on a tape and its steps."""

from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.annotation.services import annotations
from tapes_app.annotation.services.annotations import Annotation
from tapes_app.annotation.services.checks import AnnotationValues, Scale
from tapes_app.annotation.store.rows import Anchor, Kind
from tapes_app.projects.api.bodies import In
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items

router = make_router("annotations")


class AnnotationIn(In):
    """An annotation that a person adds. A span needs a field, a field needs a step."""

    position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Position of the step; `None` for an annotation of the whole tape."""

    field: str = ""
    """JSON pointer into the step's body, such as `/content`; empty for the whole step."""

    start: int | None = Field(default=None, ge=0, le=2**31 - 1)
    end: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """End (exclusive) of a span of the field's text, in Unicode code points; needs `start` too."""

    quote: str = Field(default="", max_length=20_000)
    """The selected text or its beginning; refused if the text at that place differs."""

    kind: Kind = "note"
    name: str = ""
    """What the score rates, or the label."""

    value: float | None = None
    scale: Scale | None = None
    """Scale of a score: thumbs 0 or 1, five 1 to 5, fraction 0 to 1."""

    text: str = ""
    """Text of a correction: replaces the span; empty removes it."""


class AnnotationPatchIn(In):
    """The changes; omitted or null fields stay as they are."""

    name: str | None = None
    value: float | None = None
    scale: Scale | None = None
    text: str | None = None


@router.get("/{tape_id}/annotations", response=Items[Annotation])
def list_annotations(request: PersonRequest, tape_id: UUID) -> Items[Annotation]:
    """List annotations of a tape and its steps, including those of relatives that share a step."""
    return Items(annotations.list_annotations(request.auth, tape_id))


@router.post("/{tape_id}/annotations", response=created(Annotation))
def add_annotation(request: PersonRequest, tape_id: UUID, body: AnnotationIn) -> Status[Annotation]:
    """Annotate a tape, a step, a field or a piece of its text."""
    added = annotations.add_annotation(
        request.auth,
        tape_id,
        Anchor(body.position, body.field, body.start, body.end),
        AnnotationValues(body.kind, body.name, body.value, body.scale, body.text),
        quote=body.quote,
    )
    return Status(201, added)


@router.patch("/{tape_id}/annotations/{annotation_id}", response=Annotation)
def change_annotation(
    request: PersonRequest, tape_id: UUID, annotation_id: UUID, body: AnnotationPatchIn
) -> Annotation:
    """Change an annotation that you wrote."""
    changes = body.model_dump(exclude_none=True)
    return annotations.change_annotation(request.auth, tape_id, annotation_id, changes)


@router.delete("/{tape_id}/annotations/{annotation_id}", response=emptied())
def delete_annotation(request: PersonRequest, tape_id: UUID, annotation_id: UUID) -> Status[None]:
    """Delete an annotation that you wrote; project owners can delete any annotation."""
    annotations.delete_annotation(request.auth, tape_id, annotation_id)
    return Status(204, None)


@router.post("/{tape_id}/annotations/{annotation_id}/restore", response=Annotation)
def restore_annotation(request: PersonRequest, tape_id: UUID, annotation_id: UUID) -> Annotation:
    """Restore a deleted annotation that you wrote; project owners can restore any annotation."""
    return annotations.restore_annotation(request.auth, tape_id, annotation_id)
