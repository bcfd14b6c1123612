"""Corrected scores: other implementations, limits that have closed forms, and coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.errors import StudioError
from tapes_app.statistics.corrected_scores import correct_score, labels_needed
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.judged_columns import JudgeRefusedError
from tapes_app.statistics.judges import Judgement


def _draw(
    random: np.random.Generator,
    labels: int,
    alone: int,
    *,
    score: float = 0.7,
    sensitivity: float = 0.9,
    specificity: float = 0.8,
) -> list[Judgement]:
    human = random.random(labels + alone) < score
    judge = random.random(labels + alone) < np.where(human, sensitivity, 1 - specificity)
    return [
        Judgement(float(said), float(true) if place < labels else None)
        for place, (said, true) in enumerate(zip(judge, human, strict=True))
    ]


def _graded(*, in_clusters: bool = False) -> list[Judgement]:
    """Return 40 things with scores of both and 400 of the judge alone, by arithmetic."""
    i, j = np.arange(40), np.arange(400)
    human = (i * 7 % 11) / 10
    judge = np.clip(human * 0.6 + 0.2 + ((i * 3 % 7) - 3) / 20, 0, 1)
    alone = ((j * 13) % 101) / 100 * 0.7 + 0.15
    labelled = [
        Judgement(float(said), float(true), f"a{n % 10}" if in_clusters else None)
        for n, (said, true) in enumerate(zip(judge, human, strict=True))
    ]
    return labelled + [
        Judgement(float(said), None, f"b{n % 20}" if in_clusters else None)
        for n, said in enumerate(alone)
    ]


@pytest.mark.parametrize(
    ("in_clusters", "half"),
    [
        # truescore 0.7.4, `ppi_estimate`, which by its own tests agrees with ppi_py; the
        # first half width times t(39)/z, since there it is of the normal distribution.
        (False, 0.05402536526 * 2.0226909 / 1.9599640),
        (True, 0.03972806575),
    ],
)
def test_prediction_powered_scores_are_those_of_other_libraries(
    in_clusters: bool, half: float
) -> None:
    found = correct_score(_graded(in_clusters=in_clusters)).prediction_powered

    assert found.value == pytest.approx(0.499455, abs=2e-3)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.02)


def test_the_weight_is_that_of_the_published_formula() -> None:
    things = _graded()

    found = correct_score(things)

    human = np.array([each.human for each in things[:40]], dtype=float)
    judge = np.array([each.judge for each in things[:40]], dtype=float)
    alone = np.array([each.judge for each in things[40:]], dtype=float)
    # Angelopoulos, Duchi and Zrnic 2023, with the variance of each half for itself.
    covariance = np.cov(human, judge, ddof=0)[0, 1]
    weight = covariance / 40 / (judge.var() / 40 + alone.var() / 400)
    weight = min(1.0, weight)
    assert found.judge_weight == pytest.approx(weight)
    value = human.mean() + weight * (alone.mean() - judge.mean())
    assert found.prediction_powered.value == pytest.approx(value)


def test_rogan_gladen_is_that_of_lang_and_reiczigel() -> None:
    # 26 of 40 passed; the judge agreed on 23 of them and on 11 of the others; alone it passed
    # 270 of 400. Computed as `prevSeSp` of the R package asht does, by its source.
    things = [Judgement(1.0, 1.0)] * 23 + [Judgement(0.0, 1.0)] * 3
    things += [Judgement(1.0, 0.0)] * 3 + [Judgement(0.0, 0.0)] * 11
    things += [Judgement(1.0, None)] * 270 + [Judgement(0.0, None)] * 130

    found = correct_score(things).rogan_gladen

    assert found is not None
    assert found.value == pytest.approx((0.675 + 11 / 14 - 1) / (11 / 14 + 23 / 26 - 1))
    z, se, sp = 1.959963984540054, 24 / 28, 12 / 16
    rate = (270 + z**2 / 2) / (400 + z**2)
    middle = (rate + sp - 1) / (se + sp - 1)
    shift = 2 * z**2 * (middle * se * (1 - se) / 28 - (1 - middle) * sp * (1 - sp) / 16)
    variance = rate * (1 - rate) / (400 + z**2)
    variance += middle**2 * se * (1 - se) / 28 + (1 - middle) ** 2 * sp * (1 - sp) / 16
    half = z * math.sqrt(variance) / (se + sp - 1)
    assert found.low == pytest.approx(middle + shift - half)
    assert found.high == pytest.approx(min(1.0, middle + shift + half))


def test_a_judge_that_is_never_wrong_leaves_the_interval_of_a_rate() -> None:
    random = np.random.default_rng(1)
    things = _draw(random, 4_000, 500, sensitivity=1, specificity=1)

    found = correct_score(things)

    rate = float(np.mean([each.judge for each in things[4_000:] if each.judge is not None]))
    assert found.rogan_gladen is not None
    assert found.rogan_gladen.value == pytest.approx(rate)
    # Agresti and Coull's interval of that rate.
    middle = (500 * rate + 1.92) / (500 + 3.84)
    half = 1.96 * math.sqrt(middle * (1 - middle) / 503.84)
    assert found.rogan_gladen.low == pytest.approx(middle - half, abs=2e-3)


def test_corrected_scores_are_right_where_the_judge_alone_is_not() -> None:
    random, times = np.random.default_rng(21), 400
    covered = dict.fromkeys(("corrected", "rogan_gladen", "human", "judge"), 0)
    widths = {"corrected": 0.0, "human": 0.0}

    for _ in range(times):
        found = correct_score(_draw(random, 120, 1_200, score=0.6, specificity=0.75))
        assert found.rogan_gladen is not None
        kinds = (found.prediction_powered, found.rogan_gladen, found.human_only, found.judge_only)
        for name, estimate in zip(covered, kinds, strict=True):
            covered[name] += estimate.low <= 0.6 <= estimate.high
        widths["corrected"] += found.prediction_powered.high - found.prediction_powered.low
        widths["human"] += found.human_only.high - found.human_only.low

    shares = {name: count / times for name, count in covered.items()}
    assert shares["corrected"] == pytest.approx(0.95, abs=0.03)
    assert shares["rogan_gladen"] == pytest.approx(0.95, abs=0.03)
    assert shares["human"] == pytest.approx(0.95, abs=0.03)
    assert shares["judge"] < 0.3
    assert widths["corrected"] < 0.9 * widths["human"]


def _hardly_better_than_chance() -> list[Judgement]:
    """Return 60 labels, two thirds of which the judge met, and 200 verdicts without one."""
    things = [Judgement(1.0, 1.0)] * 20 + [Judgement(0.0, 1.0)] * 10
    things += [Judgement(1.0, 0.0)] * 10 + [Judgement(0.0, 0.0)] * 20
    return things + [Judgement(1.0, None)] * 100 + [Judgement(0.0, None)] * 100


def test_of_a_judge_hardly_better_than_chance_the_peoples_score_is_reported() -> None:
    found = correct_score(_hardly_better_than_chance())

    assert _half(found.prediction_powered) > _half(found.human_only)
    assert found.reported == "human_only"
    assert found.score == found.human_only


@pytest.mark.parametrize(
    "things", [_graded(), _graded(in_clusters=True), _draw(np.random.default_rng(4), 60, 300)]
)
def test_of_a_judge_that_narrows_the_score_the_corrected_one_is_reported(
    things: list[Judgement],
) -> None:
    found = correct_score(things)

    assert _half(found.prediction_powered) < _half(found.human_only)
    assert found.reported == "prediction_powered"
    assert found.score == found.prediction_powered


def test_the_choice_of_a_score_does_not_make_it_wrong() -> None:
    # The shorter of the two intervals is wrong most often for this rate and these counts.
    random, times, rate = np.random.default_rng(23), 1_000, 0.95
    reported = shorter = shown = 0

    for _ in range(times):
        things = _draw(random, 120, 80, score=rate, sensitivity=0.8, specificity=0.8)
        try:
            found = correct_score(things)
        except JudgeRefusedError:
            continue
        shown += 1
        least = min(found.human_only, found.prediction_powered, key=_half)
        assert _half(found.score) <= _half(found.human_only)
        reported += found.score.low <= rate <= found.score.high
        shorter += least.low <= rate <= least.high

    assert shown > 0.8 * times
    assert reported / shown == pytest.approx(0.96, abs=0.02)
    assert shorter / shown < 0.94


def test_labels_of_the_same_tasks_are_not_taken_as_independent() -> None:
    random, times, covered = np.random.default_rng(22), 300, 0

    for _ in range(times):
        rates = random.beta(1.2, 0.8, 60)
        things = []
        for task, rate in enumerate(rates):
            for place in range(20):
                true = random.random() < rate
                said = true if random.random() < 0.85 else not true
                label = float(true) if place < 3 else None
                things.append(Judgement(float(said), label, f"t{task}"))
        estimate = correct_score(things).prediction_powered
        covered += estimate.low <= 0.6 <= estimate.high

    assert covered / times == pytest.approx(0.95, abs=0.035)


def test_ten_labels_that_agree_do_not_make_a_judge_sure() -> None:
    things = [Judgement(1.0, 1.0)] * 6 + [Judgement(0.0, 0.0)] * 4
    things += [Judgement(float(n % 2), None) for n in range(1_000)]

    found = correct_score(things).prediction_powered

    assert found.high - found.low > 0.3


@pytest.mark.parametrize(
    ("things", "why"),
    [
        (
            [Judgement(1.0, 1.0)] * 2 + [Judgement(1.0, None)] * 9,
            "of 2 independent tasks; label items",
        ),
        ([Judgement(1.0, 1.0), Judgement(0.0, 0.0)] * 9, "nothing to"),
        ([Judgement(1.0, 1.0)] * 10 + [Judgement(1.0, None)] * 10, "one score throughout"),
        (
            [Judgement(n / 10, 1 - n / 10) for n in range(11)] + [Judgement(0.5, None)] * 10,
            "not shown to be better than chance",
        ),
        (
            [Judgement(1.0, 0.0), Judgement(0.0, 1.0), Judgement(1.0, 1.0)] * 9
            + [Judgement(1.0, None)] * 10,
            "not shown to be better than chance",
        ),
    ],
)
def test_a_judge_that_is_not_shown_to_be_of_use_is_refused(
    things: list[Judgement], why: str
) -> None:
    with pytest.raises(JudgeRefusedError, match=why) as refused:
        correct_score(things)
    assert isinstance(refused.value, StudioError)
    with pytest.raises(JudgeRefusedError):
        labels_needed(things, 0.05)


def test_as_many_labels_as_were_planned_narrow_the_score_to_what_was_asked() -> None:
    random = np.random.default_rng(30)
    pilot = _draw(random, 150, 3_000)

    plan = labels_needed(pilot, 0.04)

    assert plan.labels_now == 150
    assert plan.with_judge is not None
    assert plan.without_judge is not None
    assert plan.with_judge < plan.without_judge
    widths = [
        _half(
            correct_score(
                _draw(random, plan.with_judge, 3_150 - plan.with_judge)
            ).prediction_powered
        )
        for _ in range(30)
    ]
    assert np.mean(widths) == pytest.approx(0.04, rel=0.12)


def test_more_than_there_is_cannot_be_labelled() -> None:
    plan = labels_needed(_draw(np.random.default_rng(2), 60, 60), 0.001)

    assert (plan.with_judge, plan.without_judge) == (None, None)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.3))
def test_a_narrower_interval_needs_more_labels_and_order_does_not_matter(
    seed: int, half_width: float
) -> None:
    things = _draw(np.random.default_rng(seed), 80, 300)

    one, narrow = labels_needed(things, half_width), labels_needed(things, half_width / 2)

    assert one.with_judge is not None
    assert narrow.with_judge is None or narrow.with_judge >= one.with_judge
    backwards = correct_score(things[::-1]).prediction_powered
    forwards = correct_score(things).prediction_powered
    assert _ends(backwards) == pytest.approx(_ends(forwards))
    assert 0 <= forwards.low <= forwards.value <= forwards.high <= 1


def _half(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2


def _ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.low, estimate.value, estimate.high
