"""What a sweep shows while it runs, in intervals that are valid however often someone checks.

They rely on the random order of the tasks and on the first attempt at each: a task that has another
run in progress, and all tasks after it, do not count yet, because slow tasks may be hard.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from optimize_app.evaluation.plan import LETTERS, Plan
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.sentences import describe_watched_difference, describe_watched_score
from tapes_app.statistics.watching import watch_mean

MOST_WATCHED = 2_000
"""Limit of tasks that count; the interval is narrow by then, and costs time at every check."""

_OPEN = frozenset({"queued", "running", "paused", "waiting"})


@dataclass(frozen=True, slots=True)
class Watched:
    """A variant's standing so far; each interval is valid at all checks together."""

    score: Estimate
    """The share of tasks that it passes, by the first attempt at each."""

    difference: Estimate | None
    """From the baseline, at the tasks of both; `None` for the baseline, and before they share
    one."""

    sentence: str


def watch_variants(plan: Plan, attempts: Sequence[SweptTape]) -> dict[int, Watched]:
    """Return each variant's standing if anything is known; empty without a random order."""
    if plan.order_seed is None:
        return {}
    first = [{one.task: one for one in attempts if (one.variant, one.attempt) == (number, 0)}
             for number in range(len(plan.variants))]  # fmt: skip
    tasks = [str(task) for task in chain.from_iterable(plan.tasks)]
    found = {}
    for number, own in enumerate(first):
        score = _watch(_scores(tasks, [own]), (0.0, 1.0))
        if score is None:
            continue
        both = _scores(tasks, [own, first[0]]) if number else iter(())
        difference = _watch(both, (-1.0, 1.0))
        found[number] = Watched(score, difference, _explain(number, score, difference, len(tasks)))
    return found


def _watch(values: Iterator[float], bounds: tuple[float, float]) -> Estimate | None:
    watched = watch_mean(list(values)[:MOST_WATCHED], bounds=bounds)
    return watched.now if watched else None


def _scores(tasks: Sequence[str], sides: Sequence[Mapping[str, SweptTape]]) -> Iterator[float]:
    """Yield the score at each task, or how far the first side is ahead of the second.

    Of the tasks of one template only the first counts, as the others are correlated with it.
    """
    ends = [
        max((at for at, task in enumerate(tasks) if task in side), default=-1) for side in sides
    ]
    counted = set[str]()
    for task in tasks[: min(ends) + 1]:
        runs = [side[task] for side in sides if task in side]
        if any(_is_open(run) for run in runs):
            return
        scores = [run.score for run in runs if run.score is not None]
        if len(scores) < len(sides):
            continue  # an agent cannot start there, or had no result: missing, not zero
        cluster = runs[0].cluster or task
        if cluster not in counted:
            counted.add(cluster)
            yield scores[0] - sum(scores[1:])


def _is_open(run: SweptTape) -> bool:
    is_unscored = run.is_scored and run.scored is None and run.row.state == "succeeded"
    return run.row.state in _OPEN or is_unscored


def _explain(number: int, score: Estimate, difference: Estimate | None, tasks: int) -> str:
    name = LETTERS[number]
    if difference is None:
        return describe_watched_score(name, score, tasks=tasks)
    return describe_watched_difference(LETTERS[0], name, difference, tasks=tasks)
