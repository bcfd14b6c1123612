"""Two variants, or many, on the same tasks: published examples, scipy, and false alarms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.comparisons import compare
from tapes_app.statistics.many_variants import (
    Adjustment,
    adjust,
    compare_with_baseline,
    reestimate_winner,
)
from tests.statistics.drawing import make_scores

tables = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.tuples(*[st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), max_size=3)] * 2),
    min_size=1,
)


def test_scores_in_pairs_have_the_paired_t_test() -> None:
    # Student 1908, Biometrika 6:1: hours of sleep gained under two drugs, ten patients.
    drug_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    drug_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    rows = [Attempt(f"p{n}", "1", 0, hours) for n, hours in enumerate(drug_1)]
    rows += [Attempt(f"p{n}", "2", 0, hours) for n, hours in enumerate(drug_2)]

    found = compare(Scores.of(rows, bounds=(-10, 10)), "1", "2")

    assert found is not None
    assert found.test == "paired_t"
    assert (round(found.difference.low, 4), round(found.difference.high, 4)) == (0.7001, 2.4599)
    assert found.p_value == pytest.approx(0.002833, abs=1e-6)
    assert found.p_value == pytest.approx(ttest_rel(drug_2, drug_1).pvalue)
    assert found.is_significant


def test_single_passes_and_failures_have_mcnemars_test() -> None:
    # Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91 (Bentur et al. 2009).
    cells = [(1, 1)] * 1 + [(1, 0)] * 1 + [(0, 1)] * 7 + [(0, 0)] * 12
    scores = make_scores(
        {
            "before": {f"t{n}": [float(one)] for n, (one, _) in enumerate(cells)},
            "after": {f"t{n}": [float(other)] for n, (_, other) in enumerate(cells)},
        }
    )

    found = compare(scores, "before", "after")

    assert found is not None
    assert found.test == "mcnemar"
    assert found.p_value == pytest.approx(0.0703, abs=5e-5)
    assert (round(found.difference.low, 3), round(found.difference.high, 3)) == (0.026, 0.507)


def test_only_shared_tasks_are_compared_and_the_others_are_counted() -> None:
    scores = make_scores({"a": {"x": [1.0], "y": [0.5]}, "b": {"x": [0.0, None], "z": [1.0]}})

    found = compare(scores, "a", "b")

    assert found is not None
    assert (found.first_mean, found.second_mean, found.difference.value) == (1, 0, -1)
    assert (found.difference.count, found.unpaired_tasks, found.missing) == (1, 2, 1)
    assert found.p_value is None
    assert (found.difference.low, found.difference.high) == (-1, 1)


def test_variants_that_agree_throughout_differ_by_little_at_most() -> None:
    tasks: dict[str, list[float | None]] = {f"t{n}": [1, 1] for n in range(100)}

    found = compare(make_scores({"a": tasks, "b": tasks}), "a", "b")

    assert found is not None
    assert found.difference.value == 0
    assert found.p_value == 1
    assert -0.06 < found.difference.low < 0 < found.difference.high < 0.06


def test_a_difference_that_is_whole_in_every_task_counts_each_of_them_once() -> None:
    scores = make_scores(
        {name: {f"t{n}": [score] * 3 for n in range(6)} for name, score in (("a", 0.0), ("b", 1.0))}
    )

    found = compare(scores, "a", "b")

    # Six of six tasks in one direction: 2 / 2^6, by the sign test.
    assert found is not None
    assert found.difference.value == 1
    assert found.p_value == pytest.approx(2 / 64)
    assert 0 < found.difference.low < found.difference.high == 1


@given(tables)
def test_a_comparison_mirrors_when_its_sides_swap(
    tasks: dict[str, tuple[list[float | None], list[float | None]]],
) -> None:
    scores = make_scores(
        {
            "a": {task: one for task, (one, _) in tasks.items()} | {"at a": [1.0]},
            "b": {task: other for task, (_, other) in tasks.items()} | {"at b": [1.0]},
        }
    )

    forth, back = compare(scores, "a", "b"), compare(scores, "b", "a")

    if forth is None or back is None:
        assert forth is back
        return
    assert forth.p_value == (None if back.p_value is None else pytest.approx(back.p_value))
    assert forth.difference.value == pytest.approx(-back.difference.value)
    assert forth.difference.low == pytest.approx(-back.difference.high)
    assert -1 <= forth.difference.low <= forth.difference.high <= 1


def test_twenty_variants_alike_raise_a_false_alarm_in_a_twentieth_of_sweeps() -> None:
    random, sweeps = np.random.default_rng(2), 120
    alarms = {"raw": 0, "holm": 0}
    names = [f"v{n}" for n in range(11)]
    columns = [(task, name) for name in names for task in range(60)]

    for _ in range(sweeps):
        scores = Scores.from_columns(
            [f"t{task}" for task, _ in columns],
            [name for _, name in columns],
            [0] * len(columns),
            random.random(len(columns)),
        )
        found = compare_with_baseline(scores, "v0")
        alarms["raw"] += any((each.p_value or 1) <= 0.05 for each in found)
        alarms["holm"] += any(each.is_significant for each in found)

    assert alarms["raw"] / sweeps > 0.2
    assert alarms["holm"] / sweeps < 0.1


# Benjamini and Hochberg 1995, J. R. Stat. Soc. B 57:289, section 3.2: fifteen comparisons of a
# trial, of which Bonferroni keeps three and their procedure four.
TRIAL = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
TRIAL += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]


def test_adjustments_keep_what_the_published_example_keeps() -> None:
    assert sum(p <= 0.05 for p in adjust(TRIAL, "benjamini_hochberg")) == 4
    assert sum(p <= 0.05 for p in adjust(TRIAL, "holm")) == 3
    assert adjust([]) == []


def test_adjustments_are_those_of_statsmodels() -> None:
    names: list[tuple[Adjustment, str]] = [("holm", "holm"), ("benjamini_hochberg", "fdr_bh")]
    for ours, theirs in names:
        expected = multipletests(TRIAL[::-1], method=theirs)[1]
        assert adjust(TRIAL[::-1], ours) == pytest.approx(list(expected))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_an_adjusted_p_value_is_never_smaller_and_holms_the_largest(p_values: list[float]) -> None:
    holm, share = adjust(p_values), adjust(p_values, "benjamini_hochberg")

    for raw, one, other in zip(p_values, holm, share, strict=True):
        assert raw <= other + 1e-12
        assert other <= one + 1e-12
        assert one <= 1


def test_the_winner_of_equals_looked_better_than_it_is() -> None:
    random = np.random.default_rng(8)
    optimism = []

    for _ in range(40):
        tasks = [f"t{n}" for n in range(20) for _ in range(10) for _ in range(2)]
        variants = [f"v{n}" for _ in range(20) for n in range(10) for _ in range(2)]
        seeds = [seed for _ in range(200) for seed in range(2)]
        scores = Scores.from_columns(tasks, variants, seeds, random.random(400) < 0.5)
        winner = reestimate_winner(scores.with_seeds([0]), scores.with_seeds([1]))
        assert winner.chosen_among == 10
        optimism.append(winner.optimism)

    # The largest of ten normal means lies 1.54 standard deviations up: √(0.25/20) each.
    assert np.mean(optimism) == pytest.approx(1.54 * 0.1118, abs=0.05)


def test_a_winner_is_not_measured_again_on_what_chose_it() -> None:
    scores = make_scores({"a": {"t": [1.0, 1.0]}, "b": {"t": [0.0, 0.0]}})

    with pytest.raises(InvalidInputError, match="both halves"):
        reestimate_winner(scores, scores.with_seeds([1]))
    with pytest.raises(InvalidInputError, match="no score on fresh seeds"):
        reestimate_winner(scores, scores.with_seeds([7]))
    with pytest.raises(InvalidInputError, match="no best variant"):
        reestimate_winner(scores.with_seeds([7]), scores)
