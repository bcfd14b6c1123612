"""What one variant scores, beside closed forms and counting."""

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.score_estimates import (
    majority_of_k,
    mean_score,
    pass_at_k,
    pass_hat_k,
)
from tests.statistics.drawing import make_scores

attempts_of_tasks = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=6),
    min_size=1,
)


def test_a_missing_attempt_is_counted_and_never_zero() -> None:
    scores = make_scores({"v": {"a": [1, None], "b": [0, 1], "c": [None]}})

    found = mean_score(scores.of_variant("v"))

    assert found is not None
    assert found.estimate.value == pytest.approx((1 + 0.5) / 2)
    assert (found.estimate.count, found.tasks, found.missing, found.left_out) == (3, 2, 2, 1)


def test_single_attempts_that_passed_or_failed_have_wilsons_interval() -> None:
    # Newcombe 1998, Statistics in Medicine 17:857, table I: 15 of 148.
    scores = make_scores({"v": {f"t{n}": [float(n < 15)] for n in range(148)}})

    wilson = mean_score(scores.of_variant("v"))
    exact = mean_score(scores.of_variant("v"), method="clopper_pearson")

    assert wilson is not None
    assert exact is not None
    assert wilson.method == "wilson"
    assert (round(wilson.estimate.low, 4), round(wilson.estimate.high, 4)) == (0.0624, 0.1605)
    assert (round(exact.estimate.low, 4), round(exact.estimate.high, 4)) == (0.0578, 0.1617)


def test_scores_between_have_students_interval_over_tasks() -> None:
    scores = make_scores({"v": {"a": [0.2, 0.4], "b": [0.5, 0.7], "c": [0.9, 0.7]}})

    found = mean_score(scores.of_variant("v"))

    # Means 0.3, 0.6, 0.8: s = 0.25166, t(2) = 4.30265, 4.30265 * s / √3 = 0.62517.
    assert found is not None
    assert (found.method, found.clusters) == ("student", 3)
    assert found.estimate.value == pytest.approx(17 / 30)
    assert (found.estimate.low, found.estimate.high) == (0.0, 1.0)
    assert found.estimate.value - 0.62517 < 0
    with pytest.raises(InvalidInputError, match="not all 0 or 1"):
        mean_score(scores.of_variant("v"), method="wilson")


def test_tasks_of_one_template_are_one_cluster() -> None:
    rows = [Attempt(f"t{n}", "v", 0, float(n % 4 > 0), f"template {n // 10}") for n in range(300)]

    by_template = mean_score(Scores.of(rows).of_variant("v"))
    by_attempt = mean_score(Scores.of(rows).of_variant("v"), by="attempt")

    assert by_template is not None
    assert by_attempt is not None
    assert (by_template.clusters, by_attempt.clusters) == (30, 300)
    assert by_template.estimate.value == by_attempt.estimate.value


def test_where_all_passed_each_cluster_counts_as_one_attempt() -> None:
    scores = make_scores({"v": {f"t{n}": [1, 1, 1] for n in range(20)}})

    found = mean_score(scores.of_variant("v"))

    assert found is not None
    low, _ = proportion_confint(20, 20, method="wilson")
    assert found.estimate.low == pytest.approx(low)
    assert found.estimate.high == 1


@given(attempts_of_tasks, st.integers(1, 4))
def test_pass_at_k_and_pass_hat_k_are_what_counting_all_draws_gives(
    tasks: dict[str, list[float | None]], k: int
) -> None:
    variant = make_scores({"v": tasks}).of_variant("v")

    some, every = pass_at_k(variant, k), pass_hat_k(variant, k)
    most = majority_of_k(variant, k)

    scored = [[s for s in scores if s is not None] for scores in tasks.values()]
    draws = [list(combinations(scores, k)) for scores in scored if len(scores) >= k]
    if not draws:
        assert (some, every, most) == (None, None, None)
        return
    assert some is not None
    assert every is not None
    assert most is not None
    assert some.estimate.value == pytest.approx(fmean(fmean(map(max, each)) for each in draws))
    assert every.estimate.value == pytest.approx(fmean(fmean(map(min, each)) for each in draws))
    majority = [[(2 * sum(draw) > k) + (2 * sum(draw) == k) / 2 for draw in each] for each in draws]
    assert most.estimate.value == pytest.approx(fmean(map(fmean, majority)))
    assert some.left_out == len(tasks) - len(draws)
    assert 0 <= some.estimate.low <= some.estimate.value <= some.estimate.high + 1e-12


def test_pass_at_k_is_the_published_estimator() -> None:
    # Chen et al. 2021, arXiv 2107.03374, figure 3: 1 - Π (1 - k/i) for i from n-c+1 to n.
    n, c, k = 200, 17, 10
    attempts: list[float | None] = [*([1.0] * c), *([0.0] * (n - c))]
    scores = make_scores({"v": {"t": attempts}})

    found = pass_at_k(scores.of_variant("v"), k)

    assert found is not None
    product = np.prod(1.0 - k / np.arange(n - c + 1, n + 1))
    assert found.estimate.value == pytest.approx(1 - product)


@given(attempts_of_tasks)
def test_one_draw_is_the_mean_whatever_is_asked_of_it(tasks: dict[str, list[float | None]]) -> None:
    variant = make_scores({"v": tasks}).of_variant("v")

    mean = mean_score(variant)
    draws = [draw(variant, 1) for draw in (pass_at_k, pass_hat_k, majority_of_k)]

    if mean is None:
        assert draws == [None] * 3
        return
    for draw in draws:
        assert draw is not None
        assert draw.estimate.value == pytest.approx(mean.estimate.value)
    assert 0 <= mean.estimate.low <= mean.estimate.value <= mean.estimate.high <= 1


def test_scores_out_of_bounds_and_tasks_in_two_clusters_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="not between 0 and 1"):
        Scores.of([Attempt("t", "v", 0, 7.0)])
    with pytest.raises(InvalidInputError, match="in two clusters"):
        Scores.of([Attempt("t", "v", 0, 1.0, "x"), Attempt("t", "v", 1, 1.0, "y")])
    with pytest.raises(InvalidInputError, match="per attempt"):
        Scores.from_columns(["t"], ["v"], [0, 1], [1.0])
    with pytest.raises(NotFoundError, match="no attempt of w"):
        Scores.of([Attempt("t", "v", 0, 1.0)]).of_variant("w")
    with pytest.raises(InvalidInputError, match="known about 0 attempts"):
        pass_at_k(Scores.of([Attempt("t", "v", 0, 1.0)]).of_variant("v"), 0)


def test_passes_are_scores_from_a_half_on_and_what_is_missing_stays_so() -> None:
    scores = make_scores({"v": {"a": [0.4, 0.5, None]}}).as_passes()

    found = mean_score(scores.of_variant("v"))

    assert found is not None
    assert (found.estimate.value, found.missing) == (0.5, 1)
