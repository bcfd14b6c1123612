"""Judges beside people: textbook kappas, counting, and what sways a judge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.agreement import cohens_kappa
from tapes_app.statistics.judge_biases import (
    SwappedVerdict,
    measure_length_bias,
    measure_position_bias,
)
from tapes_app.statistics.judges import Confusion, Judgement, kappa_of, measure_judge

confusions = st.builds(Confusion, *[st.integers(1, 30)] * 4)


def _judge(confusion: Confusion) -> list[Judgement]:
    return (
        [Judgement(1.0, 1.0)] * confusion.both
        + [Judgement(1.0, 0.0)] * confusion.only_judge
        + [Judgement(0.0, 1.0)] * confusion.only_human
        + [Judgement(0.0, 0.0)] * confusion.neither
    )


def test_a_diagnostic_table_gives_its_published_rates() -> None:
    # Altman and Bland 1994, BMJ 308:1552: liver scans of 344 patients beside pathology; of 258
    # abnormal ones the scan found 231, of 86 normal ones 54: sensitivity 0.90, specificity 0.63.
    found = measure_judge(_judge(Confusion(both=231, only_judge=32, only_human=27, neither=54)))

    assert found.sensitivity is not None
    assert found.specificity is not None
    assert found.better_than_chance is not None
    assert (round(found.sensitivity.value, 2), round(found.specificity.value, 2)) == (0.90, 0.63)
    assert found.better_than_chance.value == pytest.approx(231 / 258 + 54 / 86 - 1)
    assert found.agreement.value == pytest.approx(285 / 344)


def test_kappa_is_that_of_the_textbook_with_its_interval() -> None:
    # 20 both yes, 15 both no, 5 and 10 apart: (0.7 - 0.5) / 0.5. The variance of Fleiss, Cohen
    # and Everitt 1969, (A + B - C) / ((1 - pe)² n), worked out by hand for this table.
    a = 0.4 * (1 - 1.1 * 0.6) ** 2 + 0.3 * (1 - 0.9 * 0.6) ** 2
    b = 0.6**2 * (0.1 * 1.1**2 + 0.2 * 0.9**2)
    c = (0.4 - 0.5 * 0.6) ** 2
    kappa = kappa_of(Confusion(both=20, only_judge=5, only_human=10, neither=15))

    assert kappa is not None
    assert kappa.value == pytest.approx(0.4)
    assert (kappa.high - kappa.low) / 2 / 1.959964 == pytest.approx(
        np.sqrt((a + b - c) / (0.25 * 50))
    )


@given(confusions)
def test_both_ways_to_kappa_agree(confusion: Confusion) -> None:
    pairs = [(each.judge, each.human) for each in _judge(confusion)]

    kappa = kappa_of(confusion)

    assert kappa is not None
    assert kappa.value == pytest.approx(cohens_kappa(pairs))
    assert -1 <= kappa.low <= kappa.value <= kappa.high <= 1


def test_calibration_says_where_a_judge_is_too_sure() -> None:
    sure = [Judgement(0.95, 1.0)] * 6 + [Judgement(0.95, 0.0)] * 4
    unsure = [Judgement(0.25, 1.0)] * 1 + [Judgement(0.25, 0.0)] * 3

    found = measure_judge(sure + unsure)

    low, high = found.calibration
    assert (low.low, low.judge_mean, low.human_mean.value) == (0.2, 0.25, 0.25)
    assert (high.low, high.human_mean.value) == (0.9, 0.6)
    assert high.judge_mean == pytest.approx(0.95)
    assert found.calibration_error == pytest.approx(0.35 * 10 / 14)
    brier = (6 * 0.05**2 + 4 * 0.95**2 + 0.75**2 + 3 * 0.25**2) / 14
    assert found.brier_score == pytest.approx(brier)


def test_a_verdict_that_cannot_be_read_is_counted_and_not_guessed() -> None:
    found = measure_judge([Judgement(1.0, 1.0), Judgement(None, 1.0), Judgement(1.0, None)])

    assert (found.confusion.count, found.unread) == (1, 1)
    assert found.kappa is None
    assert found.better_than_chance is None
    with pytest.raises(InvalidInputError, match="annotated first"):
        measure_judge([Judgement(1.0, None)])
    with pytest.raises(InvalidInputError, match="not between 0 and 1"):
        Judgement(7.0, None)


def test_a_judge_that_likes_what_stands_first_is_found_out() -> None:
    verdicts = [SwappedVerdict("a", "b")] * 12 + [SwappedVerdict("b", "a")] * 2
    verdicts += [SwappedVerdict("a", "a")] * 20 + [
        SwappedVerdict("tie", "b"),
        SwappedVerdict("a", None),
    ]

    found = measure_position_bias(verdicts)

    assert (found.first_both_times, found.second_both_times, found.unread) == (12, 2, 1)
    assert found.consistent.value == pytest.approx(20 / 35)
    assert found.prefers_first is not None
    assert (found.prefers_first.value, found.prefers_first.count) == (12 / 14, 14)
    # The sign test: 2 or fewer of 14, both ways, 2 (1 + 14 + 91) / 2^14.
    assert found.p_value == pytest.approx(2 * 106 / 2**14)
    with pytest.raises(InvalidInputError, match="both orders"):
        measure_position_bias([SwappedVerdict("a", None)])


def test_length_counts_as_bias_only_where_people_do_not_see_it_too() -> None:
    random = np.random.default_rng(0)
    lengths = random.integers(10, 1_000, 200)
    merit = np.clip(lengths / 1_500 + random.normal(0, 0.05, 200), 0, 0.7)
    padding = np.clip(merit + lengths / 4_000, 0, 1)

    fair = [Judgement(float(m), float(m) if n else 0.5, None, int(length))
            for n, (m, length) in enumerate(zip(merit, lengths, strict=True))]  # fmt: skip
    kind = [Judgement(float(p), float(m), None, int(length))
            for p, m, length in zip(padding, merit, lengths, strict=True)]  # fmt: skip

    biased, fair_bias = measure_length_bias(kind), measure_length_bias(fair)
    assert biased is not None
    assert fair_bias is not None
    assert biased.correlation == pytest.approx(spearmanr(lengths, padding - merit).statistic)
    assert biased.correlation > 0.9
    assert abs(fair_bias.correlation) < 0.2
    assert measure_length_bias(kind[:2]) is None
    assert measure_length_bias([Judgement(1.0, 1.0, None, 5)] * 5) is None
