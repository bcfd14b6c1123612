"""`/reruns`: many tapes rerun by another agent, into a new batch."""

from uuid import UUID

from ninja import Status

from tapes_app.batches.services import rerun_preview, reruns
from tapes_app.batches.services.rerun_preview import RerunPreview
from tapes_app.batches.services.rerun_request import RerunRequest, RerunSpec
from tapes_app.batches.services.reruns import Rerun
from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.rows import Items

router = make_router("reruns")


@router.post("/preview", response=RerunPreview)
def preview_rerun(request: PersonRequest, body: RerunSpec) -> RerunPreview:
    """Say which tapes fit the agent, why others do not, and what it may cost; nothing is made."""
    return rerun_preview.preview_rerun(request.auth, body)


@router.post("", response={202: Rerun})
def start_rerun(request: PersonRequest, body: RerunRequest) -> Status[Rerun]:
    """Run tapes again from their start, in a job; the new tapes come in a new batch."""
    return Status(202, reruns.start_rerun(request.auth, body))


@router.get("", response=Items[Rerun])
def list_reruns(request: PersonRequest) -> Items[Rerun]:
    """List the newest 20 re-runs that are not over; `GET /jobs` has those that are."""
    return Items(reruns.list_reruns(request.auth))


@router.get("/{rerun_id}", response=Rerun)
def show_rerun(request: PersonRequest, rerun_id: UUID) -> Rerun:
    """Say how far a re-run is, and with what to compare the result."""
    return reruns.load_rerun(request.auth, rerun_id)


@router.post("/{rerun_id}/cancel", response=Rerun)
def cancel_rerun(request: PersonRequest, rerun_id: UUID) -> Rerun:
    """Stop every run that is not over; what they have done stays.

    `POST /experiments/{rerun_id}/retry` continues with what was stopped.
    """
    return reruns.cancel_rerun(request.auth, rerun_id)


@router.post("/{rerun_id}/undo", response=Discarded)
def undo_rerun(request: PersonRequest, rerun_id: UUID) -> Discarded:
    """Remove the tapes of a finished re-run from the lists, and its batch if it is empty."""
    return reruns.undo_rerun(request.auth, rerun_id)
