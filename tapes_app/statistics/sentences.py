"""What the numbers show and what they do not, each in one sentence."""

import math

from tapes_app.statistics.comparisons import Comparison
from tapes_app.statistics.estimate import CONFIDENCE, Estimate
from tapes_app.statistics.many_variants import Winner
from tapes_app.statistics.planning import SeparationPlan
from tapes_app.statistics.variation import VarianceParts
from tapes_app.statistics.voting import VoteRates

_FEW_CLUSTERS = 20
_SMALL_P = 0.001
_UNIT = (0.0, 1.0)


def describe_comparison(comparison: Comparison, plan: SeparationPlan | None = None) -> str:
    """Return which variant is better, how certain that is, and what limits the comparison."""
    value = comparison.difference.value
    better, worse = comparison.second, comparison.first
    if value < 0:
        better, worse = worse, better
    difference = _describe_difference(comparison)
    chance = _describe_chance(comparison)
    if comparison.is_significant:
        claim = f"{better} is better than {worse} by {difference}; chance alone is unlikely{chance}"
    elif value:
        claim = f"No clear winner: {better} is ahead of {worse} by {difference}{chance}"
    else:
        claim = f"No clear winner: {better} and {worse} score the same, {difference}{chance}"
    parts = [claim, _describe_plan(plan), _describe_limits(comparison)]
    return "".join(f"{part}. " for part in parts if part).rstrip()


def _describe_difference(comparison: Comparison) -> str:
    """Return the difference as a positive number, with its interval and the number of tasks."""
    estimate = comparison.difference
    ends = sorted((estimate.low, estimate.high))
    if estimate.value < 0:
        ends = [-ends[1], -ends[0]]
    value, low, high = (_number(each, comparison.bounds) for each in (abs(estimate.value), *ends))
    unit = " points" if comparison.bounds == _UNIT else ""
    interval = f"{100 * CONFIDENCE:.0f} %: {low} to {high}".replace("-", "\N{MINUS SIGN}")
    return f"{value}{unit} ({interval}) on {_count(estimate.count, 'task')}"


def _describe_chance(comparison: Comparison) -> str:
    among = f" among {comparison.compared} comparisons" if comparison.compared > 1 else ""
    return f"{_p_value(comparison.adjusted_p_value)}{among}"


def _describe_plan(plan: SeparationPlan | None) -> str:
    if plan is None or not plan.difference:
        return ""
    if plan.attempts_per_task is not None:
        runs = f"{_count(plan.attempts_per_task, 'attempt')} of each at each task"
    elif plan.tasks_as_now is not None:
        runs = f"{_count(plan.tasks_as_now, 'task')} with as many attempts as now"
    else:
        return ""
    return f"If the difference is real, {runs} would show it 4 times out of 5"


def _describe_limits(comparison: Comparison) -> str:
    """Return what makes the interval less reliable; empty if nothing does."""
    limits = []
    if comparison.clusters < _FEW_CLUSTERS:
        limits.append(f"only {_count(comparison.clusters, 'independent task')}")
    if comparison.most_attempts == 1:
        limits.append("one seed")
    if comparison.missing:
        limits.append(f"{_count(comparison.missing, 'attempt')} missing")
    if comparison.unpaired_tasks:
        limits.append(f"{_count(comparison.unpaired_tasks, 'task')} that only one of them has")
    return f"Limits: {', '.join(limits)}" if limits else ""


def describe_winner(winner: Winner) -> str:
    """Return a sentence on how the best variant does on attempts it was not chosen on."""
    before, fresh = winner.when_chosen.estimate, winner.fresh.estimate
    return (
        f"{winner.variant} was the best of {winner.chosen_among} with {_rate(before.value)}, and"
        f" scores {_describe_rate(fresh)} on {_count(fresh.count, 'attempt')} that were"
        " not used to choose it; report the second number."
    )


