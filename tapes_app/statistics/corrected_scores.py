"""A judge's scores, corrected where people have checked some of them; how many labels narrow it.

A judge alone is biased by as much as it errs; people alone are few. Together they give an estimate
that is right on average and, if the judge is any good, narrower than the people's alone; if it is
not narrower, the people's alone is reported. All of this requires that the items people checked
were chosen at random.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tapes_app.statistics.clustered_means import clustered_mean, number_clusters
from tapes_app.statistics.estimate import NORMAL_QUANTILE, UPPER, Estimate, t_quantile
from tapes_app.statistics.judged_columns import (
    LEAST_LABELS,
    JudgedColumns,
    read_columns,
    refuse_chance,
)
from tapes_app.statistics.judges import Confusion, Judgement, confuse

Reported = Literal["prediction_powered", "human_only"]
"""The people's score corrected by the judge, or that of the people alone."""


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """One score computed in four ways, so that a reader sees what each part adds."""

    reported: Reported
    """The one to report: the people alone, unless the judge makes them more certain."""

    prediction_powered: Estimate
    """By the people's labels and the judge's verdicts."""

    judge_weight: float
    """How far the judge is relied on, 0 to 1: 0 means people alone."""

    rogan_gladen: Estimate | None
    """By the judge's sensitivity and specificity; `None` for scores that are not 0 or 1."""

    human_only: Estimate
    """By everything that people scored, without the judge."""

    judge_only: Estimate
    """Of all items with a verdict; biased as the judge is."""

    labels: int
    """Items that both a person and the judge scored."""

    unlabelled: int
    unread: int
    """Items without a readable verdict: the corrected scores are not about them."""

    @property
    def score(self) -> Estimate:
        """The reported one of the estimates."""
        return self.human_only if self.reported == "human_only" else self.prediction_powered


def correct_score(judgements: Sequence[Judgement]) -> CorrectedScore:
    """Return the mean score that people would give if they had checked everything.

    Raises:
        JudgeRefusedError: there are fewer than ten labels in different clusters, or fewer items
            without a label, or the labels do not show the judge to be better than chance.
    """
    columns = read_columns(judgements)
    refuse_chance(judgements, columns)
    weight = _tune_weight(columns)
    human_column = [(each.human, each.cluster) for each in judgements if each.human is not None]
    judge_column = [(each.judge, each.cluster) for each in judgements if each.judge is not None]
    corrected, people = _prediction_powered(columns, weight), _mean(human_column)
    return CorrectedScore(
        reported=_choose(columns, weight, corrected, people),
        prediction_powered=corrected,
        judge_weight=weight,
        rogan_gladen=_rogan_gladen(confuse(judgements), columns) if columns.is_binary else None,
        human_only=people,
        judge_only=_mean(judge_column),
        labels=len(columns.judge),
        unlabelled=len(columns.judge_alone),
        unread=sum(each.judge is None for each in judgements),
    )


def _mean(rows: Sequence[tuple[float, str | None]]) -> Estimate:
    values = np.array([score for score, _ in rows], dtype=np.float64)
    mean = clustered_mean(values, number_clusters([cluster for _, cluster in rows]))
    if np.isin(values, (0.0, 1.0)).all():
        return mean.rate_interval(len(values))
    return mean.interval(bounds=(0.0, 1.0))


def _tune_weight(columns: JudgedColumns) -> float:
    """Return the weight of the judge that minimizes the variance, from 0 to 1.

    The estimate's error is a sum over clusters of A + weight * B, so the weight is -ΣAB/ΣB². For
    independent items it is the lambda of PPI++, Cov(y, f) / ((1 + n/N) Var(f)) (Angelopoulos, Duchi
    and Zrnic 2023, arXiv 2311.01453, example 6.1).
    """
    labels, alone = len(columns.judge), len(columns.judge_alone)
    of_people = columns.sum_by_cluster(
        (columns.human - columns.human.mean()) / labels, np.zeros(alone)
    )
    of_judge = columns.sum_by_cluster(
        -(columns.judge - columns.judge.mean()) / labels,
        (columns.judge_alone - columns.judge_alone.mean()) / alone,
    )
    total = float(np.square(of_judge).sum())
    return min(1.0, max(0.0, -float(of_people @ of_judge) / total)) if total else 0.0


def _prediction_powered(columns: JudgedColumns, weight: float) -> Estimate:
    """Return mean(y) + weight (judge's mean on the rest - on the labels), as in PPI++.

    The error is clustered over all items, with t(clusters of labels - 1).
    """
    labels, alone = len(columns.judge), len(columns.judge_alone)
    value = float(columns.human.mean())
    value += weight * float(columns.judge_alone.mean() - columns.judge.mean())
    variance = _variance(columns, weight) + columns.doubt(weight) / labels**2
    half = t_quantile(UPPER, columns.label_clusters - 1) * math.sqrt(variance)
    # A mean outside the bounds is not a valid score; the interval moves with it.
    value = min(1.0, max(0.0, value))
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), labels + alone)


def _variance(columns: JudgedColumns, weight: float) -> float:
    """Return the variance of the corrected score, without doubt; for weight 0, of the people's."""
    rest = columns.human - weight * columns.judge
    sums = columns.sum_by_cluster(
        (rest - rest.mean()) / len(rest),
        weight * (columns.judge_alone - columns.judge_alone.mean()) / len(columns.judge_alone),
    )
    count = columns.label_clusters
    return count / (count - 1) * float(np.square(sums).sum())


