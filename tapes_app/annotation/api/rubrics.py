"""`/rubrics`: what people are asked about tapes, in versions."""

from uuid import UUID

from ninja import Status

from tapes_app.annotation.api.queues import QueueName
from tapes_app.annotation.domain.rubric import Rubric
from tapes_app.annotation.services import rubrics
from tapes_app.annotation.services.rubrics import Preset
from tapes_app.annotation.store import rubrics as rubrics_store
from tapes_app.annotation.store.rubrics import RubricRow
from tapes_app.projects.api.bodies import In
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items

router = make_router("annotation queues")


class RubricIn(In):
    """A rubric with its questions; changing the questions creates a new version."""

    name: QueueName
    rubric: Rubric


@router.get("", response=Items[RubricRow])
def list_rubrics(request: PersonRequest) -> Items[RubricRow]:
    """List the project's rubrics by name."""
    return Items(rubrics_store.list_rubrics(request.auth.project_id))


@router.get("/presets", response=Items[Preset])
def list_presets(request: PersonRequest) -> Items[Preset]:
    """List the rubrics that ship with the studio."""
    return Items(rubrics.list_presets())


@router.post("", response=created(RubricRow))
def create_rubric(request: PersonRequest, body: RubricIn) -> Status[RubricRow]:
    """Create a rubric with its questions as version 1."""
    return Status(
        201,
        rubrics_store.create_rubric(
            request.auth.project_id, body.name, body.rubric, owner=request.auth.user_id
        ),
    )


@router.get("/{rubric_id}", response=RubricRow)
def show_rubric(request: PersonRequest, rubric_id: UUID) -> RubricRow:
    """Return a rubric with the questions of its newest version."""
    return rubrics_store.load_rubric(rubric_id, request.auth.project_id)


@router.put("/{rubric_id}", response=RubricRow)
def change_rubric(request: PersonRequest, rubric_id: UUID, body: RubricIn) -> RubricRow:
    """Change a rubric; existing queues keep the version they have."""
    return rubrics_store.change_rubric(
        rubric_id, request.auth.project_id, name=body.name, rubric=body.rubric
    )


@router.delete("/{rubric_id}", response=emptied())
def delete_rubric(request: PersonRequest, rubric_id: UUID) -> Status[None]:
    """Delete a rubric that no queue uses."""
    rubrics_store.delete_rubric(rubric_id, request.auth.project_id)
    return Status(204, None)
