"""Voting over the attempts at each task: the answer that most of them gave is handed in."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape
from tapes_app.statistics.attempts import Attempt
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.score_estimates import ScoreEstimate
from tapes_app.statistics.sentences import describe_vote
from tapes_app.statistics.voting import VoteRates, choose_by_vote, rate_votes
from tapes_app.tapes.domain.answer_match import compare_answers, is_short_answer

_LEAST_ATTEMPTS = 3
"""A vote of two is the first of them."""

_GOING_ON = frozenset({"queued", "running", "paused", "waiting"})


@dataclass(frozen=True, slots=True)
class VoteReport:
    """What a variant scores if the attempts at each task vote on the answer.

    Answers are compared as outcomes are (`answer_match`). Runs without an answer do not vote. Of
    equally frequent answers the one that came first wins.
    """

    attempt_count: int
    """How many attempts vote at a task."""

    one_run: ScoreEstimate
    """pass@1 at the same tasks."""

    vote: ScoreEstimate
    difference: Estimate
    """The vote less one run, paired by task."""

    differing_count: int
    """Tasks at which the vote gives another answer than the first run."""

    gained_count: int
    """Of those, at which it is right and the first run wrong."""

    lost_count: int
    """Of those, at which it is wrong and the first run right."""

    tied_count: int
    """Tasks at which several answers were equally frequent."""

    left_out_count: int
    """Tasks that are not counted: runs are still going on, or the chosen run has no verdict."""

    sentence: str


class Votes(NamedTuple):
    """The votes of a variant, and the tapes that they chose, one at each task."""

    report: VoteReport
    chosen: frozenset[UUID]


@dataclass(frozen=True, slots=True)
class _TaskVote:
    chosen: SweptTape
    first: SweptTape
    is_tied: bool
    differs: bool


def count_votes(
    attempts: Sequence[SweptTape], attempt_count: int, *, any_order: bool = False
) -> Votes | None:
    """Return the votes over the attempts of a variant.

    `None` with fewer than three attempts at each task, if no task has a verdict yet, and if most
    answers are prose, which cannot be compared. `any_order`: lists are equal in any order.
    """
    answers = [one.row.actual for one in attempts if one.row.actual]
    if attempt_count < _LEAST_ATTEMPTS or 2 * sum(map(is_short_answer, answers)) <= len(answers):
        return None
    by_task = defaultdict[str, list[SweptTape]](list)
    for one in sorted(attempts, key=lambda one: one.attempt):
        by_task[one.task].append(one)
    over = [group for group in by_task.values() if _are_over(group, attempt_count)]
    votes = [vote for group in over if (vote := _vote(group, any_order=any_order)) is not None]
    counted = {vote.chosen.task for vote in votes}
    rates = rate_votes(
        [_attempt_of(one) for one in attempts if one.task in counted],
        [_attempt_of(vote.chosen) for vote in votes],
    )
    if rates is None:
        return None
    report = _report(votes, rates, attempt_count, left_out=len(by_task) - len(votes))
    return Votes(report, frozenset(vote.chosen.row.tape_id for vote in votes))


def _are_over(group: Sequence[SweptTape], attempt_count: int) -> bool:
    return len(group) >= attempt_count and not any(one.row.state in _GOING_ON for one in group)


def _attempt_of(one: SweptTape) -> Attempt:
    return Attempt(one.task, "", one.attempt, one.score, one.cluster)


def _vote(group: Sequence[SweptTape], *, any_order: bool) -> _TaskVote | None:
    """Return the vote at a task; `None` if the answer that wins has no verdict."""
    answers = _number_answers([one.row.actual for one in group], any_order=any_order)
    choice = choose_by_vote(answers)
    first, answer = group[0], answers[choice.place] if choice else None
    alike = [one for one, other in zip(group, answers, strict=True) if other == answer]
    chosen = next((one for one in alike if one.score is not None), None)
    if chosen is None:
        return None
    return _TaskVote(chosen, first, bool(choice and choice.is_tied), differs=answers[0] != answer)


def _number_answers(texts: Sequence[str], *, any_order: bool) -> list[int | None]:
    """Return the same number for texts that give the same answer; `None` for those without one."""
    kinds: list[str] = []
    numbers: dict[str, int | None] = {"": None}
    for text in dict.fromkeys(filter(None, texts)):
        same = (compare_answers(kind, text, any_order=any_order) == "pass" for kind in kinds)
        number = next((at for at, is_same in enumerate(same) if is_same), len(kinds))
        if number == len(kinds):
            kinds.append(text)
        numbers[text] = number
    return [numbers[text] for text in texts]


def _report(
    votes: Sequence[_TaskVote], rates: VoteRates, attempt_count: int, *, left_out: int
) -> VoteReport:
    differing = [vote for vote in votes if vote.differs]
    scores = [(vote.first.score, vote.chosen.score) for vote in differing]
    tied = sum(vote.is_tied for vote in votes)
    gained, lost = scores.count((0.0, 1.0)), scores.count((1.0, 0.0))
    return VoteReport(
        attempt_count=attempt_count,
        one_run=rates.one_run,
        vote=rates.vote,
        difference=rates.difference,
        differing_count=len(differing),
        gained_count=gained,
        lost_count=lost,
        tied_count=tied,
        left_out_count=left_out,
        sentence=describe_vote(
            rates,
            runs=attempt_count,
            differing=len(differing),
            gained=gained,
            lost=lost,
            tied=tied,
        ),
    )