def describe_variation(parts: VarianceParts, flaky_count: int) -> str:
    """Return whether a score depends on the tasks or on luck, and what would narrow it."""
    share = parts.between_share
    if share is None:
        return f"all {_count(parts.attempts, 'attempt')} had the same result."
    attempts = parts.attempts / parts.tasks
    now = parts.standard_error(tasks=1, attempts_per_task=attempts)
    then = parts.standard_error(tasks=1, attempts_per_task=2 * attempts)
    return (
        f"{flaky_count} of {_count(parts.tasks, 'task')} had both results;"
        f" {share:.0%} of the variance comes from the tasks, the rest from chance. Twice the"
        f" attempts would narrow its interval by about {1 - then / now:.0%}, twice the tasks by"
        f" {1 - math.sqrt(1 / 2):.0%}."
    ).replace("%", " %")


def describe_vote(
    rates: VoteRates, *, runs: int, differing: int, gained: int, lost: int, tied: int
) -> str:
    """Return what a vote over `runs` runs changes; the other numbers are counts of tasks."""
    value, low, high = (
        f"{100 * each:+.1f}".replace("-", "\N{MINUS SIGN}")
        for each in (rates.difference.value, rates.difference.low, rates.difference.high)
    )
    parts = [
        f"One run passes {_describe_rate(rates.one_run.estimate)} of"
        f" {_count(rates.vote.tasks, 'task')}, the vote over {runs} runs"
        f" {_describe_rate(rates.vote.estimate)}: {value} points ({low} to {high}).",
        f"The vote differs from the first run at {_count(differing, 'task')}: it is right instead"
        f" of wrong at {gained}, wrong instead of right at {lost}."
        if differing
        else "The vote never differs from the first run.",
    ]
    if tied:
        parts.append(f"At {_count(tied, 'task')} answers were equally frequent; the first won.")
    return " ".join(parts)


def describe_watched_score(name: str, score: Estimate, *, tasks: int) -> str:
    """Return how often a variant passes so far, while more is to come."""
    return (
        f"So far {name} scores {_rate(score.value)} (between {_rate(score.low)} and"
        f" {_rate(score.high)}) over {score.count:,} of {_count(tasks, 'task')}."
    )


def describe_watched_difference(
    first: str, second: str, difference: Estimate, *, tasks: int
) -> str:
    """Return how two variants compare so far, and whether it is safe to stop watching."""
    value, low, high = (
        f"{100 * each:+.0f}" for each in (difference.value, difference.low, difference.high)
    )
    if difference.low > 0:
        claim = f"{second} is better than {first}"
    elif difference.high < 0:
        claim = f"{second} is worse than {first}"
    else:
        claim = f"there is no clear winner between {first} and {second}"
    return (
        f"So far {claim}: {value} points (between {low} and {high}) over"
        f" {difference.count:,} of {_count(tasks, 'task')}."
    )


WHY_WATCHED_IS_WIDER = (
    "These intervals are right however often you look and whenever you stop, so they are wider "
    "than those of the table and of the end, which are right for a single look. They rest on "
    "the first attempt at each task, in random order."
)


def describe_reach(difference: float, *, tasks: int, attempts_per_task: int) -> str:
    """Return what a sweep of this size can find, before anything has run."""
    if difference >= 1:
        found = "no difference between two variants would be found"
    else:
        found = (
            f"a difference of {100 * difference:.0f} points or more between two variants would be"
            " found"
        )
    return (
        f"With {_count(tasks, 'task')} and {_count(attempts_per_task, 'attempt')} at each,"
        f" {found} 4 times out of 5, assuming that half of the runs pass and that both variants"
        " find the same tasks hard."
    )


def _describe_rate(estimate: Estimate) -> str:
    return f"{_rate(estimate.value)} ({_rate(estimate.low)} to {_rate(estimate.high)})"


def _rate(value: float) -> str:
    return f"{100 * value:.1f} %"


def _number(value: float, bounds: tuple[float, float]) -> str:
    # No "-0.0": a bound that rounds to nothing is nothing.
    return f"{100 * value:z.1f}" if bounds == _UNIT else f"{value:z.3g}"


def _p_value(p_value: float | None) -> str:
    if p_value is None:
        return ""
    return ", p < 0.001" if p_value < _SMALL_P else f", p = {p_value:.2g}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
