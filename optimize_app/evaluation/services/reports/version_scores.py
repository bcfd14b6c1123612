"""How the versions of an agent score on the suites that it pins: the learning curve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.plan import LETTERS, Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.services.sweeps.decisions import choose_decision
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape, read_attempts
from optimize_app.evaluation.store.pinned_suites import SweptVersion, list_pins, list_sweeps_of
from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.store.agents import list_versions, load_agent
from tapes_app.jobs.store.job import Job, load_jobs
from tapes_app.projects.services.people import Person
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

MOST_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class VersionScore:
    """How one version scored in a sweep that measured it."""

    version_id: UUID
    number: int
    sweep_id: UUID
    letter: str
    """The letter of the version's variant in the sweep."""

    score: ScoreEstimate | None
    """pass@1 with its interval; `None`: nothing is decided yet."""

    passed_count: int
    failed_count: int
    missing_count: int


@dataclass(frozen=True, slots=True)
class PinnedSuite:
    """A suite that an agent pins, with the scores of the agent's versions."""

    dataset_id: UUID
    name: str
    is_deleted: bool
    scores: list[VersionScore]
    """By version, oldest first; versions that no sweep measured have no entry."""


def list_pinned_suites(person: Person, agent_id: UUID) -> list[PinnedSuite]:
    """Return the suites that an agent pins, with the scores of its newest versions.

    Raises:
        NotFoundError: the project has no such agent.
    """
    agent = load_agent(agent_id, person.project_id)
    pins = list_pins(agent.id, person.project_id)
    versions = list_versions(agent_id, person.project_id)[:MOST_VERSIONS] if pins else []
    swept = _newest(list_sweeps_of([one.id for one in versions], [pin.dataset_id for pin in pins]))
    scores = score_versions(person, swept, versions)
    oldest_first = [version.id for version in reversed(versions)]
    return [
        PinnedSuite(
            pin.dataset_id,
            pin.name,
            pin.is_deleted,
            [
                scores[pin.dataset_id, version]
                for version in oldest_first
                if (pin.dataset_id, version) in scores
            ],
        )
        for pin in pins
    ]


def score_versions(
    person: Person, swept: Sequence[SweptVersion], versions: Sequence[AgentVersionRow]
) -> dict[tuple[UUID, UUID], VersionScore]:
    """Return the scores of versions in sweeps, by dataset and version."""
    jobs = load_jobs(person.project_id, {one.sweep_id for one in swept})
    return {
        (one.dataset_id, one.version_id): _score(person, jobs[one.sweep_id], one, versions)
        for one in swept
        if one.sweep_id in jobs and jobs[one.sweep_id].kind == SWEEP_KIND
    }


def _newest(swept: Iterable[SweptVersion]) -> list[SweptVersion]:
    """Return the first entry for each version on each dataset."""
    first: dict[tuple[UUID, UUID], SweptVersion] = {}
    for one in swept:
        first.setdefault((one.dataset_id, one.version_id), one)
    return list(first.values())


def _score(
    person: Person, job: Job, swept: SweptVersion, versions: Sequence[AgentVersionRow]
) -> VersionScore:
    plan = Plan.model_validate(job.request)
    runs = Progress.model_validate(job.checkpoint or {}).runs
    letter = LETTERS[swept.variant]
    own = {key: run for key, run in runs.items() if key.startswith(letter)}
    decided = choose_decision(person, job.id, plan, None)
    attempts = read_attempts(plan, own, decided.scores)
    passed = sum(one.score == 1 for one in attempts)
    failed = sum(one.score == 0 for one in attempts)
    wanted = plan.run_count // len(plan.variants)
    return VersionScore(
        version_id=swept.version_id,
        number=next(one.number for one in versions if one.id == swept.version_id),
        sweep_id=job.id,
        letter=letter,
        score=_estimate(attempts),
        passed_count=passed,
        failed_count=failed,
        missing_count=max(wanted, len(attempts)) - passed - failed,
    )


def _estimate(attempts: Sequence[SweptTape]) -> ScoreEstimate | None:
    """Return the score of one variant's attempts; `None` if none has a verdict."""
    judged = [one for one in attempts if one.score is not None]
    if not judged:
        return None
    scores = Scores.of(Attempt(one.task, "", one.attempt, one.score, one.cluster) for one in judged)
    return mean_score(scores.of_variant(""))