def _choose(
    columns: JudgedColumns, weight: float, corrected: Estimate, people: Estimate
) -> Reported:
    """Return the corrected score if it is narrower, and the judge saves more than its doubt adds.

    Saved variance is V(0) - V(weight), which PPI++ maximizes; a little of it does not outweigh the
    doubt, nor that Wilson's interval is narrower than Student's. Width alone would choose by the
    estimate itself: near 0 and 1, Student's is the narrower one where the labels are extreme by
    chance, and coverage fell to 93 % in simulations. With both conditions it was at most 0.2 points
    below 95 %, or below the people's where that is lower (docs/statistics.md).
    """
    is_narrower = corrected.high - corrected.low < people.high - people.low
    doubt = columns.doubt(weight) / len(columns.judge) ** 2
    is_surer = _variance(columns, weight) + doubt < _variance(columns, 0.0)
    return "prediction_powered" if is_narrower and is_surer else "human_only"


def _rogan_gladen(confusion: Confusion, columns: JudgedColumns) -> Estimate:
    """Return (p + q₀ - 1) / (q₀ + q₁ - 1) for a judge's rate p, specificity q₀, sensitivity q₁.

    Rogan and Gladen 1978 (Am. J. Epidemiol. 107:71), with the interval of Lang and Reiczigel 2014
    (Prev. Vet. Med. 113:13), which accounts for q₀ and q₁ being estimates; for judges see Lee et
    al. 2025, arXiv 2511.21140. If clusters reduce certainty, it is widened accordingly.
    """
    z, count = NORMAL_QUANTILE, len(columns.judge_alone)
    rate = float(columns.judge_alone.mean())
    q0, q1 = confusion.failed.rate, confusion.passed.rate
    value = (rate + q0 - 1) / (q0 + q1 - 1)
    m0, m1 = confusion.failed.count + 2, confusion.passed.count + 2
    s0, s1 = (confusion.neither + 1) / m0, (confusion.both + 1) / m1
    shrunk = (count * rate + z * z / 2) / (count + z * z)
    middle = (shrunk + s0 - 1) / (s0 + s1 - 1)
    of_q0, of_q1 = s0 * (1 - s0) / m0, s1 * (1 - s1) / m1
    shift = 2 * z * z * (middle * of_q1 - (1 - middle) * of_q0)
    variance = shrunk * (1 - shrunk) / (count + z * z)
    variance += middle**2 * of_q1 + (1 - middle) ** 2 * of_q0
    half = z * math.sqrt(variance * _design_effect(columns, value)) / (s0 + s1 - 1)
    middle += shift
    value = min(1.0, max(0.0, value))
    low, high = max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half))
    return Estimate(value, low, high, count + len(columns.judge))


def _design_effect(columns: JudgedColumns, score: float) -> float:
    """Return the factor by which clusters increase that estimate's variance, 1 or more."""
    judge, is_passed = columns.judge, columns.human > 0
    passed, failed = judge[is_passed], judge[~is_passed]
    labelled = np.empty(len(judge))
    labelled[is_passed] = -score * (passed - passed.mean()) / len(passed)
    labelled[~is_passed] = (1 - score) * -(failed - failed.mean()) / len(failed)
    alone = (columns.judge_alone - columns.judge_alone.mean()) / len(columns.judge_alone)
    single = float(np.square(labelled).sum() + np.square(alone).sum())
    clustered = float(np.square(columns.sum_by_cluster(labelled, alone)).sum())
    return max(1.0, clustered / single) if single else 1.0


@dataclass(frozen=True, slots=True)
class LabelsNeeded:
    """The number of labels, with existing ones, that narrows the interval to ± `half_width`."""

    half_width: float
    with_judge: int | None
    """`None`: even labelling everything is not enough."""

    without_judge: int | None
    labels_now: int


def labels_needed(judgements: Sequence[Judgement], half_width: float) -> LabelsNeeded:
    """Return how many labels would narrow the corrected score to ± `half_width`.

    Uses the variances of the existing data, with the weight tuned again for each number of labels;
    each further label is expected to be as informative as the existing ones.

    Raises:
        JudgeRefusedError: as `correct_score`.
    """
    columns = read_columns(judgements)
    refuse_chance(judgements, columns)
    now, total = len(columns.judge), len(columns.judge) + len(columns.judge_alone)

    def find(*, uses_judge: bool) -> int | None:
        first, last = LEAST_LABELS, total
        if _half_width(columns, last, uses_judge=uses_judge) > half_width:
            return None
        while first < last:
            middle = (first + last) // 2
            if _half_width(columns, middle, uses_judge=uses_judge) > half_width:
                first = middle + 1
            else:
                last = middle
        return first

    return LabelsNeeded(half_width, find(uses_judge=True), find(uses_judge=False), now)


def _half_width(columns: JudgedColumns, labels: int, *, uses_judge: bool) -> float:
    """Return the half width to expect with this many labels among the existing items."""
    now = len(columns.judge)
    alone = len(columns.judge) + len(columns.judge_alone) - labels
    none = np.zeros(len(columns.judge_alone))
    human = columns.sum_by_cluster((columns.human - columns.human.mean()) / now, none)
    judge = columns.sum_by_cluster((columns.judge - columns.judge.mean()) / now, none)
    # Variances for one label; for the judge, they also hold for items without one.
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
    return t_quantile(UPPER, clusters - 1) * math.sqrt(max(0.0, variance))
