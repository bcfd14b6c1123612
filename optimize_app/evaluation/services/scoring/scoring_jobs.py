"""The job of a scoring: finished attempts are scored page by page, a judge's concurrently."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from optimize_app.evaluation.scoring.scorers import JudgingScorer
from optimize_app.evaluation.scoring_request import SCORING_KIND
from optimize_app.evaluation.services.judges.judged import Judged
from optimize_app.evaluation.services.judges.judges import OpenJudge, open_judge
from optimize_app.evaluation.services.scoring.measuring import NOTHING_DONE, Measure, open_measure
from optimize_app.evaluation.services.scoring.scoring import (
    ScoringJob,
    find_ended,
    find_expected,
    finish_scoring,
    list_unscored,
    load_spent,
)
from optimize_app.evaluation.store import scores as storage
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.errors import CallRefusedError
from tapes_app.experiments.services.branch_outcomes import price_of
from tapes_app.experiments.store.attempt_rows import AttemptRow
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.projects.services.people import Person, identify_owner
from tapes_app.runs.domain.decisions import explain_calls
from tapes_app.runs.domain.reservations import Account
from tapes_app.runs.store.budgets import refuse
from tapes_app.tapes.store.calls import save_calls

_PAGE = 50
_JUDGED_AT_ONCE = 8


@job_kind(SCORING_KIND)
async def execute_scoring(context: JobContext) -> Outcome:
    """Score what is finished; scores of an earlier attempt at the job are kept."""
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
    return finish_scoring(job, len(rows), 0, "")


async def _judge_all(
    context: JobContext,
    person: Person,
    job: ScoringJob,
    scorer: JudgingScorer,
    rows: Sequence[AttemptRow],
) -> Outcome:
    done = scored = 0
    async with open_judge(context, person, job, scorer) as judge:
        while done < len(rows):
            context.report_progress(done, len(rows), "Scoring")
            account = await context.run_in_thread(load_spent, person, job.sweep_id)
            at_once, reason = _count_fitting(account, judge.calls_each)
            if reason:
                await context.run_in_thread(refuse, job.sweep_id, reason)
                return finish_scoring(job, scored, len(rows) - scored, reason)
            page = rows[done : done + at_once]
            expected = await context.run_in_thread(find_expected, person, job, page)
            asked = await asyncio.gather(
                *(_judge(context, job, judge, row, expected[row.tape_id]) for row in page)
            )
            done += len(page)
            scored += sum(asked)
    if scored < done:
        account = await context.run_in_thread(load_spent, person, job.sweep_id)
        return finish_scoring(job, scored, done - scored, account.explain_used_up())
    return finish_scoring(job, done, 0, "")


def _count_fitting(account: Account, calls_each: int) -> tuple[int, str]:
    """Return how many attempts to judge at once, or why none is: half a verdict is lost money."""
    if reason := account.explain_used_up():
        return 0, reason
    most, free = max(1, _JUDGED_AT_ONCE // calls_each), account.count_free_calls()
    if free is None:
        return most, ""
    if free < calls_each:
        return 0, explain_calls(account.limits.calls or 0)
    return min(most, free // calls_each), ""


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
            context.raise_if_cancelled()  # a function may take long for each
            ended = find_ended(row, context.job.project_id)
            if ended is not None:
                scores[row.tape_id] = measure(row.tape_id, ended, expected[row.tape_id])
        return scores

    scores = await context.run_in_thread(score)
    await context.commit(lambda: storage.save_scores(job.scoring_id, scores))


async def _judge(
    context: JobContext, job: ScoringJob, judge: OpenJudge, row: AttemptRow, expected: str
) -> bool:
    """Judge an attempt; return false if the budget has no room for it."""
    ended = await context.run_in_thread(find_ended, row, context.job.project_id)
    if ended is None:
        return True
    judged = Judged(StoredScore(None, None, NOTHING_DONE))
    if ended.new_steps:
        try:
            judged = await judge.ask(row, ended, expected)
        except CallRefusedError:
            return False
    await context.commit(lambda: _save_judged(context, job, row, judged))
    return True


def _save_judged(context: JobContext, job: ScoringJob, row: AttemptRow, judged: Judged) -> None:
    """Store a judge's score with its calls and their price: all or nothing."""
    score, calls = judged.score, judged.calls
    if calls:
        ids = save_calls(context.job.project_id, calls, owner=context.job.owner_id)
        spent = price_of(calls)
        storage.add_spending(
            job.scoring_id,
            tokens=spent.tokens,
            micro_usd=spent.micro_usd,
            calls=len(calls),
            unpriced=sum(call.cost_micro_usd is None for call in calls),
        )
        score = replace(score, judge_call_id=ids[-1], earlier_call_ids=tuple(ids[:-1]))
    storage.save_scores(job.scoring_id, {row.tape_id: score})
