"""`/distillations`: a student that learns round by round from a teacher's labels (DAgger)."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import Field

from optimize_app.distillation.request import DistillationRequest
from optimize_app.distillation.services import distillations, starting
from optimize_app.distillation.services.distillations import DistillationRow
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.store.job import Job
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.rows import Page

router = make_router("distillations")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[DistillationRow])
def list_distillations(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[DistillationRow]:
    """List distillations, newest first."""
    return distillations.list_distillations(request.auth, after=after, limit=limit)


@router.post("", response={202: JobOut})
def start_distillation(request: PersonRequest, body: DistillationRequest) -> Status[Job]:
    """Start a distillation: in each round the tasks are run, the teacher labels, the base learns.

    `POST /jobs/{job_id}/cancel` ends it with what it has under way; `POST /jobs/{job_id}/requeue`
    goes on where it was.
    """
    return Status(202, starting.start_distillation(request.auth, body))


@router.get("/{job_id}", response=DistillationRow)
def show_distillation(request: PersonRequest, job_id: UUID) -> DistillationRow:
    """Say how far a distillation is, with what each of its rounds has made."""
    return distillations.load_distillation(request.auth, job_id)
