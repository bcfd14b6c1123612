"""`/tapes/{id}/playground`: a prompt, edited at will, asked of any model; nothing is kept."""

from uuid import UUID

from ninja import Status

from tapes_app.calls.api.playground_schemas import PlaygroundIn, PlaygroundRunOut
from tapes_app.calls.services import playground
from tapes_app.calls.services.playground import PlaygroundRequest, PlaygroundRun
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.store.job import Job
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router

router = make_router("playground")


@router.post("/{tape_id}/playground", response=created(JobOut))
def start_playground(request: PersonRequest, tape_id: UUID, body: PlaygroundIn) -> Status[Job]:
    """Ask a model; the answer streams over the socket of the job."""
    wanted = PlaygroundRequest(tape_id=tape_id, **body.model_dump())
    return Status(201, playground.start_playground(request.auth, wanted))


@router.get("/{tape_id}/playground/{job_id}", response=PlaygroundRunOut)
def show_playground(request: PersonRequest, tape_id: UUID, job_id: UUID) -> PlaygroundRun:
    return playground.load_playground(request.auth, tape_id, job_id)


@router.delete("/{tape_id}/playground/{job_id}", response=emptied())
def stop_playground(request: PersonRequest, tape_id: UUID, job_id: UUID) -> Status[None]:
    """Stop the question if it is being answered; forget it if it has finished."""
    playground.stop_playground(request.auth, tape_id, job_id)
    return Status(204, None)
