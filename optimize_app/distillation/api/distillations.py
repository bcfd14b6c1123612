"""`/distillations`: a student that learns round by round from a teacher's labels (DAgger)."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import BaseModel, Field

from optimize_app.distillation.request import DistillationRequest
from optimize_app.distillation.services import distillations, starting
from optimize_app.distillation.services.distillations import DistillationRow
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Page

router = make_router("distillations")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[DistillationRow])
def list_distillations(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[DistillationRow]:
    """List distillations, newest first."""
    return distillations.list_distillations(request.auth, after=after, limit=limit)


@router.post("", response={202: JobOut})
def start_distillation(request: PersonRequest, body: DistillationRequest) -> Status[ShownJob]:
    """Start a distillation: each round runs the tasks, has the teacher label, and trains the base.

    `POST /jobs/{job_id}/cancel` ends it with everything it has in progress;
    `POST /jobs/{job_id}/requeue` continues where it stopped.
    """
    return Status(202, show_job(starting.start_distillation(request.auth, body)))


class CheckedOut(BaseModel):
    """A distillation that could be started."""

    task_count: int


@router.post("/check", response=CheckedOut)
def check_distillation(request: PersonRequest, body: DistillationRequest) -> CheckedOut:
    """Check whether a distillation could be started, without starting anything."""
    return CheckedOut(task_count=len(starting.check_distillation(request.auth, body)))


@router.get("/{job_id}", response=DistillationRow)
def show_distillation(request: PersonRequest, job_id: UUID) -> DistillationRow:
    """Show the progress of a distillation, with what each of its rounds has made."""
    return distillations.load_distillation(request.auth, job_id)
