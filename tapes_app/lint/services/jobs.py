"""Linting many tapes in the background, and tapes that a run or an import has just written."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.lint.services.linting import Linter, lint_and_keep, list_stale_tapes
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.listeners import RunListener, add_run_listener
from tapes_app.tapes.store.access import require_tape
from tapes_app.tapes.store.batches import load_batch

LINT_KIND = "lint"


class LintRequest(FrozenModel):
    """Which tapes to lint: named ones, those of a batch, or all that are stale."""

    tape_ids: list[UUID] = Field(default_factory=list, max_length=1_000)
    batch_id: UUID | None = None


def start_lint(person: Person, *, tape_ids: Sequence[UUID], batch_id: UUID | None) -> Job:
    """Queue a job that lints tapes.

    Raises:
        NotFoundError: the batch or one of the tapes is not in the project.
    """
    if batch_id is not None:
        load_batch(batch_id, person.project_id)
    for tape_id in tape_ids:
        require_tape(tape_id, person.project_id)
    request = LintRequest(tape_ids=list(tape_ids), batch_id=batch_id)
    return create_job(
        person.project_id,
        LINT_KIND,
        request=request.model_dump(mode="json"),
        title="Lint tapes",
        owner_id=person.user_id,
        batch_id=batch_id,
    )


@job_kind(LINT_KIND)
async def execute_lint(context: JobContext) -> Outcome:
    """Lint the tapes of a job and store the findings."""
    request = LintRequest.model_validate(context.job.request)
    return await context.run_in_thread(_lint, context, request)


def _lint(context: JobContext, request: LintRequest) -> Outcome:
    project = context.job.project_id
    ids = request.tape_ids or list_stale_tapes(project, batch_id=request.batch_id)
    report = partial(context.report_or_stop, message="Linting")
    total = found = 0
    for item in lint_and_keep(project, ids, commit=context.write_in_thread, report=report):
        total += 1
        found += bool(item.findings)
    return Outcome(
        message=f"{count_of(total, 'tape')} linted; {found} with findings.",
        result={"linted": total, "with_findings": found},
    )


class _LintAfterRun(RunListener):
    """Lints the tape of a run that has finished."""

    async def note_end(
        self,
        context: JobContext,
        request: RunRequest,  # noqa: ARG002 - a listener's signature
        outcome: Outcome,
    ) -> Outcome:
        if outcome.state in FINAL_STATES and context.job.tape_id is not None:
            await _lint_tape(context, context.job.tape_id)
        return outcome


add_run_listener(_LintAfterRun())


async def _lint_tape(context: JobContext, tape_id: UUID) -> None:
    linter = await context.run_in_thread(Linter, context.job.project_id)
    linted = await context.run_in_thread(linter.lint, tape_id)
    await context.commit(lambda: linter.keep([linted]))
