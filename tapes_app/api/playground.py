"""`/tapes/{id}/playground`: a prompt, edited at will, asked of any model; nothing is kept."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import JobOut, PlaygroundIn, PlaygroundRunOut
from tapes_app.services import playground
from tapes_app.services.playground import PlaygroundRequest

router = make_router("playground")


@router.post("/{tape_id}/playground", response=created(JobOut))
def start_playground(request: PersonRequest, tape_id: UUID, body: PlaygroundIn) -> Status[Any]:
    """Ask a model; the answer streams over the socket of the job."""
    wanted = PlaygroundRequest(tape_id=tape_id, **body.model_dump())
    return Status(201, playground.start_playground(request.auth, wanted))


@router.get("/{tape_id}/playground/{job_id}", response=found(PlaygroundRunOut))
def show_playground(request: PersonRequest, tape_id: UUID, job_id: UUID) -> Any:
    return playground.load_playground(request.auth, tape_id, job_id)


@router.delete("/{tape_id}/playground/{job_id}", response=emptied())
def stop_playground(request: PersonRequest, tape_id: UUID, job_id: UUID) -> Status[None]:
    """Stop the question if it is being answered; forget it if it is over."""
    playground.stop_playground(request.auth, tape_id, job_id)
    return Status(204, None)
