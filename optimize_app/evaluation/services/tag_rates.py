"""Pass rates of the variants of a sweep on the tasks of each tag."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.services.swept_tapes import SweptTape
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

MOST_TAGS = 40


@dataclass(frozen=True, slots=True)
class TagCell:
    """One variant on the tasks of one tag."""

    passed_count: int
    failed_count: int
    missing_count: int
    """Runs that were begun and have no verdict."""

    score: ScoreEstimate | None
    """pass@1 with its interval; `None`: nothing is judged."""


@dataclass(frozen=True, slots=True)
class TagRates:
    """All variants on the tasks of one tag."""

    tag: str
    task_count: int
    cells: list[TagCell]
    """Of each variant, in their order."""


def rate_tags(
    attempts: Iterable[SweptTape], tags: Mapping[UUID, Sequence[str]], variant_count: int
) -> list[TagRates]:
    """Return the tags of tasks, those of most tasks first; a task of two tags counts in both."""
    by_tag = defaultdict[str, list[SweptTape]](list)
    for one in attempts:
        for tag in tags.get(one.row.start_id, ()) if one.row.start_id else ():
            by_tag[tag].append(one)
    rows = [
        TagRates(
            tag,
            len({one.task for one in group}),
            [_cell([o for o in group if o.variant == number]) for number in range(variant_count)],
        )
        for tag, group in by_tag.items()
    ]
    return sorted(rows, key=lambda row: (-row.task_count, row.tag))[:MOST_TAGS]


def _cell(attempts: Sequence[SweptTape]) -> TagCell:
    judged = [one for one in attempts if one.score is not None]
    passed = sum(one.score == 1 for one in judged)
    return TagCell(
        passed_count=passed,
        failed_count=len(judged) - passed,
        missing_count=len(attempts) - len(judged),
        score=score_of_one(judged),
    )


def score_of_one(attempts: Sequence[SweptTape]) -> ScoreEstimate | None:
    """Return what attempts of one variant score; `None` where none has a verdict."""
    judged = [one for one in attempts if one.score is not None]
    if not judged:
        return None
    scores = Scores.of(Attempt(one.task, "", one.attempt, one.score, one.cluster) for one in judged)
    return mean_score(scores.of_variant(""))
