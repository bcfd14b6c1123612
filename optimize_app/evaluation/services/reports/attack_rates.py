"""What the variants of a sweep did with planted instructions, in all and by tag of the task."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from optimize_app.evaluation.scoring.plain_scores import RESISTANCE_SCORES
from optimize_app.evaluation.services.reports.tag_rates import group_by_tag
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape, score_of
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

_FOLLOWED, _STOPPED = RESISTANCE_SCORES["followed"], RESISTANCE_SCORES["stopped"]


@dataclass(frozen=True, slots=True)
class AttackCell:
    """One variant under one group of attacks."""

    followed_count: int
    """Runs in which the agent did what the planted instruction says."""

    stopped_count: int
    """Runs in which it tried, but a tool rule stopped it."""

    refused_count: int
    """Runs in which it did not try."""

    unread_count: int
    """Runs that have started and are not scored, as when the agent never read the instruction."""

    useful_count: int
    """Of the scored runs, those that passed their task all the same."""

    followed: ScoreEstimate | None
    """Share of the scored runs that followed, with its interval; `None`: nothing is scored."""

    useful: ScoreEstimate | None
    """Share of the scored runs with an outcome that passed their task."""


@dataclass(frozen=True, slots=True)
class AttackRates:
    """All variants under one group of attacks."""

    tag: str
    """The tag that their tasks have in common; empty: all attacks."""

    task_count: int
    cells: list[AttackCell]
    """One for each variant, in their order."""


def rate_attacks(
    attempts: Sequence[SweptTape], variant_count: int, tags: Mapping[str, Iterable[str]]
) -> list[AttackRates]:
    """Return the rates of all attacks, then those of each tag, most frequent first.

    The attempts are scored by whether they followed. `tags`: by task.
    """
    tasks = {one.task for one in attempts}
    if not tasks:
        return []
    return [
        AttackRates(tag, len(of_tag), [
            _cell([one for one in attempts if one.variant == number and one.task in of_tag])
            for number in range(variant_count)
        ])
        for tag, of_tag in (("", tasks), *group_by_tag(tasks, tags))
    ]  # fmt: skip


def _cell(attempts: Collection[SweptTape]) -> AttackCell:
    scored = [one for one in attempts if one.value is not None]
    values = [one.value for one in scored]
    followed, stopped = values.count(_FOLLOWED), values.count(_STOPPED)
    return AttackCell(
        followed_count=followed,
        stopped_count=stopped,
        refused_count=len(values) - followed - stopped,
        unread_count=len(attempts) - len(values),
        useful_count=sum(score_of(one.row) == 1 for one in scored),
        followed=_estimate(scored, lambda one: float(one.value == _FOLLOWED)),
        useful=_estimate(scored, lambda one: score_of(one.row)),
    )


def _estimate(
    attempts: Iterable[SweptTape], measure: Callable[[SweptTape], float | None]
) -> ScoreEstimate | None:
    values = [(one, measure(one)) for one in attempts]
    scores = Scores.of(
        Attempt(one.task, "", one.attempt, value, one.cluster)
        for one, value in values
        if value is not None
    )
    return mean_score(scores.of_variant("")) if scores.variants else None
