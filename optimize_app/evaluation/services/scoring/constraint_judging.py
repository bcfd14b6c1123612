"""Judging an attempt's constraints: code first, then a call for each one that code leaves open."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from optimize_app.evaluation.scoring.function_runs import FunctionError, FunctionRuns
from optimize_app.evaluation.scoring.functions import describe_value
from optimize_app.evaluation.scoring.judged_constraints import Settled, settle, sum_up
from optimize_app.evaluation.scoring.plain_scores import Score, score_attempt
from optimize_app.evaluation.scoring.scorers import (
    AnswerScorer,
    AnyConstraint,
    CheckScorer,
    CodeConstraint,
    ConstraintCheck,
    ConstraintJudge,
    FunctionScorer,
    functions_of,
    has_passed,
)
from optimize_app.evaluation.services.judges.judged import Judged, list_calls
from optimize_app.evaluation.services.scoring.measuring import walled_runs
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.model.llm import LLM
from tapes_app.experiments.domain.checks import Ended, ScorePart
from tapes_app.experiments.services.judging import (
    ConstraintOpinion,
    ask_whether_it_holds,
    build_constraint_prompt,
)

Code = Callable[[Ended, str], list[Settled]]
"""Takes a finished attempt and what is expected; call it for one attempt at a time."""


@contextmanager
def open_code(scorer: ConstraintJudge) -> Iterator[Code]:
    """Provide what decides constraints without the judge; its processes end on exit."""
    with ExitStack() as stack:
        runs = {name: stack.enter_context(walled_runs(name)) for name in functions_of(scorer)}

        def decide(ended: Ended, expected: str) -> list[Settled]:
            return [_settle(one, ended, expected, runs) for one in scorer.constraints]

        yield decide


async def judge_constraints(
    llm: LLM, scorer: ConstraintJudge, settled: Sequence[Settled], ended: Ended, expected: str
) -> Judged:
    """Ask a judge about each constraint that is not settled, and sum up all of them."""
    opened = [
        one.constraint
        for one in settled
        if one.part is None and not isinstance(one.constraint, CodeConstraint)
    ]
    opinions = await asyncio.gather(*(_ask(llm, one.says, ended, expected) for one in opened))
    by_name = {one.name: opinion for one, opinion in zip(opened, opinions, strict=True)}
    parts = [
        one.part or _part_of(one.constraint.name, by_name[one.constraint.name]) for one in settled
    ]
    score = sum_up(scorer, parts)
    passed = None if score.value is None else has_passed(scorer, score.value)
    return Judged(StoredScore(score.value, passed, score.explanation), list_calls(opinions))


def _settle(
    constraint: AnyConstraint, ended: Ended, expected: str, runs: Mapping[str, FunctionRuns]
) -> Settled:
    if constraint.by == "judge":
        return settle(constraint, None)
    try:
        score = _decide(constraint.check, ended, expected, runs)
    except FunctionError as error:  # broken code should be fixed, not paid for with judge calls
        return Settled(constraint, ScorePart(constraint.name, None, error.message))
    return settle(constraint, score)


def _decide(
    check: ConstraintCheck, ended: Ended, expected: str, runs: Mapping[str, FunctionRuns]
) -> Score:
    match check:
        case FunctionScorer():
            value, explanation = runs[check.name].ask(ended.tape, expected)
            return Score(value, explanation or describe_value(value))
        case AnswerScorer():
            return score_attempt(check, ended, expected)
        case _:
            return score_attempt(CheckScorer(check=check), ended, expected)


async def _ask(llm: LLM, says: str, ended: Ended, expected: str) -> ConstraintOpinion:
    return await ask_whether_it_holds(llm, build_constraint_prompt(says, ended, expected=expected))


def _part_of(name: str, opinion: ConstraintOpinion) -> ScorePart:
    value = None if opinion.holds is None else float(opinion.holds)
    return ScorePart(name, value, opinion.reason)
