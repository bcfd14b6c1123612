"""A judge compared with people who scored the same items: agreement, confusion, calibration."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import PASSES_FROM
from tapes_app.statistics.clustered_means import FloatArray
from tapes_app.statistics.estimate import NORMAL_QUANTILE, Estimate
from tapes_app.statistics.rates import Tally, rate_difference, success_rate

_BINS = 10


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's score and a person's score for one item, from 0 to 1."""

    judge: float | None
    """`None`: the verdict could not be read, so there is none; it is never guessed."""

    human: float | None
    """`None`: no person scored it."""

    cluster: str | None = None
    """What it shares with other items, such as its task; `None`: nothing."""

    length: int | None = None
    """Characters of the judged text."""

    def __post_init__(self) -> None:
        for score in (self.judge, self.human):
            if score is not None and not 0 <= score <= 1:
                raise InvalidInputError(f"A score of {score:g} is not between 0 and 1.")


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often judge and person pass items; items that either did not score are not counted."""

    both: int
    only_judge: int
    only_human: int
    neither: int

    @property
    def count(self) -> int:
        return self.both + self.only_judge + self.only_human + self.neither

    @property
    def passed(self) -> Tally:
        """Of the items that people pass, the share that the judge passes: its sensitivity."""
        return Tally(self.both, self.both + self.only_human)

    @property
    def failed(self) -> Tally:
        """Of the items that people fail, the share that the judge fails: its specificity."""
        return Tally(self.neither, self.neither + self.only_judge)

    def better_than_chance(self) -> Estimate | None:
        """Return sensitivity + specificity - 1 (Youden 1950): 0 is chance, 1 perfect.

        It is how much likelier the judge is to pass what people pass than what they fail, so its
        interval is that of a difference of rates. `None` if people pass all or none.
        """
        wrongly = Tally(self.only_judge, self.only_judge + self.neither)
        return rate_difference(wrongly, self.passed)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The verdicts in one range of scores: a calibrated judge's mean equals the people's."""

    low: float
    high: float
    judge_mean: float
    human_mean: Estimate


@dataclass(frozen=True, slots=True)
class JudgeBench:
    """How well a judge matches people's scores."""

    confusion: Confusion
    agreement: Estimate
    """The share of equal verdicts."""

    kappa: Estimate | None
    """Cohen's kappa; `None` if one side gave a single verdict throughout."""

    sensitivity: Estimate | None
    specificity: Estimate | None
    better_than_chance: Estimate | None
    brier_score: float
    """The mean squared difference of both scores: 0 is best, and a constant 0.5 would score 1/4."""

    calibration: tuple[CalibrationBin, ...]
    calibration_error: float
    """The mean difference of both means over the bins, weighted by the bins' shares."""

    unread: int
    """Verdicts that could not be read although a person had scored the item."""


def measure_judge(
    judgements: Sequence[Judgement], *, passes_from: float = PASSES_FROM
) -> JudgeBench:
    """Return how a judge compares with people, over all items that both scored.

    Raises:
        InvalidInputError: there is nothing that both scored.
    """
    both = pair_scores(judgements)
    if not len(both):
        raise InvalidInputError(
            "No person has scored anything that the judge has; have some of it annotated first."
        )
    confusion = confuse(judgements, passes_from=passes_from)
    agreement = success_rate(Tally(confusion.both + confusion.neither, confusion.count))
    assert agreement is not None
    bins = _calibrate(both, passes_from)
    error = sum(b.human_mean.count * abs(b.judge_mean - b.human_mean.value) for b in bins) / len(
        both
    )
    return JudgeBench(
        confusion=confusion,
        agreement=agreement,
        kappa=kappa_of(confusion),
        sensitivity=success_rate(confusion.passed),
        specificity=success_rate(confusion.failed),
        better_than_chance=confusion.better_than_chance(),
        brier_score=float(np.square(both[:, 0] - (both[:, 1] >= passes_from)).mean()),
        calibration=bins,
        calibration_error=error,
        unread=sum(each.judge is None and each.human is not None for each in judgements),
    )


def pair_scores(judgements: Sequence[Judgement]) -> FloatArray:
    """Return the scores of judge and person, shape (items that both scored, 2)."""
    both = [
        (each.judge, each.human)
        for each in judgements
        if each.judge is not None and each.human is not None
    ]
    return np.array(both, dtype=np.float64).reshape(-1, 2)


def confuse(judgements: Sequence[Judgement], *, passes_from: float = PASSES_FROM) -> Confusion:
    passes = pair_scores(judgements) >= passes_from
    judge, human = passes[:, 0], passes[:, 1]
    return Confusion(
        both=int((judge & human).sum()),
        only_judge=int((judge & ~human).sum()),
        only_human=int((~judge & human).sum()),
        neither=int((~judge & ~human).sum()),
    )


def kappa_of(confusion: Confusion) -> Estimate | None:
    """Return Cohen's kappa with the interval of Fleiss, Cohen and Everitt 1969.

    As in statsmodels (Psychological Bulletin 72:323), cut to -1 and 1. `None` if chance alone would
    always agree.
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    rows = [[confusion.both, confusion.only_judge], [confusion.only_human, confusion.neither]]
    table = np.array(rows, dtype=np.float64)
    if 0 in (*table.sum(axis=0), *table.sum(axis=1)):
        return None
    found = cohens_kappa(table)
    half = NORMAL_QUANTILE * float(np.sqrt(found.var_kappa))
    kappa = float(found.kappa)
    return Estimate(kappa, max(-1.0, kappa - half), min(1.0, kappa + half), confusion.count)


def _calibrate(both: FloatArray, passes_from: float) -> tuple[CalibrationBin, ...]:
    """Return the tenths of the judge's scale that contain a verdict; 1 is in the last."""
    places = np.minimum((both[:, 0] * _BINS).astype(np.int64), _BINS - 1)
    bins = []
    for place in np.unique(places):
        inside = both[places == place]
        passed = int((inside[:, 1] >= passes_from).sum())
        human = success_rate(Tally(passed, len(inside)))
        assert human is not None
        mean = float(inside[:, 0].mean())
        bins.append(CalibrationBin(int(place) / _BINS, (int(place) + 1) / _BINS, mean, human))
    return tuple(bins)
