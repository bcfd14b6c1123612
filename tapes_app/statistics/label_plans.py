"""How many labels would narrow a corrected score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapes_app.statistics.estimate import CONFIDENCE, t_quantile
from tapes_app.statistics.judged_columns import (
    LEAST_LABELS,
    JudgedColumns,
    read_columns,
    refuse_chance,
)
from tapes_app.statistics.judges import Judgement


@dataclass(frozen=True, slots=True)
class LabelsNeeded:
    """How many labels, those there are included, bring the interval to ± `half_width`."""

    half_width: float
    with_judge: int | None
    """`None`: labelling everything that there is does not do it."""

    without_judge: int | None
    labels_now: int


def labels_needed(
    judgements: Sequence[Judgement], half_width: float, *, confidence: float = CONFIDENCE
) -> LabelsNeeded:
    """Return how many labels would narrow the corrected score to ± `half_width`.

    The variances of what there is, with the weight tuned anew to each number of labels; each
    further label is expected to tell as much as those there are.

    Raises:
        JudgeRefusedError: as `correct_score`.
    """
    columns = read_columns(judgements)
    refuse_chance(judgements, columns, confidence)
    now, total = len(columns.judge), len(columns.judge) + len(columns.judge_alone)

    def find(*, uses_judge: bool) -> int | None:
        first, last = LEAST_LABELS, total
        if _half_width(columns, last, confidence, uses_judge=uses_judge) > half_width:
            return None
        while first < last:
            middle = (first + last) // 2
            if _half_width(columns, middle, confidence, uses_judge=uses_judge) > half_width:
                first = middle + 1
            else:
                last = middle
        return first

    return LabelsNeeded(half_width, find(uses_judge=True), find(uses_judge=False), now)


def _half_width(
    columns: JudgedColumns, labels: int, confidence: float, *, uses_judge: bool
) -> float:
    """Return the half width to expect with so many labels among the things that there are."""
    now = len(columns.judge)
    alone = len(columns.judge) + len(columns.judge_alone) - labels
    none = np.zeros(len(columns.judge_alone))
    human = columns.sum_by_cluster((columns.human - columns.human.mean()) / now, none)
    judge = columns.sum_by_cluster((columns.judge - columns.judge.mean()) / now, none)
    # Variances for one label; of the judge the same holds for things without one.
    of_human = now * float(np.square(human).sum())
    of_judge = now * float(np.square(judge).sum())
    of_both = now * float(human @ judge)
    variance = of_human / labels
    if uses_judge and alone and of_judge:
        shared = of_judge * (1 / labels + 1 / alone)
        weight = min(1.0, max(0.0, of_both / labels / shared))
        variance += weight**2 * shared - 2 * weight * of_both / labels
        variance += columns.doubt(weight) / labels**2
    clusters = max(2, round(labels * columns.label_clusters / now))
    return t_quantile((1 + confidence) / 2, clusters - 1) * math.sqrt(max(0.0, variance))
