"""`/reruns`: many tapes rerun by another agent, into a new batch."""

from uuid import UUID

from ninja import Status

from tapes_app.batches.services import rerun_preview, reruns
from tapes_app.batches.services.rerun_preview import RerunPreview
from tapes_app.batches.services.rerun_request import RerunRequest, RerunSpec
from tapes_app.batches.services.reruns import Rerun
from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Items

router = make_router("reruns")


@router.post("/preview", response=RerunPreview)
def preview_rerun(request: PersonRequest, body: RerunSpec) -> RerunPreview:
    """Return which tapes fit the agent, why others do not, and the cost estimate; make nothing."""
    return rerun_preview.preview_rerun(request.auth, body)


@router.post("", response={202: Rerun})
def start_rerun(request: PersonRequest, body: RerunRequest) -> Status[Rerun]:
    """Rerun tapes from their start, in a job; the new tapes go into a new batch."""
    return Status(202, reruns.start_rerun(request.auth, body))


@router.get("", response=Items[Rerun])
def list_reruns(request: PersonRequest) -> Items[Rerun]:
    """List the newest 20 unfinished re-runs; `GET /jobs` lists the finished ones."""
    return Items(reruns.list_reruns(request.auth))


@router.get("/{rerun_id}", response=Rerun)
def show_rerun(request: PersonRequest, rerun_id: UUID) -> Rerun:
    """Return the progress of a re-run, and what to compare its result with."""
    return reruns.load_rerun(request.auth, rerun_id)


@router.post("/{rerun_id}/cancel", response=Rerun)
def cancel_rerun(request: PersonRequest, rerun_id: UUID) -> Rerun:
    """Stop every unfinished run; what they have done so far stays.

    `POST /experiments/{rerun_id}/retry` continues the stopped runs.
    """
    return reruns.cancel_rerun(request.auth, rerun_id)


@router.post("/{rerun_id}/undo", response=Discarded)
def undo_rerun(request: PersonRequest, rerun_id: UUID) -> Discarded:
    """Remove the tapes of a finished re-run from the lists, and its batch if it is empty."""
    return reruns.undo_rerun(request.auth, rerun_id)
