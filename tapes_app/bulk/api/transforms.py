"""`/transforms`: changing many tapes alike; children in a new batch, nothing overwritten."""

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.bulk.api.transform_schemas import (
    CustomTransformOut,
    TransformResultOut,
)
from tapes_app.bulk.services import transform_jobs, transforming
from tapes_app.bulk.services.new_batch import undo_new_batch
from tapes_app.bulk.services.transform_request import (
    TRANSFORM_KIND,
    TransformRequest,
    TransformSpec,
    list_custom_transforms,
)
from tapes_app.bulk.services.transforming import TransformPreview
from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("transforms")


@router.get("", response=list[CustomTransformOut])
def list_transforms(request: PersonRequest) -> list[CustomTransformOut]:
    """List the transforms that plugins bring, beside those that everybody has."""
    return [
        CustomTransformOut(name=name, description=said) for name, said in list_custom_transforms()
    ]


@router.post("/preview", response=TransformPreview)
def preview_transform(request: PersonRequest, body: TransformSpec) -> TransformPreview:
    """Say what a transform would do, with the diffs of up to five tapes; nothing is written."""
    return transforming.preview(request.auth, body)


@router.post("", response={202: JobOut})
def start_transform(request: PersonRequest, body: TransformRequest) -> Status[Job]:
    """Make transformed children of tapes in a new batch, in a job."""
    return Status(202, transform_jobs.start_transform(request.auth, body))


@router.get("/{job_id}", response=TransformResultOut)
def show_transform(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of a transform, once it has finished."""
    return load_bulk_result(request.auth, job_id, TRANSFORM_KIND)


@router.post("/{job_id}/undo", response=Discarded)
def undo_transform(request: PersonRequest, job_id: UUID) -> Discarded:
    """Take the tapes that a transform made out of the lists, and their batch away."""
    return undo_new_batch(request.auth, job_id, TRANSFORM_KIND)
