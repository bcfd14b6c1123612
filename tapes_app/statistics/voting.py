"""The answer that most runs at a task gave, and what it scores beside the answer of one run."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.comparisons import compare
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

_ONE, _VOTE = "one run", "vote"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the runs at a task a vote chooses."""

    place: int
    """The first run that gave the most frequent answer."""

    is_tied: bool
    """Whether other answers were as frequent; then the one that came first wins."""


def choose_by_vote(answers: Sequence[Hashable | None]) -> Choice | None:
    """Return the choice among the answers of the runs at a task; `None` if there is no answer.

    A run without an answer (`None`) does not vote.
    """
    places: dict[Hashable, list[int]] = {}
    for place, answer in enumerate(answers):
        if answer is not None:
            places.setdefault(answer, []).append(place)
    if not places:
        return None
    # The first of equal counts: answers are in the order in which they came.
    most = max(places.values(), key=len)
    return Choice(most[0], sum(len(group) == len(most) for group in places.values()) > 1)


@dataclass(frozen=True, slots=True)
class VoteRates:
    """How often one run passes, and how often the vote does, at the same tasks."""

    one_run: ScoreEstimate
    """pass@1."""

    vote: ScoreEstimate
    difference: Estimate
    """The vote less one run, paired by task."""


def rate_votes(runs: Sequence[Attempt], chosen: Sequence[Attempt]) -> VoteRates | None:
    """Return the rates of all runs, and of those that were chosen by vote, one at each task.

    Only tasks count at which the chosen run has a score. `None` if there is none.
    """
    tasks = {one.task for one in chosen if one.score is not None}
    scores = Scores.of(
        Attempt(one.task, variant, one.seed, one.score, one.cluster)
        for variant, group in ((_ONE, runs), (_VOTE, chosen))
        for one in group
        if one.task in tasks
    )
    compared = compare(scores, _ONE, _VOTE) if tasks else None
    one_run = mean_score(scores.of_variant(_ONE)) if tasks else None
    vote = mean_score(scores.of_variant(_VOTE)) if tasks else None
    if compared is None or one_run is None or vote is None:
        return None
    return VoteRates(one_run, vote, compared.difference)
