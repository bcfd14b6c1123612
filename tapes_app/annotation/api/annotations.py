"""`/tapes/{id}/annotations`: notes, scores and labels on a tape and its steps."""

from uuid import UUID

from ninja import Status

from tapes_app.annotation.api.annotation_schemas import AnnotationIn, AnnotationPatchIn
from tapes_app.annotation.services import annotations as services
from tapes_app.annotation.services.annotations import Anchor, Annotation
from tapes_app.annotation.services.checks import AnnotationValues
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.rows import Items

router = make_router("annotations")


@router.get("/{tape_id}/annotations", response=Items[Annotation])
def list_annotations(request: PersonRequest, tape_id: UUID) -> Items[Annotation]:
    """List what is said about a tape and its steps, also on relatives that share a step."""
    return Items(services.list_annotations(request.auth, tape_id))


@router.post("/{tape_id}/annotations", response=created(Annotation))
def add_annotation(request: PersonRequest, tape_id: UUID, body: AnnotationIn) -> Status[Annotation]:
    """Say something about a tape, a step, a field or a piece of its text."""
    added = services.add_annotation(
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
    return services.change_annotation(request.auth, tape_id, annotation_id, changes)


@router.delete("/{tape_id}/annotations/{annotation_id}", response=emptied())
def delete_annotation(request: PersonRequest, tape_id: UUID, annotation_id: UUID) -> Status[None]:
    """Take back what one has said; owners of the project take back anything."""
    services.delete_annotation(request.auth, tape_id, annotation_id)
    return Status(204, None)


@router.post("/{tape_id}/annotations/{annotation_id}/restore", response=Annotation)
def restore_annotation(request: PersonRequest, tape_id: UUID, annotation_id: UUID) -> Annotation:
    """Bring back what was deleted: one's own; owners of the project bring back anything."""
    return services.restore_annotation(request.auth, tape_id, annotation_id)
