"""`/reruns`: many tapes begun again by another agent, into a new batch."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import ERRORS, PersonRequest, found, make_router
from tapes_app.api.schemas import DiscardedOut
from tapes_app.api.schemas.reruns import RerunListOut, RerunOut, RerunPreviewOut
from tapes_app.services import rerun_preview, reruns
from tapes_app.services.rerun_request import RerunRequest, RerunWish

router = make_router("reruns")


@router.post("/preview", response=found(RerunPreviewOut))
def preview_rerun(request: PersonRequest, body: RerunWish) -> Any:
    """Say which tapes fit the agent, why others do not, and what it may cost; nothing is made."""
    return rerun_preview.preview_rerun(request.auth, body)


@router.post("", response={202: RerunOut, **ERRORS})
def start_rerun(request: PersonRequest, body: RerunRequest) -> Status[Any]:
    """Run tapes again from their start, in a job; the new tapes come in a new batch."""
    return Status(202, reruns.start_rerun(request.auth, body))


@router.get("", response=found(RerunListOut))
def list_reruns(request: PersonRequest) -> Any:
    """List the newest 20 re-runs that are not over; `GET /jobs` has those that are."""
    return {"items": reruns.list_reruns(request.auth)}


@router.get("/{rerun_id}", response=found(RerunOut))
def show_rerun(request: PersonRequest, rerun_id: UUID) -> Any:
    """Say how far a re-run is, and with what to compare what came of it."""
    return reruns.load_rerun(request.auth, rerun_id)


@router.post("/{rerun_id}/cancel", response=found(RerunOut))
def cancel_rerun(request: PersonRequest, rerun_id: UUID) -> Any:
    """Stop every run that is not over; what they have done stays.

    `POST /experiments/{rerun_id}/retry` goes on with what was stopped.
    """
    return reruns.cancel_rerun(request.auth, rerun_id)


@router.post("/{rerun_id}/undo", response=found(DiscardedOut))
def undo_rerun(request: PersonRequest, rerun_id: UUID) -> Any:
    """Take the tapes of a re-run that is over out of the lists, and its batch when it is empty."""
    return reruns.undo_rerun(request.auth, rerun_id)
