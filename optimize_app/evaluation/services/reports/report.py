"""What the scores of a sweep show: each variant with its interval, and against the baseline.

Computed again at every request: a person who judges a tape changes the report without a new run.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.plan import Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.scoring.scorers import AnswerScorer, AttackScorer
from optimize_app.evaluation.services.reports.attack_rates import AttackRates, rate_attacks
from optimize_app.evaluation.services.reports.cards import find_digest
from optimize_app.evaluation.services.reports.next_step_rates import NextStepRates, rate_next_steps
from optimize_app.evaluation.services.reports.result_before import (
    collect_scores,
    describe_result_before,
)
from optimize_app.evaluation.services.reports.steadiness import (
    BestVariant,
    Steadiness,
    find_best,
    measure_steadiness,
)
from optimize_app.evaluation.services.reports.tag_rates import TagRates, rate_tags
from optimize_app.evaluation.services.reports.task_reports import TaskReport, list_tasks
from optimize_app.evaluation.services.reports.votes import VoteReport, Votes, count_votes
from optimize_app.evaluation.services.sweeps.decisions import By, DecidedBy, choose_decision
from optimize_app.evaluation.services.sweeps.learnt_tasks import LearntTasks, find_learnt_tasks
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant, SweepRow, list_rows
from optimize_app.evaluation.services.sweeps.swept_tapes import (
    SweptTape,
    explain_nothing_judged,
    read_attempts,
)
from optimize_app.evaluation.services.sweeps.watching import Watched, watch_variants
from tapes_app.agents.store.rate_limits import HeldModel, list_held
from tapes_app.bulk.store.tags import read_tags
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.comparisons import Comparison
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.many_variants import compare_with_baseline
from tapes_app.statistics.planning import plan_separation
from tapes_app.statistics.score_estimates import (
    ScoreEstimate,
    mean_score,
    pass_at_k,
    pass_hat_k,
)
from tapes_app.statistics.sentences import WHY_WATCHED_IS_WIDER, describe_comparison

MOST_TASKS = 500


@dataclass(frozen=True, slots=True)
class CellBatch:
    """The tapes of one attempt of a variant."""

    key: str
    """`A2`: the second attempt of variant A."""

    batch_id: UUID
    seed: int | None


@dataclass(frozen=True, slots=True)
class VariantReport:
    """One variant: how it scored, what it cost, and how it compares with the baseline."""

    variant: NamedVariant
    batches: list[CellBatch]
    run_count: int
    """How many were requested."""

    passed_count: int
    failed_count: int
    missing_count: int
    """Runs without a verdict: not run yet, failed, out of budget, or not judged. They do not count
    at all, not even as failed."""

    score: ScoreEstimate | None
    """pass@1 with its interval; tasks are treated as independent, attempts at one task are not."""

    unjudged: str
    """Why no run has a score, and what to do about it; empty if one has."""

    mean_value: ScoreEstimate | None
    """Mean of the scores from 0 to 1; `None` if runs only pass or fail."""

    any_of_attempts: ScoreEstimate | None
    """pass@k, with k the number of attempts; `None` if that is one."""

    all_attempts: ScoreEstimate | None
    """pass^k."""

    vote: VoteReport | None
    """What it scores if the attempts at each task vote; `None` with fewer than three attempts, and
    if answers cannot be compared."""

    tokens: int
    cost_micro_usd: int
    """Cost of the LLM calls that have a price."""

    llm_call_count: int
    unpriced_call_count: int
    mean_seconds: float | None
    difference: Estimate | None
    """From the baseline, over the tasks that both have; `None` for the baseline, or without any."""

    p_value: float | None
    """For that difference, adjusted for the number of comparisons; `None` if nothing differs."""

    sentence: str
    """What that shows and what it does not; empty if nothing is compared."""

    steadiness: Steadiness | None
    """`None` with one task, or with one attempt at each."""

    watched: Watched | None
    """While the sweep runs: its standing in intervals that are valid however often someone checks.
    `None` afterwards, before anything is known, and if tasks are not in random order."""


@dataclass(frozen=True, slots=True)
class SweepReport:
    """A sweep with everything that its scores show."""

    sweep: SweepRow
    card: str
    """Hash of the card, which names what it was made of; empty while it runs, and if it has no
    card."""

    decided_by: DecidedBy
    scorings: list[DecidedBy]
    """All scorings of the sweep, oldest first."""

    result_before: str
    """The result before outcomes were changed or the sweep was scored anew, with what changed it,
    in a sentence; empty if nothing did."""

    variants: list[VariantReport]
    best: BestVariant | None
    """Only with three variants or more and several attempts, once the sweep is over."""

    tasks: list[TaskReport]
    """Those on which variants differ most come first; at most 500."""

    task_count: int
    """How many were started."""

    watching: str
    """Why the interim results differ from the final ones; empty if there are none."""

    learnt: list[LearntTasks]
    """Variants whose model was trained on tasks of the sweep."""

    held_models: list[HeldModel]
    """Its models that are at a provider's limit now, so that runs wait; empty once the sweep is
    over."""

    tags: list[TagRates]
    """Pass rates on the tasks of each tag, tags with the most tasks first; at most 40."""

    next_steps: list[NextStepRates]
    """Of each variant at the tests that ask for just the next step; empty if none does."""

    attacks: list[AttackRates]
    """What became of planted instructions, in all and by tag; empty unless that decides."""


def load_report(
    person: Person, job_id: UUID, *, by: By | None = None, most_tasks: int | None = MOST_TASKS
) -> SweepReport:
    """Return the results of a sweep so far, with at most this many of its tasks.

    `by`: which scoring decides; `None`: the one that the sweep started with.

    Raises:
        NotFoundError: the project has no sweep of this id, or the sweep has no such scoring.
    """
    job = load_bulk_job(person, job_id, SWEEP_KIND)
    (sweep,) = list_rows(person, [job])
    plan = Plan.model_validate(job.request)
    runs = Progress.model_validate(job.checkpoint or {}).runs
    decided = choose_decision(person, job_id, plan, by)
    attempts = read_attempts(plan, runs, decided.scores)
    scores = collect_scores(attempts, sweep.variants)
    compared = _compare(scores, sweep.variants)
    votes = _vote(attempts, plan, decided.by)
    chosen = frozenset[UUID]().union(*(one.chosen for one in votes.values()))
    tasks = list_tasks(attempts, len(sweep.variants), chosen, expected=decided.by.expected)
    starts = [task.start_id for task in tasks if task.start_id]
    watched = {} if sweep.state in FINAL_STATES else watch_variants(plan, attempts)
    tagged = {str(start): tags for start, tags in read_tags(person.project_id, starts).items()}
    return SweepReport(
        sweep=sweep,
        card=find_digest(job),
        decided_by=decided.by,
        scorings=decided.scorings,
        result_before=describe_result_before(
            person, job_id, plan, runs, decided.by, attempts, sweep.variants
        ),
        variants=[
            _report(
                named,
                [one for one in attempts if one.variant == number],
                scores,
                batches=_list_batches(plan, runs, number),
                run_count=plan.run_count // len(plan.variants),
                compared=compared.get(named.name),
                watched=watched.get(number),
                vote=votes[number].report if number in votes else None,
            )
            for number, named in enumerate(sweep.variants)
        ],
        best=find_best(scores) if sweep.state in FINAL_STATES else None,
        tasks=tasks[:most_tasks],
        task_count=len(tasks),
        watching=WHY_WATCHED_IS_WIDER if watched else "",
        learnt=find_learnt_tasks(person.project_id, plan),
        held_models=[] if sweep.state in FINAL_STATES else _list_held(person, plan),
        tags=rate_tags(scores, [one.name for one in sweep.variants], tagged),
        next_steps=rate_next_steps(attempts, len(sweep.variants)),
        attacks=rate_attacks(attempts, len(sweep.variants), tagged)
        if isinstance(decided.by.scorer, AttackScorer)
        else [],
    )


def _vote(attempts: Sequence[SweptTape], plan: Plan, by: DecidedBy) -> dict[int, Votes]:
    """Return the votes of each variant whose attempts can vote.

    What an attack decides is not the answer, which is what a vote would be about.
    """
    if isinstance(by.scorer, AttackScorer):
        return {}
    any_order = isinstance(by.scorer, AnswerScorer) and by.scorer.any_order
    votes = {}
    for variant in range(len(plan.variants)):
        own = [one for one in attempts if one.variant == variant]
        if found := count_votes(own, len(plan.attempts), any_order=any_order):
            votes[variant] = found
    return votes


def _list_held(person: Person, plan: Plan) -> list[HeldModel]:
    if plan.pins is None:
        return []
    judges = [plan.pins.judge] if plan.pins.judge else []
    asked = [*judges, *(model for one in plan.pins.variants for model in one.models)]
    return list_held(person.project_id, {model.name for model in asked})


def _compare(scores: Scores, variants: Sequence[NamedVariant]) -> dict[str, tuple[Comparison, str]]:
    """Compare each variant with the baseline, with what that shows in a sentence."""
    baseline = variants[0].name
    if baseline not in scores.variants:
        return {}
    return {
        one.second: (one, describe_comparison(one, plan_separation(scores, one.first, one.second)))
        for one in compare_with_baseline(scores, baseline)
    }


def _report(
    named: NamedVariant,
    attempts: Sequence[SweptTape],
    scores: Scores,
    *,
    batches: list[CellBatch],
    run_count: int,
    compared: tuple[Comparison, str] | None,
    watched: Watched | None,
    vote: VoteReport | None,
) -> VariantReport:
    own = scores.of_variant(named.name) if named.name in scores.variants else None
    score = mean_score(own) if own else None
    passed, failed, _ = _count(attempts)
    seconds = [one.row.seconds for one in attempts if one.row.seconds is not None]
    k = max((one.attempt for one in attempts if one.score is not None), default=0) + 1
    return VariantReport(
        variant=named,
        batches=batches,
        run_count=run_count,
        passed_count=passed,
        failed_count=failed,
        missing_count=max(run_count, len(attempts)) - passed - failed,
        score=score,
        unjudged="" if score else explain_nothing_judged(attempts),
        mean_value=_mean_value(attempts),
        any_of_attempts=pass_at_k(own, k) if own and k > 1 else None,
        all_attempts=pass_hat_k(own, k) if own and k > 1 else None,
        vote=vote,
        tokens=sum(one.row.tokens for one in attempts),
        cost_micro_usd=sum(one.row.micro_usd for one in attempts),
        llm_call_count=sum(one.row.llm_call_count for one in attempts),
        unpriced_call_count=sum(one.row.unpriced_call_count for one in attempts),
        mean_seconds=sum(seconds) / len(seconds) if seconds else None,
        difference=compared[0].difference if compared else None,
        p_value=compared[0].adjusted_p_value if compared else None,
        sentence=compared[1] if compared else "",
        steadiness=measure_steadiness(own) if own else None,
        watched=watched,
    )


def _mean_value(attempts: Sequence[SweptTape]) -> ScoreEstimate | None:
    """Return the mean of the scores if they are more than pass or fail."""
    if all(one.value in (None, 0, 1) for one in attempts):
        return None
    scores = Scores.of(
        Attempt(one.task, "", one.attempt, one.value, one.cluster) for one in attempts
    )
    return mean_score(scores.of_variant(""))


def _list_batches(plan: Plan, runs: Mapping[str, UUID], variant: int) -> list[CellBatch]:
    return [
        CellBatch(cell.key, runs[cell.key], plan.attempts[cell.attempt])
        for cell in plan.cells
        if cell.variant == variant and cell.key in runs
    ]


def _count(attempts: Sequence[SweptTape]) -> tuple[int, int, int]:
    """Return how many passed, failed and are missing."""
    found = Counter(one.score for one in attempts)
    return found[1.0], found[0.0], found[None]
