"""Under `/agents`: what is pinned, how versions score, and which are published."""

from uuid import UUID

from ninja import Status

from optimize_app.evaluation.services.reports import version_outcomes, version_scores
from optimize_app.evaluation.services.reports.version_outcomes import OutcomesOn
from optimize_app.evaluation.services.reports.version_scores import PinnedSuite
from optimize_app.evaluation.services.suites import publishing
from optimize_app.evaluation.services.suites.publishing import Readiness
from tapes_app.agents.domain.rows import Publication
from tapes_app.projects.api.bodies import In
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router

router = make_router("agents")


class PublicationIn(In):
    """Which version to publish, and whether to do so even if a pinned suite does not pass."""

    version_id: UUID
    anyway: bool = False


@router.get("/versions/outcomes", response=list[OutcomesOn])
def compare_outcomes(request: PersonRequest, a: UUID, b: UUID) -> list[OutcomesOn]:
    """Compare what two versions achieved: on pinned suites, and on the datasets used last."""
    return version_outcomes.compare_outcomes(request.auth, a, b)


@router.get("/{agent_id}/suites", response=list[PinnedSuite])
def list_pinned_suites(request: PersonRequest, agent_id: UUID) -> list[PinnedSuite]:
    """List the suites that an agent pins, with the score of each version in its newest sweep."""
    return version_scores.list_pinned_suites(request.auth, agent_id)


@router.put("/{agent_id}/suites/{dataset_id}", response=emptied())
def pin_suite(request: PersonRequest, agent_id: UUID, dataset_id: UUID) -> Status[None]:
    """Pin a suite: versions of the agent are published only when its tests pass."""
    publishing.pin_suite(request.auth, agent_id, dataset_id)
    return Status(204, None)


@router.delete("/{agent_id}/suites/{dataset_id}", response=emptied())
def unpin_suite(request: PersonRequest, agent_id: UUID, dataset_id: UUID) -> Status[None]:
    """Unpin a suite; only owners can."""
    publishing.unpin_suite(request.auth, agent_id, dataset_id)
    return Status(204, None)


@router.get("/versions/{version_id}/readiness", response=Readiness)
def show_readiness(request: PersonRequest, version_id: UUID) -> Readiness:
    """Show how a version does on the pinned suites, with each test that has not passed."""
    return publishing.check_readiness(request.auth, version_id)


@router.post("/{agent_id}/publications", response=created(Publication))
def publish_version(
    request: PersonRequest, agent_id: UUID, body: PublicationIn
) -> Status[Publication]:
    """Publish a version, so that new runs are offered it. Refused unless all pinned suites pass.

    `anyway`: an owner publishes it nevertheless, and that stays on record.
    """
    made = publishing.publish_version(request.auth, agent_id, body.version_id, anyway=body.anyway)
    return Status(201, made)
