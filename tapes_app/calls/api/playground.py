"""`/tapes/{id}/playground`: ask any model a freely edited prompt; nothing is kept."""

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.calls.services import playground
from tapes_app.calls.services.calls import PriceLine
from tapes_app.calls.services.playground import (
    PlaygroundQuestion,
    PlaygroundRequest,
    PlaygroundRun,
)
from tapes_app.engine.model.llm import Usage
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.tapes.domain.word_diff import WordChange

router = make_router("playground")


class PlaygroundRunOut(Out):
    """A question and the answer received so far; the rest arrives over the job's socket."""

    job: JobOut
    model_name: str
    output: dict[str, Any] | None
    usage: Usage
    price_lines: list[PriceLine]
    cost_micro_usd: int | None
    duration_seconds: float | None
    first_token_seconds: float | None
    finish_reason: str
    words: list[WordChange] | None
    """The answer compared with the recorded one; `None` if a comparison would be meaningless."""


@router.post("/{tape_id}/playground", response=created(JobOut))
def start_playground(
    request: PersonRequest, tape_id: UUID, body: PlaygroundQuestion
) -> Status[ShownJob]:
    """Ask a model; the answer streams over the socket of the job."""
    wanted = PlaygroundRequest(tape_id=tape_id, **dict(body))
    return Status(201, show_job(playground.start_playground(request.auth, wanted)))


@router.get("/{tape_id}/playground/{job_id}", response=PlaygroundRunOut)
def show_playground(request: PersonRequest, tape_id: UUID, job_id: UUID) -> PlaygroundRun:
    """Return a playground question with the answer received so far."""
    return playground.load_playground(request.auth, tape_id, job_id)


@router.delete("/{tape_id}/playground/{job_id}", response=emptied())
def stop_playground(request: PersonRequest, tape_id: UUID, job_id: UUID) -> Status[None]:
    """Stop the question if it is being answered, and delete it."""
    playground.stop_playground(request.auth, tape_id, job_id)
    return Status(204, None)
