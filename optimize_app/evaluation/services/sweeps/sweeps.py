"""Sweeps as people see them: the list, and the progress of each."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from optimize_app.evaluation.plan import LETTERS, Plan, SweepBudget, Variant
from optimize_app.evaluation.request import SWEEP_KIND
from tapes_app.agents.store.agents import load_versions
from tapes_app.agents.store.llm_models import list_models
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.store.job import Job, list_job_page
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.services.people import Person


@dataclass(frozen=True, slots=True)
class NamedVariant:
    """A variant, with the names that pages and reports show."""

    letter: str
    label: str
    """What distinguishes it from others: `chat v2, gpt-5, temperature=0`."""

    agent_version_id: UUID
    agent_name: str
    """Empty: the agent version was deleted."""

    version_number: int | None
    model_id: UUID | None
    model_name: str
    """Empty: the model that the agent itself names."""

    parameters: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.letter} ({self.label})"


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A sweep and its progress."""

    job_id: UUID
    name: str
    variants: list[NamedVariant]
    """The first one is the baseline."""

    task_count: int
    attempts: list[int | None]
    """One entry per attempt of each variant at each task: its seed."""

    run_count: int
    """How many were requested."""

    done_count: int
    """Runs that have ended in any way."""

    budget: SweepBudget
    seconds: float
    """How long workers have worked on it; updated every few seconds."""

    stands_on: list[DatasetVersionRef]
    """The dataset versions that the tasks were chosen from."""

    state: JobState
    is_pausing: bool
    """A person asked it to pause, and something is still in progress."""

    message: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


def list_sweeps(person: Person, *, after: str | None = None, limit: int = 50) -> Page[SweepRow]:
    """Return a page of sweeps, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    page = list_job_page(person.project_id, kinds=(SWEEP_KIND,), after=after, limit=limit)
    return Page(tuple(list_rows(person, page.items)), page.next)


def load_sweep(person: Person, job_id: UUID) -> SweepRow:
    """Return one sweep.

    Raises:
        NotFoundError: the project has no sweep of this id.
    """
    (row,) = list_rows(person, [load_bulk_job(person, job_id, SWEEP_KIND)])
    return row


def list_rows(person: Person, jobs: Sequence[Job]) -> list[SweepRow]:
    plans = [Plan.model_validate(job.request) for job in jobs]
    named = name_variants(person, [plan.variants for plan in plans])
    return [
        SweepRow(
            job_id=job.id,
            name=plan.name,
            variants=variants,
            task_count=plan.task_count,
            attempts=list(plan.attempts),
            run_count=plan.run_count,
            done_count=job.progress_done or 0,
            budget=plan.budget,
            seconds=(job.checkpoint or {}).get("seconds", 0),
            stands_on=list(plan.stands_on),
            state=job.state,
            is_pausing=job.state in ("queued", "running") and bool(job.control.pause_asked_by),
            message=job.message,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
        )
        for job, plan, variants in zip(jobs, plans, named, strict=True)
    ]


def name_variants(person: Person, plans: Sequence[Sequence[Variant]]) -> list[list[NamedVariant]]:
    """Return the variants of several sweeps with their display names."""
    wanted = [variant.agent_version_id for variants in plans for variant in variants]
    versions = {row.id: row for row in load_versions(wanted, person.project_id)}
    models = {row.id: row.name for row in list_models(person.project_id)} if plans else {}

    def name(number: int, variant: Variant) -> NamedVariant:
        version = versions.get(variant.agent_version_id)
        model = models.get(variant.model_id, "") if variant.model_id else ""
        agent = f"{version.agent_name} v{version.number}" if version else "a deleted agent"
        parameters = [f"{key}={json.dumps(value)}" for key, value in variant.parameters.items()]
        return NamedVariant(
            letter=LETTERS[number],
            label=", ".join([agent, *([model] if model else []), *parameters]),
            agent_version_id=variant.agent_version_id,
            agent_name=version.agent_name if version else "",
            version_number=version.number if version else None,
            model_id=variant.model_id,
            model_name=model,
            parameters=variant.parameters,
        )

    return [[name(number, one) for number, one in enumerate(variants)] for variants in plans]
