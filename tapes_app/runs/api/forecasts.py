"""`/tapes/{id}/fit`, `/estimate` and `/made-with`: questions before a run starts."""

from typing import Annotated
from uuid import UUID

from ninja import Query

from tapes_app.editing.domain.rows import FIRST_FIX, FixIn
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.runs.domain.request import MadeWith
from tapes_app.runs.services import estimates, fit, made_with
from tapes_app.runs.services.estimates import EstimateRequest, RunEstimate
from tapes_app.runs.services.fit import Fit

router = make_router("forecasts")


class EstimateIn(EstimateRequest):
    """A run that may be started. The recorded rest of the tape guides the estimate."""


@router.get("/{tape_id}/fit", response=Fit)
def show_fit(
    request: PersonRequest,
    tape_id: UUID,
    agent_version: UUID,
    at: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    use_draft: bool | None = None,
    fix: FixIn = FIRST_FIX,
    model: UUID | None = None,
) -> Fit:
    """Return whether an agent version can continue from here, and otherwise which agents could.

    With `use_draft`, `at` counts the steps of the tape as the caller's draft would leave it.
    """
    return fit.check_fit_of_version(
        request.auth,
        tape_id,
        agent_version,
        at=at,
        use_draft=bool(use_draft),
        fix=fix,
        model_id=model,
    )


@router.post("/{tape_id}/estimate", response=RunEstimate)
def estimate_run(request: PersonRequest, tape_id: UUID, body: EstimateIn) -> RunEstimate:
    """Estimate what a run would take, based on recorded calls; nothing is started."""
    return estimates.estimate_run(request.auth, tape_id, body)


@router.get("/{tape_id}/made-with", response=MadeWith | None)
def show_made_with(request: PersonRequest, tape_id: UUID) -> MadeWith | None:
    """Return what its newest run was made with; for a child not run yet, that of its ancestor."""
    return made_with.find_made_with(request.auth, tape_id)
