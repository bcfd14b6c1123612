"""`/transforms`: changing many tapes in the same way; children in a new batch, no overwriting."""

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.bulk.services import transform_jobs, transforming
from tapes_app.bulk.services.new_batch import undo_new_batch
from tapes_app.bulk.services.transform_jobs import TRANSFORM_KIND, TransformRequest
from tapes_app.bulk.services.transforming import TransformPreview, TransformSpec
from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.bulk.transform.transforms import transforms
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.left_out import LeftOutTapes

router = make_router("transforms")


class CustomTransformOut(Out):
    """A transform that a plugin provides."""

    name: str
    description: str


class TransformResultOut(Out):
    """The `result` of a transform job; `batch_id` is null if no tape was changed."""

    batch_id: UUID | None
    batch_name: str
    tapes: int
    steps: int
    unchanged: int
    left_out: list[LeftOutTapes]


@router.get("", response=list[CustomTransformOut])
def list_transforms(request: PersonRequest) -> list[CustomTransformOut]:
    """List the transforms that plugins provide, in addition to the built-in ones."""
    return [
        CustomTransformOut(name=name, description=(transforms.get(name).__doc__ or "").strip())
        for name in transforms
    ]


@router.post("/preview", response=TransformPreview)
def preview_transform(request: PersonRequest, body: TransformSpec) -> TransformPreview:
    """Return what a transform would do, with the diffs of up to five tapes; nothing is written."""
    return transforming.preview(request.auth, body)


@router.post("", response={202: JobOut})
def start_transform(request: PersonRequest, body: TransformRequest) -> Status[ShownJob]:
    """Create transformed children of tapes in a new batch, as a job."""
    return Status(202, show_job(transform_jobs.start_transform(request.auth, body)))


@router.get("/{job_id}", response=TransformResultOut)
def show_transform(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of a transform, once it has finished."""
    return load_bulk_result(request.auth, job_id, TRANSFORM_KIND)


@router.post("/{job_id}/undo", response=Discarded)
def undo_transform(request: PersonRequest, job_id: UUID) -> Discarded:
    """Remove the tapes that a transform made from the lists, and delete their batch."""
    return undo_new_batch(request.auth, job_id, TRANSFORM_KIND)
