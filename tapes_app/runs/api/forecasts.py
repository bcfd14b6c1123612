"""`/tapes/{id}/fit` and `/tapes/{id}/estimate`: what is asked before a run starts."""

from typing import Annotated
from uuid import UUID

from ninja import Query

from tapes_app.editing.fixes import FIRST_FIX, FixIn
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.runs.api.forecast_schemas import EstimateIn
from tapes_app.runs.services import estimates, fit
from tapes_app.runs.services.estimates import RunEstimate
from tapes_app.runs.services.fit import Fit

router = make_router("forecasts")


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
    """Say whether an agent version can continue from here, and who could when it cannot.

    With `use_draft` the place is counted on the tape as the caller's draft would leave it.
    """
    return fit.look_at_fit(
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
    """Estimate what a run would take, from recorded calls; nothing is started."""
    return estimates.estimate_run(
        request.auth, tape_id, estimates.EstimateRequest(**body.model_dump())
    )
