"""`/transforms`: changing many tapes alike; children in a new batch, nothing overwritten."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import ERRORS, PersonRequest, found, make_router
from tapes_app.api.schemas import (
    CustomTransformOut,
    DiscardedOut,
    JobOut,
    TransformPreviewOut,
    TransformResultOut,
)
from tapes_app.services import transform_jobs, transforming
from tapes_app.services.transform_request import (
    TransformRequest,
    TransformWish,
    list_custom_transforms,
)

router = make_router("transforms")


@router.get("", response=found(list[CustomTransformOut]))
def list_transforms(request: PersonRequest) -> Any:
    """List the transforms that plugins bring, beside those that everybody has."""
    return [{"name": name, "description": said} for name, said in list_custom_transforms()]


@router.post("/preview", response=found(TransformPreviewOut))
def preview_transform(request: PersonRequest, body: TransformWish) -> Any:
    """Say what a transform would do, with the diffs of up to five tapes; nothing is written."""
    preview = transforming.preview(request.auth, body)
    left_out = [{"why": why, "tape_count": n} for why, n in preview.left_out.most_common()]
    return {**vars(preview), "left_out": left_out}


@router.post("", response={202: JobOut, **ERRORS})
def start_transform(request: PersonRequest, body: TransformRequest) -> Status[Any]:
    """Make transformed children of tapes in a new batch, in a job."""
    return Status(202, transform_jobs.start_transform(request.auth, body))


@router.get("/{job_id}", response=found(TransformResultOut))
def show_transform(request: PersonRequest, job_id: UUID) -> Any:
    """Say what came of a transform, once it is over."""
    return transform_jobs.load_transform_result(request.auth, job_id)


@router.post("/{job_id}/undo", response=found(DiscardedOut))
def undo_transform(request: PersonRequest, job_id: UUID) -> Any:
    """Take the tapes that a transform made out of the lists, and their batch away."""
    return transform_jobs.undo_transform(request.auth, job_id)
