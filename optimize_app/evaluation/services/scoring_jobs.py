"""The job of a scoring: attempts that are over are scored page by page, a judge's side by side."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from optimize_app.evaluation.scoring.scorers import JudgeScorer, JudgingScorer, PairwiseScorer
from optimize_app.evaluation.scoring_request import SCORING_KIND
from optimize_app.evaluation.services.measuring import NOTHING_DONE, Measure, open_measure
from optimize_app.evaluation.services.pairwise import (
    BASELINE,
    NO_BASELINE,
    compare,
    load_partners,
)
from optimize_app.evaluation.services.scoring import (
    ScoringJob,
    find_expected,
    finish_scoring,
    list_unscored,
    load_ended,
    load_spent,
)
from optimize_app.evaluation.store import scores as storage
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.llm import LLM, LLMCall
from tapes_app.experiments.checks import Ended
from tapes_app.experiments.services.branch_outcomes import price_of
from tapes_app.experiments.services.judging import ask_judge, build_judge, build_prompt
from tapes_app.experiments.store.attempt_rows import AttemptRow
from tapes_app.jobs.protocol import Event
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.projects.services.people import Person, identify_owner
from tapes_app.tapes.store.calls import save_calls

_PAGE = 50
_JUDGED_AT_ONCE = 8


@job_kind(SCORING_KIND)
async def execute_scoring(context: JobContext) -> Outcome:
    """Score what is over; what an attempt that died had scored keeps its score."""
    job = ScoringJob.model_validate(context.job.request)
    owner, project = context.job.owner_id, context.job.project_id
    person = await context.run_in_thread(identify_owner, owner, project)
    rows = await context.run_in_thread(list_unscored, person, job)
    scorer = job.request.scorer
    if isinstance(scorer, JudgingScorer):
        return await _judge_all(context, person, job, scorer, rows)
    with open_measure(scorer, person.project_id) as measure:
        for done in range(0, len(rows), _PAGE):
            context.report_progress(done, len(rows), "Scoring")
            await _score_page(context, person, job, measure, rows[done : done + _PAGE])
    return finish_scoring(len(rows), 0, "")


async def _judge_all(
    context: JobContext,
    person: Person,
    job: ScoringJob,
    scorer: JudgingScorer,
    rows: Sequence[AttemptRow],
) -> Outcome:
    llm = await context.run_in_thread(build_judge, person.project_id, scorer.model_id)
    calls_each = 1 if isinstance(scorer, JudgeScorer) else 2
    partners = (
        await context.run_in_thread(load_partners, person, job.sweep_id)
        if isinstance(scorer, PairwiseScorer)
        else {}
    )
    done = 0
    while done < len(rows):
        context.report_progress(done, len(rows), "Scoring")
        spent, calls_left = await context.run_in_thread(load_spent, person, job.sweep_id)
        if spent.reason:
            return finish_scoring(done, len(rows) - done, spent.reason)
        most = _JUDGED_AT_ONCE // calls_each
        size = most if calls_left is None else max(1, min(most, calls_left // calls_each))
        page = rows[done : done + size]
        expected = await context.run_in_thread(find_expected, person, job, page)
        await asyncio.gather(
            *(
                _judge(context, job, scorer, llm, row, expected[row.tape_id])
                if isinstance(scorer, JudgeScorer)
                else _compare(context, job, scorer, llm, row, expected[row.tape_id], partners)
                for row in page
            )
        )
        done += len(page)
    return finish_scoring(done, 0, "")


async def _score_page(
    context: JobContext,
    person: Person,
    job: ScoringJob,
    measure: Measure,
    page: Sequence[AttemptRow],
) -> None:
    def score() -> dict[UUID, StoredScore]:
        expected = find_expected(person, job, page)
        scores: dict[UUID, StoredScore] = {}
        for row in page:
            context.raise_if_cancelled()  # a function may take its time over each
            ended = _load(row, context.job.project_id)
            if ended is not None:
                scores[row.tape_id] = measure(row.tape_id, ended, expected[row.tape_id])
        return scores

    scores = await context.run_in_thread(score)
    await context.commit(lambda: _save(job, scores))


async def _judge(
    context: JobContext,
    job: ScoringJob,
    scorer: JudgeScorer,
    llm: LLM,
    row: AttemptRow,
    expected: str,
) -> None:
    ended = await context.run_in_thread(_load, row, context.job.project_id)
    if ended is None:
        return
    if not ended.new_steps:
        nothing = {row.tape_id: StoredScore(None, None, NOTHING_DONE)}
        await context.commit(lambda: _save(job, nothing))
        return
    opinion = await ask_judge(llm, build_prompt(scorer.rubric, ended, expected=expected))
    passed = None if opinion.score is None else opinion.score >= scorer.pass_score
    score = StoredScore(opinion.score, passed, opinion.reason)
    await context.commit(lambda: _save_opinion(context, job, row, score, opinion.calls))


async def _compare(
    context: JobContext,
    job: ScoringJob,
    scorer: PairwiseScorer,
    llm: LLM,
    row: AttemptRow,
    expected: str,
    partners: Mapping[UUID, AttemptRow | None],
) -> None:
    """Judge an attempt beside the baseline's; one that has none beside it costs nothing."""
    partner = partners.get(row.tape_id)
    own = await context.run_in_thread(_load, row, context.job.project_id)
    if own is None:
        return
    other = await context.run_in_thread(_load, partner, context.job.project_id) if partner else None
    if not own.new_steps:
        nothing = {row.tape_id: StoredScore(None, None, NOTHING_DONE)}
        await context.commit(lambda: _save(job, nothing))
        return
    if other is None:
        alone = NO_BASELINE if row.tape_id in partners else BASELINE
        await context.commit(lambda: _save(job, {row.tape_id: alone}))
        return
    compared = await compare(llm, scorer, own, other, expected)
    await context.commit(lambda: _save_opinion(context, job, row, compared.score, compared.calls))


def _load(row: AttemptRow, project: UUID) -> Ended | None:
    try:
        return load_ended(row, project)
    except NotFoundError:  # it was deleted in the meantime
        return None


def _save(job: ScoringJob, scores: dict[UUID, StoredScore]) -> list[Event]:
    storage.save_scores(job.scoring_id, scores)
    return []


def _save_opinion(
    context: JobContext,
    job: ScoringJob,
    row: AttemptRow,
    score: StoredScore,
    calls: Sequence[LLMCall],
) -> list[Event]:
    """Store a judge's score with its calls and their price: all or nothing."""
    ids = save_calls(context.job.project_id, calls, owner=context.job.owner_id)
    spent = price_of(calls)
    storage.add_spending(
        job.scoring_id,
        tokens=spent.tokens,
        micro_usd=spent.micro_usd,
        calls=len(calls),
        unpriced=sum(call.cost_micro_usd is None for call in calls),
    )
    if ids:
        score = replace(score, judge_call_id=ids[-1], earlier_call_ids=tuple(ids[:-1]))
    return _save(job, {row.tape_id: score})
