"""A variant of a sweep as an Inspect log: tasks are samples, attempts are epochs."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import UUID

from optimize_app.evaluation.plan import Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.services.sweeps.decisions import By, choose_decision
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant, SweepRow, list_rows
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape, read_attempts
from tapes_app.engine.errors import NotFoundError
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.inspect_log import InspectLog, InspectSample, write_log
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.downloads import Download, write_file
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.loading import load_tape

_BY_OUTCOME = "outcome"


def export_log(
    person: Person, job_id: UUID, letter: str, *, by: By | None = None, task: UUID | None = None
) -> Download:
    """Return a variant of a sweep as an Inspect log, with what decides as its scorer.

    `task`: include only the attempts at this task, which is one cell of the grid.

    Raises:
        NotFoundError: the project has no such sweep, or the sweep has no such variant, scoring or
            task.
    """
    job = load_bulk_job(person, job_id, SWEEP_KIND)
    (sweep,) = list_rows(person, [job])
    found = (number for number, one in enumerate(sweep.variants) if one.letter == letter)
    number = next(found, None)
    if number is None:
        raise NotFoundError(f"The sweep has no variant {letter!r}.", variant=letter[:20])
    plan = Plan.model_validate(job.request)
    tasks = [one for group in plan.tasks for one in group if task in (None, one)]
    if not tasks:
        raise NotFoundError(f"The sweep has no task {str(task)!r}.", task=str(task))
    decided = choose_decision(person, job_id, plan, by)
    runs = Progress.model_validate(job.checkpoint or {}).runs
    attempts = [
        one
        for one in read_attempts(plan, runs, decided.scores)
        if one.variant == number and task in (None, one.row.start_id)
    ]
    kind = decided.by.scorer.kind if decided.by.scorer else _BY_OUTCOME
    log = _head(sweep, sweep.variants[number], plan, kind, tasks)

    def write(path: Path) -> None:
        write_log(path, log, _list_samples(person, attempts))

    name = f"{sweep.name} {letter}" + (f" {str(task)[:8]}" if task else "")
    return write_file(clean_name(name).replace("/", " "), ".eval", "application/zip", write)


def _head(
    sweep: SweepRow, variant: NamedVariant, plan: Plan, scorer: str, tasks: Iterable[UUID]
) -> InspectLog:
    return InspectLog(
        task=sweep.name,
        task_id=f"{sweep.job_id}-{variant.letter}",
        model=variant.model_name or variant.label,
        dataset=", ".join(f"{one.dataset}@{one.version}" for one in sweep.stands_on),
        scorer=scorer,
        created_at=sweep.created_at,
        epochs=len(plan.attempts),
        sample_ids=tuple(str(task) for task in tasks),
        is_finished=sweep.state in FINAL_STATES,
        metadata={
            "variant": variant.name,
            "parameters": variant.parameters,
            "seeds": list(plan.attempts),
        },
    )


def _list_samples(person: Person, attempts: Iterable[SweptTape]) -> Iterator[InspectSample]:
    for one in attempts:
        row = one.row
        failed = row.message or "It failed." if row.state == "failed" else ""
        yield InspectSample(
            id=one.task,
            epoch=one.attempt + 1,
            tape=load_tape(row.tape_id, person.project_id),
            kept_count=row.kept_count,
            target=row.expected,
            score=one.score if one.value is None else one.value,
            explanation=one.why,
            error=failed if one.score is None else "",
            tokens=row.tokens,
            seconds=row.seconds,
        )
