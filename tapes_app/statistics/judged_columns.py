"""What a judge and people scored, in columns, and whether the judge is worth correcting."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapes_app.engine.errors import StudioError
from tapes_app.statistics.clustered_means import FloatArray, IntArray, number_clusters, sum_by
from tapes_app.statistics.estimate import CONFIDENCE, Estimate
from tapes_app.statistics.judges import Judgement, confuse, pair_scores

LEAST_LABELS = 10
"""With fewer, variances are guesses; at least as many items must remain without a label."""


class JudgeRefusedError(StudioError):
    """The judge is not shown to be better than chance, so its scores cannot be corrected."""

    code = "judge_refused"
    status = 422


@dataclass(frozen=True, eq=False)
class JudgedColumns:
    """The scores of the items that both scored and of those only the judge did, with clusters."""

    judge: FloatArray
    human: FloatArray
    cluster: IntArray
    judge_alone: FloatArray
    cluster_alone: IntArray

    @property
    def is_binary(self) -> bool:
        return all(
            np.isin(column, (0.0, 1.0)).all()
            for column in (self.judge, self.human, self.judge_alone)
        )

    @property
    def label_clusters(self) -> int:
        return len(np.unique(self.cluster))

    def doubt(self, weight: float) -> float:
        """Return the squares that two more labels would add, one for each direction of error.

        A judge that was right on ten labels may still err. So, as with the two successes and two
        failures of Agresti and Coull 1998 (Am. Stat. 52:119), a pass/fail judge counts as having
        erred once in each direction.
        """
        if not self.is_binary:
            return 0.0
        rest = float((self.human - weight * self.judge).mean())
        return (1 - rest) ** 2 + (weight + rest) ** 2

    def sum_by_cluster(self, labelled: FloatArray, alone: FloatArray) -> FloatArray:
        """Return what each cluster adds to an estimate, given what each item adds."""
        clusters = np.concatenate((self.cluster, self.cluster_alone))
        return sum_by(clusters, np.concatenate((labelled, alone)), int(clusters.max()) + 1)


def read_columns(judgements: Sequence[Judgement]) -> JudgedColumns:
    cluster = number_clusters([each.cluster for each in judgements])
    has_judge = np.array([each.judge is not None for each in judgements], dtype=np.bool_)
    has_human = np.array([each.human is not None for each in judgements], dtype=np.bool_)
    both = pair_scores(judgements)
    alone = [each.judge for each in judgements if each.judge is not None and each.human is None]
    return JudgedColumns(
        judge=both[:, 0],
        human=both[:, 1],
        cluster=cluster[has_judge & has_human],
        judge_alone=np.array(alone, dtype=np.float64),
        cluster_alone=cluster[has_judge & ~has_human],
    )


def refuse_chance(judgements: Sequence[Judgement], columns: JudgedColumns) -> None:
    if columns.label_clusters < LEAST_LABELS:
        raise JudgeRefusedError(
            f"People have scored {len(columns.judge)} items that the judge has scored too, of"
            f" {columns.label_clusters} independent tasks; label items, drawn at random, of"
            f" {LEAST_LABELS} or more tasks.",
            labels=len(columns.judge),
        )
    if len(columns.judge_alone) < LEAST_LABELS:
        raise JudgeRefusedError(
            "People have scored nearly everything that the judge has, so there is nothing to"
            " correct: report their mean."
        )
    shown = confuse(judgements).better_than_chance() if columns.is_binary else _correlate(columns)
    labels = len(columns.judge)
    if shown is None:
        raise JudgeRefusedError(
            f"On the {labels} labels people or the judge gave one score throughout, so nothing"
            " shows whether the judge tells good from bad; label some of the other kind.",
            labels=labels,
        )
    if shown.low <= 0:
        raise JudgeRefusedError(
            f"On {labels} labels the judge is not shown to be better than chance"
            f" ({shown.value:+.2f}, from {shown.low:+.2f} to {shown.high:+.2f}, where 0 is chance"
            " and 1 perfect); report the people's score, label more, or fix the judge.",
            labels=labels,
        )


def _correlate(columns: JudgedColumns) -> Estimate | None:
    """Return Pearson's correlation with Fisher's interval; `None` without variation."""
    from scipy.stats import pearsonr

    if not (np.ptp(columns.judge) and np.ptp(columns.human)):
        return None
    found = pearsonr(columns.judge, columns.human)
    interval = found.confidence_interval(CONFIDENCE)
    return Estimate(
        float(found.statistic), float(interval.low), float(interval.high), len(columns.judge)
    )
