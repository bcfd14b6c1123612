"""`/suites`: regression tests, the datasets that hold them, and running all tests of one."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import Field

from optimize_app.evaluation.services.suites import (
    next_step_tests,
    regression_tests,
    suite_runs,
    suites,
)
from optimize_app.evaluation.services.suites.next_step_tests import (
    NextStepTests,
    NextStepTestsRequest,
)
from optimize_app.evaluation.services.suites.regression_tests import (
    RegressionTest,
    RegressionTestChange,
    RegressionTestRequest,
    SuggestedTest,
)
from optimize_app.evaluation.services.suites.suite_runs import SuiteRunRequest
from optimize_app.evaluation.services.suites.suites import SuiteReport, SuiteRow
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Page

router = make_router("suites")
of_tape = make_router("suites")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[SuiteRow])
def list_suites(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[SuiteRow]:
    """List datasets that hold regression tests, each with its newest run."""
    return suites.list_suites(request.auth, after=after, limit=limit)


@router.get("/{dataset_id}", response=SuiteReport)
def show_suite(request: PersonRequest, dataset_id: UUID) -> SuiteReport:
    """Show the tests of a suite, and the results of its ten newest runs."""
    return suites.load_suite(request.auth, dataset_id)


@router.post("/{dataset_id}/run", response={202: JobOut})
def run_suite(request: PersonRequest, dataset_id: UUID, body: SuiteRunRequest) -> Status[ShownJob]:
    """Run every test from its frozen beginning, by its agent's newest version or by others.

    The job is a sweep: `GET /sweeps/{job_id}` reports it.
    """
    return Status(202, show_job(suite_runs.start_suite(request.auth, dataset_id, body)))


@of_tape.get("/{tape_id}/regression-test", response=SuggestedTest)
def suggest_test(request: PersonRequest, tape_id: UUID) -> SuggestedTest:
    """Return the regression test that a tape would give by default."""
    return regression_tests.suggest_test(request.auth, tape_id)


@of_tape.post("/{tape_id}/regression-test", response=created(RegressionTest))
def make_test(
    request: PersonRequest, tape_id: UUID, body: RegressionTestRequest
) -> Status[RegressionTest]:
    """Freeze the beginning of a tape, with a check of what follows, as a test in a suite."""
    return Status(201, regression_tests.make_test(request.auth, tape_id, body))


@of_tape.post("/{tape_id}/next-step-tests", response=created(NextStepTests))
def make_next_step_tests(
    request: PersonRequest, tape_id: UUID, body: NextStepTestsRequest
) -> Status[NextStepTests]:
    """Make a test of every action of a good tape: given all before it, is it what comes next?

    A run of such a test ends at its first action; kind, tool and arguments are scored separately.
    """
    return Status(201, next_step_tests.make_next_step_tests(request.auth, tape_id, body))


@of_tape.put("/{tape_id}/regression-test", response=emptied())
def change_test(request: PersonRequest, tape_id: UUID, body: RegressionTestChange) -> Status[None]:
    """Change what passes a regression test; runs that have ended keep their verdict."""
    regression_tests.change_check(request.auth, tape_id, body)
    return Status(204, None)
