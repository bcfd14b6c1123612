"""Measures of agreement against published examples, and what must hold for any data."""

from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.statistics.agreement import (
    Level,
    cohens_kappa,
    krippendorffs_alpha,
    mean_kappa,
    percent_agreement,
)

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: four observers,
# twelve units, some values missing.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_is_that_of_krippendorffs_example(level: Level, published: float) -> None:
    assert krippendorffs_alpha(UNITS, level) == pytest.approx(published, abs=0.0005)


def test_alpha_of_two_observers_of_binary_values_is_that_of_krippendorffs_example() -> None:
    # Example A of the same paper: ten units, two observers, 0.095.
    one = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
    other = (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)

    assert krippendorffs_alpha(list(zip(one, other, strict=True))) == pytest.approx(
        0.095, abs=0.0005
    )


def test_kappa_is_that_of_the_textbook() -> None:
    # 20 both yes, 15 both no, 5 and 10 apart: (0.7 - 0.5) / 0.5.
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10
    pairs += [("no", "no")] * 15

    assert cohens_kappa(pairs) == pytest.approx(0.4)


def test_kappa_of_several_persons_is_the_mean_over_their_pairs() -> None:
    units: list[dict[Hashable, Hashable]] = [
        {"a": 1, "b": 1, "c": 0},
        {"a": 0, "b": 0, "c": 1},
        {"a": 1, "b": 1},
    ]

    assert mean_kappa(units) == pytest.approx((1 + -1 + -1) / 3)


def test_nothing_answered_twice_is_no_agreement_of_any_degree() -> None:
    single = [[1, None], [None, 2], []]

    assert percent_agreement(single) is None
    assert krippendorffs_alpha(single) is None
    assert cohens_kappa([]) is None
    assert mean_kappa([{"a": 1}]) is None


def test_without_variation_chance_cannot_be_measured() -> None:
    assert percent_agreement([[1, 1], [1, 1]]) == 1
    assert krippendorffs_alpha([[1, 1], [1, 1]]) is None
    assert cohens_kappa([(1, 1), (1, 1)]) is None


values = st.integers(0, 4) | st.none()
tables = st.lists(st.lists(values, min_size=2, max_size=4), min_size=1, max_size=12)
levels: st.SearchStrategy[Level] = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])


@given(tables, levels)
def test_alpha_does_not_depend_on_the_order_of_units_or_persons(
    units: list[list[int | None]], level: Level
) -> None:
    turned = [unit[::-1] for unit in units[::-1]]

    alpha = krippendorffs_alpha(units, level)

    assert alpha == pytest.approx(krippendorffs_alpha(turned, level))
    assert alpha is None or alpha <= 1 + 1e-9


@given(tables, levels)
def test_alpha_is_one_exactly_when_all_agree(units: list[list[int | None]], level: Level) -> None:
    alpha = krippendorffs_alpha(units, level)
    agreed = percent_agreement(units) == 1

    assert alpha is None or (alpha == pytest.approx(1)) == agreed
