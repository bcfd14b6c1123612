"""Pass rates of a sweep's variants on the tasks of each tag."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tapes_app.statistics.attempts import Scores
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

MOST_TAGS = 40


@dataclass(frozen=True, slots=True)
class TagCell:
    """One variant on the tasks of one tag."""

    passed_count: int
    failed_count: int
    missing_count: int
    """Runs that have started and have no verdict."""

    score: ScoreEstimate | None
    """pass@1 with its interval; `None`: nothing is judged."""


@dataclass(frozen=True, slots=True)
class TagRates:
    """All variants on the tasks of one tag."""

    tag: str
    task_count: int
    cells: list[TagCell]
    """One for each variant, in their order."""


def rate_tags(
    scores: Scores, variants: Sequence[str], tags: Mapping[str, Iterable[str]]
) -> list[TagRates]:
    """Return the tags of tasks, most frequent first; a task with two tags counts in both.

    `tags`: by task. `variants`: their names in the scores, in their order.
    """
    return [
        _rate_tag(tag, tasks, scores.with_tasks(tasks), variants)
        for tag, tasks in group_by_tag(scores.tasks, tags)
    ]


def group_by_tag(
    tasks: Iterable[str], tags: Mapping[str, Iterable[str]]
) -> list[tuple[str, set[str]]]:
    """Return the most frequent tags with their tasks; `tags`: by task."""
    by_tag = defaultdict[str, set[str]](set)
    for task in tasks:
        for tag in tags.get(task, ()):
            by_tag[tag].add(task)
    return sorted(by_tag.items(), key=lambda one: (-len(one[1]), one[0]))[:MOST_TAGS]


def _rate_tag(
    tag: str, tasks: Collection[str], scores: Scores, variants: Sequence[str]
) -> TagRates:
    judged = scores.without_missing()
    return TagRates(tag, len(tasks), [_cell(scores, judged, name) for name in variants])


def _cell(scores: Scores, judged: Scores, variant: str) -> TagCell:
    if not judged.count(variant):
        return TagCell(0, 0, scores.count(variant), None)
    own = judged.of_variant(variant)
    count, passed = len(own.values), int((own.values == 1).sum())
    missing = scores.count(variant) - count
    return TagCell(passed, count - passed, missing, mean_score(own))
