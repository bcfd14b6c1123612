"""What the numbers show and what they do not, each in one sentence."""

import math

from tapes_app.statistics.comparisons import Comparison
from tapes_app.statistics.corrected_scores import CorrectedScore
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.label_plans import LabelsNeeded
from tapes_app.statistics.many_variants import Winner
from tapes_app.statistics.planning import TellingApart
from tapes_app.statistics.variation import VarianceParts

_FEW_CLUSTERS = 20
_SMALL_P = 0.001
_UNIT = (0.0, 1.0)


def tell_comparison(comparison: Comparison, plan: TellingApart | None = None) -> str:
    """Return which variant is better, how sure that is, and what is not shown."""
    if not comparison.is_significant:
        claim = f"{_tell_open(comparison)}{_tell_plan(plan)}"
    else:
        value = comparison.difference.value
        better, worse = comparison.second, comparison.first
        if value < 0:
            better, worse = worse, better
        claim = f"{better} scores higher than {worse} by {_tell_difference(comparison)}"
    return f"{claim}; not shown: {_tell_limits(comparison)}."


def _tell_open(comparison: Comparison) -> str:
    first, second = comparison.first, comparison.second
    if not comparison.difference.value:
        seen = f"they score alike, the difference is {_tell_difference(comparison)}"
    else:
        higher = second if comparison.difference.value > 0 else first
        seen = f"{higher} scores higher by {_tell_difference(comparison)}"
    return f"Whether {first} or {second} is better is open: {seen}"


def _tell_difference(comparison: Comparison) -> str:
    """Return the difference as a positive number, with interval, p-value and tasks."""
    estimate, confidence = comparison.difference, comparison.confidence
    ends = sorted((estimate.low, estimate.high))
    if estimate.value < 0:
        ends = [-ends[1], -ends[0]]
    value, low, high = (_number(each, comparison.bounds) for each in (abs(estimate.value), *ends))
    unit = " points" if comparison.bounds == _UNIT else ""
    interval = f"{confidence:.0%} interval {low} to {high}".replace("%", " %")
    among = f" among {comparison.compared} comparisons" if comparison.compared > 1 else ""
    p_value = _p_value(comparison.adjusted_p_value)
    return f"{value}{unit} ({interval}{p_value}{among}) over {_count(estimate.count, 'task')}"


def _tell_plan(plan: TellingApart | None) -> str:
    if plan is None or not plan.difference:
        return ""
    if plan.attempts_per_task is not None:
        runs = f"{_count(plan.attempts_per_task, 'attempt')} of each at each task"
    elif plan.tasks_as_now is not None:
        runs = f"{_count(plan.tasks_as_now, 'task')} with as many attempts as now"
    else:
        return ""
    return f"; if they differ by as much as it seems, {runs} would show it 4 times of 5"


def _tell_limits(comparison: Comparison) -> str:
    limits = ["that it holds for tasks unlike these"]
    if comparison.clusters < _FEW_CLUSTERS:
        few = _count(comparison.clusters, "independent task")
        limits.append(f"how sure the interval itself is on only {few}")
    if comparison.most_attempts == 1:
        limits.append("how far other seeds would differ")
    if comparison.missing:
        limits.append(f"what {_count(comparison.missing, 'missing attempt')} would have scored")
    if comparison.unpaired_tasks:
        limits.append(f"anything of {_count(comparison.unpaired_tasks, 'task')} that one alone has")
    return _join(limits)


def tell_winner(winner: Winner) -> str:
    """Return how the best variant does where it was not chosen."""
    before, fresh = winner.when_chosen.estimate, winner.fresh.estimate
    return (
        f"{winner.variant} was the best of {winner.chosen_among} with {_rate(before.value)}, and"
        f" scores {_tell_rate(fresh)} on {_count(fresh.count, 'attempt')} that it was not chosen"
        " by; report the second number."
    )


def tell_variation(parts: VarianceParts, flaky_count: int) -> str:
    """Return whether a score hangs on the tasks or on the luck of attempts, and what would help."""
    share = parts.between_share
    if share is None:
        return f"all {_count(parts.attempts, 'attempt')} came out alike."
    attempts = parts.attempts / parts.tasks
    now = parts.standard_error(tasks=1, attempts_per_task=attempts)
    then = parts.standard_error(tasks=1, attempts_per_task=2 * attempts)
    return (
        f"{flaky_count} of {_count(parts.tasks, 'task')} came out both ways;"
        f" {share:.0%} of the variance is between tasks, the rest is the luck of attempts. Twice"
        f" the attempts would narrow its interval by about {1 - then / now:.0%}, twice the tasks by"
        f" {1 - math.sqrt(1 / 2):.0%}."
    ).replace("%", " %")


def tell_watched_score(name: str, score: Estimate, *, tasks: int) -> str:
    """Return how often a variant passes so far, while more is to come."""
    return (
        f"So far {name} scores {_rate(score.value)} (between {_rate(score.low)} and"
        f" {_rate(score.high)}) over {score.count:,} of {_count(tasks, 'task')}."
    )


def tell_watched_difference(first: str, second: str, difference: Estimate, *, tasks: int) -> str:
    """Return how two variants stand so far, and whether one may stop looking."""
    value, low, high = (
        f"{100 * each:+.0f}" for each in (difference.value, difference.low, difference.high)
    )
    if difference.low > 0:
        claim = f"{second} is better than {first}"
    elif difference.high < 0:
        claim = f"{second} is worse than {first}"
    else:
        claim = f"whether {second} is better than {first} is open"
    return (
        f"So far {claim}: {value} points (between {low} and {high}) over"
        f" {difference.count:,} of {_count(tasks, 'task')}."
    )


WHY_WATCHED_IS_WIDER = (
    "These intervals are right however often you look and whenever you stop, so they are wider "
    "than those of the table and of the end, which are right for whoever looks once. They rest on "
    "the first attempt at each task, in random order."
)


def tell_reach(difference: float, *, tasks: int, attempts_per_task: int) -> str:
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
        f" {found} 4 times of 5, guessing that half of the runs pass and that both variants find"
        " the same tasks hard."
    )


def tell_corrected_score(score: CorrectedScore, needed: LabelsNeeded | None = None) -> str:
    """Return what people would have said of everything, and what that rests on."""
    told = (
        f"People would score this {_tell_rate(score.prediction_powered)}, by"
        f" {_count(score.labels, 'label')} and {_count(score.unlabelled, 'verdict')} of the judge;"
        f" the labels alone say {_tell_rate(score.human_only)}, the judge alone"
        f" {_rate(score.judge_only.value)}"
    )
    if score.unread:
        told += f"; not shown: anything of {_count(score.unread, 'thing')} without a verdict"
    return f"{told}{_tell_labels(needed)}."


def _tell_labels(needed: LabelsNeeded | None) -> str:
    if needed is None:
        return ""
    width = _rate(needed.half_width)
    if needed.with_judge is None:
        return f"; labels for everything would not make it ± {width}"
    if needed.with_judge <= needed.labels_now:
        return ""
    more = _count(needed.with_judge - needed.labels_now, "more label")
    return f"; {more} would make it ± {width}"


def _tell_rate(estimate: Estimate) -> str:
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


def _join(parts: list[str]) -> str:
    *firsts, last = parts
    return f"{', '.join(firsts)} and {last}" if firsts else last
