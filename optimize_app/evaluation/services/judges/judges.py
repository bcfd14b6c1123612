"""Judges of attempts, each opened for the duration of a scoring and asked attempt by attempt."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import assert_never

from optimize_app.evaluation.scoring.scorers import (
    ConstraintJudge,
    JudgeScorer,
    JudgingScorer,
    PairwiseScorer,
    has_passed,
)
from optimize_app.evaluation.services.judges.judged import Judged, list_calls
from optimize_app.evaluation.services.judges.pairwise import (
    BASELINE,
    NO_BASELINE,
    compare,
    load_partners,
)
from optimize_app.evaluation.services.scoring.constraint_judging import judge_constraints, open_code
from optimize_app.evaluation.services.scoring.scoring import ScoringJob, find_ended
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.model.llm import LLM
from tapes_app.experiments.domain.checks import Ended
from tapes_app.experiments.services.judging import ask_judge, build_judge, build_prompt
from tapes_app.experiments.store.attempt_rows import AttemptRow
from tapes_app.jobs.services.context import JobContext
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.budgeted import BudgetedLLM
from tapes_app.runs.store.budgets import has_account

Ask = Callable[[AttemptRow, Ended, str], Awaitable[Judged]]
"""Takes an attempt, its end, and what is expected."""


@dataclass(frozen=True, slots=True)
class OpenJudge:
    """A judge that can be asked about several attempts concurrently."""

    ask: Ask
    calls_each: int
    """How many calls one attempt takes if every answer can be read."""


@asynccontextmanager
async def open_judge(
    context: JobContext, person: Person, job: ScoringJob, scorer: JudgingScorer
) -> AsyncIterator[OpenJudge]:
    """Provide the judge of a scoring; what it holds open is closed on exit.

    Raises:
        NotFoundError: the project has no such model, or the sweep was deleted.
        ModelKeyMissingError: the model has no key.
    """
    model: LLM = await context.run_in_thread(build_judge, person.project_id, scorer.model_id)
    has_budget = await context.run_in_thread(has_account, job.sweep_id)
    llm: LLM = BudgetedLLM(model, job.sweep_id, context) if has_budget else model
    match scorer:
        case JudgeScorer():
            yield OpenJudge(_by_rubric(llm, scorer), 1)
        case PairwiseScorer():
            yield OpenJudge(await _in_pairs(context, person, job, llm, scorer), 2)
        case ConstraintJudge():
            with open_code(scorer) as code:
                turn = asyncio.Lock()  # a scorer function answers one attempt after the other

                async def ask(_: AttemptRow, ended: Ended, expected: str) -> Judged:
                    async with turn:
                        settled = await context.run_in_thread(code, ended, expected)
                    return await judge_constraints(llm, scorer, settled, ended, expected)

                yield OpenJudge(ask, max(1, len(scorer.asked)))
        case _:
            assert_never(scorer)


def _by_rubric(llm: LLM, scorer: JudgeScorer) -> Ask:
    async def ask(_: AttemptRow, ended: Ended, expected: str) -> Judged:
        opinion = await ask_judge(llm, build_prompt(scorer.rubric, ended, expected=expected))
        passed = None if opinion.score is None else has_passed(scorer, opinion.score)
        return Judged(StoredScore(opinion.score, passed, opinion.reason), list_calls([opinion]))

    return ask


async def _in_pairs(
    context: JobContext, person: Person, job: ScoringJob, llm: LLM, scorer: PairwiseScorer
) -> Ask:
    """Judge attempts against the baseline's; an attempt without a counterpart costs nothing."""
    partners = await context.run_in_thread(load_partners, person, job.sweep_id)

    async def ask(row: AttemptRow, ended: Ended, expected: str) -> Judged:
        partner = partners.get(row.tape_id)
        other = (
            await context.run_in_thread(find_ended, partner, person.project_id) if partner else None
        )
        if other is None:
            return Judged(NO_BASELINE if row.tape_id in partners else BASELINE)
        return await compare(llm, scorer, ended, other, expected)

    return ask
