"""`/rubrics`: what people are asked about tapes, in versions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import PresetListOut, RubricIn, RubricListOut, RubricOut
from tapes_app.services import rubrics

router = make_router("annotation queues")


@router.get("", response=found(RubricListOut))
def list_rubrics(request: PersonRequest) -> Any:
    """List the project's rubrics by name."""
    return {"items": rubrics.list_rubrics(request.auth)}


@router.get("/presets", response=found(PresetListOut))
def list_presets(request: PersonRequest) -> Any:
    """List the rubrics that ship with the studio."""
    return {"items": rubrics.list_presets()}


@router.post("", response=created(RubricOut))
def create_rubric(request: PersonRequest, body: RubricIn) -> Status[Any]:
    return Status(201, rubrics.create_rubric(request.auth, body.name, body.rubric))


@router.get("/{rubric_id}", response=found(RubricOut))
def show_rubric(request: PersonRequest, rubric_id: UUID) -> Any:
    return rubrics.load_rubric(request.auth, rubric_id)


@router.put("/{rubric_id}", response=found(RubricOut))
def change_rubric(request: PersonRequest, rubric_id: UUID, body: RubricIn) -> Any:
    """Change a rubric; queues go on with the version that they have."""
    return rubrics.change_rubric(request.auth, rubric_id, body.name, body.rubric)


@router.delete("/{rubric_id}", response=emptied())
def delete_rubric(request: PersonRequest, rubric_id: UUID) -> Status[None]:
    """Remove a rubric that no queue asks."""
    rubrics.delete_rubric(request.auth, rubric_id)
    return Status(204, None)
