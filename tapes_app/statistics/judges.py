"""A judge beside people who scored the same things: agreement, confusion, calibration."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import PASSES_FROM
from tapes_app.statistics.clustered_means import FloatArray
from tapes_app.statistics.estimate import CONFIDENCE, Estimate, normal_quantile
from tapes_app.statistics.rates import Tally, rate_difference, success_rate

_BINS = 10


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of one thing, and what a person said of it, from 0 to 1."""

    judge: float | None
    """`None`: the verdict could not be read, so there is none; it is never guessed."""

    human: float | None
    """`None`: no person looked at it."""

    cluster: str | None = None
    """What others share with it, such as its task; `None`: nothing."""

    length: int | None = None
    """Characters of what was judged."""

    def __post_init__(self) -> None:
        for score in (self.judge, self.human):
            if score is not None and not 0 <= score <= 1:
                raise InvalidInputError(f"A score of {score:g} is not between 0 and 1.")


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often judge and person let things pass; what either did not score is not here."""

    both: int
    only_judge: int
    only_human: int
    neither: int

    @property
    def count(self) -> int:
        return self.both + self.only_judge + self.only_human + self.neither

    @property
    def passed(self) -> Tally:
        """Of what people let pass, what the judge did: its sensitivity."""
        return Tally(self.both, self.both + self.only_human)

    @property
    def failed(self) -> Tally:
        """Of what people let fail, what the judge did: its specificity."""
        return Tally(self.neither, self.neither + self.only_judge)

    def better_than_chance(self, *, confidence: float = CONFIDENCE) -> Estimate | None:
        """Return sensitivity + specificity - 1 (Youden 1950): 0 is chance, 1 perfect.

        It is how much likelier the judge lets pass what people do than what they do not, so its
        interval is that of a difference of rates. `None` where people let all pass or none.
        """
        wrongly = Tally(self.only_judge, self.only_judge + self.neither)
        return rate_difference(wrongly, self.passed, confidence=confidence)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The verdicts in one range of scores: a calibrated judge's mean is the people's."""

    low: float
    high: float
    judge_mean: float
    human_mean: Estimate


@dataclass(frozen=True, slots=True)
class JudgeBench:
    """How well a judge does what people would."""

    confusion: Confusion
    agreement: Estimate
    """The share of equal verdicts."""

    kappa: Estimate | None
    """Cohen's; `None` where one side gave a single verdict throughout."""

    sensitivity: Estimate | None
    specificity: Estimate | None
    better_than_chance: Estimate | None
    brier_score: float
    """The mean squared distance of both scores: 0 is best, and 1/4 is what always 0.5 comes to."""

    calibration: tuple[CalibrationBin, ...]
    calibration_error: float
    """The mean distance of both means over the bins, each by its share."""

    unread: int
    """Verdicts that could not be read though a person had scored the thing."""


def measure_judge(
    judgements: Sequence[Judgement],
    *,
    passes_from: float = PASSES_FROM,
    confidence: float = CONFIDENCE,
) -> JudgeBench:
    """Return how a judge does beside people, over all that both scored.

    Raises:
        InvalidInputError: there is nothing that both scored.
    """
    both = pair_scores(judgements)
    if not len(both):
        raise InvalidInputError(
            "No person has scored anything that the judge has; have some of it annotated first."
        )
    confusion = confuse(judgements, passes_from=passes_from)
    agreement = success_rate(
        Tally(confusion.both + confusion.neither, confusion.count), confidence=confidence
    )
    assert agreement is not None
    bins = _calibrate(both, passes_from, confidence)
    error = sum(b.human_mean.count * abs(b.judge_mean - b.human_mean.value) for b in bins) / len(
        both
    )
    return JudgeBench(
        confusion=confusion,
        agreement=agreement,
        kappa=kappa_of(confusion, confidence=confidence),
        sensitivity=success_rate(confusion.passed, confidence=confidence),
        specificity=success_rate(confusion.failed, confidence=confidence),
        better_than_chance=confusion.better_than_chance(confidence=confidence),
        brier_score=float(np.square(both[:, 0] - (both[:, 1] >= passes_from)).mean()),
        calibration=bins,
        calibration_error=error,
        unread=sum(each.judge is None and each.human is not None for each in judgements),
    )


def pair_scores(judgements: Sequence[Judgement]) -> FloatArray:
    """Return the scores of judge and person, (things that both scored, 2)."""
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


def kappa_of(confusion: Confusion, *, confidence: float = CONFIDENCE) -> Estimate | None:
    """Return Cohen's kappa with the interval of Fleiss, Cohen and Everitt 1969.

    As statsmodels has them (Psychological Bulletin 72:323), cut to -1 and 1. `None` where
    chance alone would agree always.
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    rows = [[confusion.both, confusion.only_judge], [confusion.only_human, confusion.neither]]
    table = np.array(rows, dtype=np.float64)
    if 0 in (*table.sum(axis=0), *table.sum(axis=1)):
        return None
    found = cohens_kappa(table)
    half = normal_quantile(confidence) * float(np.sqrt(found.var_kappa))
    kappa = float(found.kappa)
    return Estimate(kappa, max(-1.0, kappa - half), min(1.0, kappa + half), confusion.count)


def _calibrate(
    both: FloatArray, passes_from: float, confidence: float
) -> tuple[CalibrationBin, ...]:
    """Return the tenths of the judge's scale that hold a verdict; 1 is in the last."""
    places = np.minimum((both[:, 0] * _BINS).astype(np.int64), _BINS - 1)
    bins = []
    for place in np.unique(places):
        inside = both[places == place]
        passed = int((inside[:, 1] >= passes_from).sum())
        human = success_rate(Tally(passed, len(inside)), confidence=confidence)
        assert human is not None
        mean = float(inside[:, 0].mean())
        bins.append(CalibrationBin(int(place) / _BINS, (int(place) + 1) / _BINS, mean, human))
    return tuple(bins)
