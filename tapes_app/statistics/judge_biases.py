"""What sways a judge apart from quality: which answer came first, and how long one is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.judges import Judgement
from tapes_app.statistics.rates import PairedTally, Tally, mcnemar_p_value, success_rate

Preferred = Literal["a", "b", "tie"]
_LEAST_THINGS = 3


@dataclass(frozen=True, slots=True)
class SwappedVerdict:
    """A judge's preferences between two answers, asked with a first and again with b first.

    `None` where a verdict could not be read.
    """

    a_first: Preferred | None
    b_first: Preferred | None


@dataclass(frozen=True, slots=True)
class PositionBias:
    consistent: Estimate
    """The share of pairs with the same verdict in both orders."""

    prefers_first: Estimate | None
    """Among pairs where the same position won both times, the share where it was the first.

    `None`: there was no such pair. One half means no bias.
    """

    first_both_times: int
    second_both_times: int
    p_value: float
    """How likely a preference this lopsided is for a judge that ignores the order."""

    unread: int
    """Pairs with a verdict that could not be read."""


def measure_position_bias(verdicts: Sequence[SwappedVerdict]) -> PositionBias:
    """Return how far the order of two answers decides which is preferred.

    The p-value is from the exact sign test over the pairs in which the same position won twice. A
    verdict that changes to or from a tie is inconsistent and favours no position.

    Raises:
        InvalidInputError: no pair was judged in both orders.
    """
    read = [each for each in verdicts if each.a_first is not None and each.b_first is not None]
    if not read:
        raise InvalidInputError("No pair was judged in both orders; ask the judge again, swapped.")
    first = sum(each.a_first == "a" and each.b_first == "b" for each in read)
    second = sum(each.a_first == "b" and each.b_first == "a" for each in read)
    same = sum(each.a_first == each.b_first for each in read)
    consistent = success_rate(Tally(same, len(read)))
    assert consistent is not None
    return PositionBias(
        consistent=consistent,
        prefers_first=success_rate(Tally(first, first + second)),
        first_both_times=first,
        second_both_times=second,
        p_value=mcnemar_p_value(PairedTally(0, first, second, 0)),
        unread=len(verdicts) - len(read),
    )


@dataclass(frozen=True, slots=True)
class LengthBias:
    correlation: float
    """Between length and how much higher the judge scores than people: above 0, length is
    favoured."""

    p_value: float
    count: int


def measure_length_bias(judgements: Sequence[Judgement]) -> LengthBias | None:
    """Return how far a judge, compared with people, is too generous to long answers.

    Spearman's rank correlation of the length with the judge's score minus the person's. If long
    answers are better, that is not a bias: people see it too. `None` with fewer than three items
    that both scored, or if all lengths or all differences are equal.
    """
    rows = [
        (float(each.length), each.judge - each.human)
        for each in judgements
        if each.length is not None and each.judge is not None and each.human is not None
    ]
    if len(rows) < _LEAST_THINGS:
        return None
    table = np.array(rows)
    if not np.ptp(table, axis=0).all():
        return None
    from scipy.stats import spearmanr

    found = spearmanr(table[:, 0], table[:, 1])
    return LengthBias(float(found.statistic), float(found.pvalue), len(rows))
