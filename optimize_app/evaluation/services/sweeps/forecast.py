"""What a sweep or an amendment would take: runs, money, tokens and time.

Computed from what the same agents did with the same models before. If they did nothing, the value
is unknown, and so is every sum that includes it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.plan import LETTERS, Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND, SweepAmendment, SweepRequest
from optimize_app.evaluation.services.sweeps.starting import (
    check_prices,
    choose_more_tasks,
    choose_tasks,
)
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant, name_variants
from tapes_app.batches.services.rerun_preview import RerunEstimate, preview_rerun
from tapes_app.batches.services.reruns import Rerun, load_reruns
from tapes_app.library.services.bulk_job import PREVIEW_SECONDS, load_bulk_job
from tapes_app.projects.domain.left_out import LeftOut
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.estimates import EstimateRange, add_ranges
from tapes_app.statistics.estimate import CONFIDENCE
from tapes_app.statistics.planning import guess_spread, smallest_difference
from tapes_app.statistics.sentences import describe_reach

_GUESSED_RATE = 0.5
"""If half of the runs pass, a difference is hardest to detect."""


@dataclass(frozen=True, slots=True)
class VariantForecast:
    """What the new runs of one variant would take."""

    variant: NamedVariant
    run_count: int
    """How many would be run now."""

    tokens: EstimateRange | None
    cost_micro_usd: EstimateRange | None
    seconds: EstimateRange | None
    """`None`: unknown, as this agent has not run with this model. Assumes one run after the
    other."""

    sample_count: int
    """How many of the tasks the values are computed from."""


@dataclass(frozen=True)
class SweepForecast:
    """What a sweep would take."""

    __pydantic_config__ = ALL_FIELDS

    run_count: int
    """Number of runs in the complete sweep."""

    there_count: int
    """How many of them exist already, or are in progress."""

    new_count: int
    """How many would be run now: those that can start."""

    tokens: EstimateRange | None
    cost_micro_usd: EstimateRange | None
    seconds: EstimateRange | None
    """Sum over all variants; `None` if one of them is unknown. Does not include judges."""

    smallest_difference: float | None
    """The difference between two variants that such a sweep detects 4 times out of 5: a guess, as
    nothing has run."""

    reach: str
    """What that means, in a sentence; empty with one variant or one task."""

    variants: list[VariantForecast]
    left_out: LeftOut
    """Tasks at which an agent cannot start; a task counts once for each such agent."""


def forecast_sweep(person: Person, request: SweepRequest) -> SweepForecast:
    """Return what a sweep would take; nothing is started, and no dataset is frozen.

    Raises:
        NotFoundError: no such agent version or model, or not all of the named tapes.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: no tape is chosen, two variants are the same, the sweep is too large, or
            a dollar limit is set and a model has no price.
    """
    plan = request.plan(choose_tasks(person, request))
    check_prices(person, plan)
    return _forecast(person, plan, {})


def forecast_amendment(person: Person, job_id: UUID, amendment: SweepAmendment) -> SweepForecast:
    """Return what an amendment would add to a sweep; nothing is changed.

    Raises:
        NotFoundError: there is no such sweep, agent version, model or tape.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: it is too large, or no new task is chosen.
    """
    job = load_bulk_job(person, job_id, SWEEP_KIND)
    before = Plan.model_validate(job.request)
    tasks = choose_more_tasks(person, amendment.tasks, before)
    runs = Progress.model_validate(job.checkpoint or {}).runs
    shown = {one.id: one for one in load_reruns(person, list(runs.values()))}
    started = {
        key: _count_started(shown[run], is_retried=amendment.retry)
        for key, run in runs.items()
        if run in shown
    }
    return _forecast(person, amendment.amend(before, tasks), started)


@dataclass(frozen=True, slots=True)
class _Started:
    """How many runs of a cell stay as they are, and how many would be retried."""

    kept: int
    retried: int


def _count_started(run: Rerun, *, is_retried: bool) -> _Started:
    states = run.states
    retried = states.failed + states.cancelled + states.out_of_budget if is_retried else 0
    return _Started(run.tape_count - retried, retried)


def _forecast(person: Person, plan: Plan, started: Mapping[str, _Started]) -> SweepForecast:
    """`begun`: by the key of the cell."""
    (named,) = name_variants(person, [plan.variants])
    left_out: LeftOut = Counter()
    parts = [_forecast_variant(person, plan, one, started, left_out) for one in named]
    asked = [one for one in parts if one.run_count]
    found = _find_smallest(plan)
    return SweepForecast(
        run_count=plan.run_count,
        there_count=sum(one.kept for one in started.values()),
        new_count=sum(one.run_count for one in asked),
        tokens=add_ranges([one.tokens for one in asked]),
        cost_micro_usd=add_ranges([one.cost_micro_usd for one in asked]),
        seconds=add_ranges([one.seconds for one in asked]),
        smallest_difference=found,
        reach="" if found is None else describe_reach(found, **_size_of(plan)),
        variants=parts,
        left_out=left_out,
    )


def _find_smallest(plan: Plan) -> float | None:
    """Return the smallest difference from the baseline that a sweep like this can detect."""
    others = len(plan.variants) - 1
    if not others:
        return None
    # As strict as the strictest of Holm's steps.
    confidence = 1 - (1 - CONFIDENCE) / others
    return smallest_difference(guess_spread(_GUESSED_RATE), confidence=confidence, **_size_of(plan))


def _size_of(plan: Plan) -> dict[str, int]:
    tasks = sum(len(group) for group in plan.tasks)
    return {"tasks": tasks, "attempts_per_task": len(plan.attempts)}


def _forecast_variant(
    person: Person,
    plan: Plan,
    named: NamedVariant,
    started: Mapping[str, _Started],
    left_out: LeftOut,
) -> VariantForecast:
    """Read a sample of the tasks for some seconds at most; the result is scaled to all of them."""
    number = LETTERS.index(named.letter)
    cells = [cell for cell in plan.cells if cell.variant == number]
    first = [cell.group for cell in cells if cell.key not in started]
    again = sum(started[cell.key].retried for cell in cells if cell.key in started)
    groups = set(first) or ({cell.group for cell in cells} if again else set())
    if not groups:
        return VariantForecast(named, 0, None, None, None, 0)
    tasks = tuple(task for group in sorted(groups) for task in plan.tasks[group])
    seconds = PREVIEW_SECONDS / len(plan.variants)
    found = preview_rerun(person, plan.spec_of(plan.variants[number], tasks), seconds=seconds)
    left_out.update(found.left_out)
    share = found.fitting / found.looked_at
    count = round(share * sum(len(plan.tasks[group]) for group in first)) + again
    return _scale(named, found.estimate, count, share * found.tape_count)


def _scale(
    named: NamedVariant, estimate: RerunEstimate | None, count: int, estimated: float
) -> VariantForecast:
    """Return what `count` runs take, given an `estimate` for the sample."""
    if estimate is None:
        return VariantForecast(named, count, None, None, None, 0)
    factor = count / estimated
    return VariantForecast(
        named,
        count,
        tokens=estimate.tokens and estimate.tokens.times(factor),
        cost_micro_usd=estimate.cost_micro_usd and estimate.cost_micro_usd.times(factor),
        seconds=estimate.seconds and estimate.seconds.times(factor),
        sample_count=estimate.sample_count,
    )
