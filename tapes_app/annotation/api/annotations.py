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
from tapes_app.projects.rows import Items

router = make_router("annotations")


class AnnotationIn(In):
    """What a person says. A span needs a field, a field needs a step."""

    position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Of the step; `None`: about the whole tape."""

    field: str = ""
    """JSON pointer into the step's body, such as `/content`; empty: the whole step."""

    start: int | None = Field(default=None, ge=0, le=2**31 - 1)
    end: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """A span of the field's text in Unicode code points, the end exclusive; both or none."""

    quote: str = Field(default="", max_length=20_000)
    """The selected text or its beginning; other text at that place is refused."""

    kind: Kind = "note"
    name: str = ""
    """What is scored, or the label."""

    value: float | None = None
    scale: Scale | None = None
    """Of a score: thumbs 0 or 1, five 1 to 5, fraction 0 to 1."""

    text: str = ""
    """Of a correction: what should stand in the place of the span; empty takes it out."""


class AnnotationPatchIn(In):
    """What changes; what is left out or null stays."""

    name: str | None = None
    value: float | None = None
    scale: Scale | None = None
    text: str | None = None


@router.get("/{tape_id}/annotations", response=Items[Annotation])
def list_annotations(request: PersonRequest, tape_id: UUID) -> Items[Annotation]:
    """List what is said about a tape and its steps, also on relatives that share a step."""
    return Items(annotations.list_annotations(request.auth, tape_id))


@router.post("/{tape_id}/annotations", response=created(Annotation))
def add_annotation(request: PersonRequest, tape_id: UUID, body: AnnotationIn) -> Status[Annotation]:
    """Say something about a tape, a step, a field or a piece of its text."""
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
    """Change what one has said oneself."""
    changes = body.model_dump(exclude_none=True)
    return annotations.change_annotation(request.auth, tape_id, annotation_id, changes)


@router.delete("/{tape_id}/annotations/{annotation_id}", response=emptied())
def delete_annotation(request: PersonRequest, tape_id: UUID, annotation_id: UUID) -> Status[None]:
    """Take back what one has said; owners of the project take back anything."""
    annotations.delete_annotation(request.auth, tape_id, annotation_id)
    return Status(204, None)


@router.post("/{tape_id}/annotations/{annotation_id}/restore", response=Annotation)
def restore_annotation(request: PersonRequest, tape_id: UUID, annotation_id: UUID) -> Annotation:
    """Bring back what was deleted: one's own; owners of the project bring back anything."""
    return annotations.restore_annotation(request.auth, tape_id, annotation_id)
