"""Claim 15: how often 95 % intervals are right, ours and those that ignore known structure.

Everything is drawn with a fixed seed from distributions whose truth is known. "Peer" is the result
when the issue in question is ignored: clusters, peeking, choosing, many comparisons.
"""

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from harness import Row, add_repository_to_path, finish, row
from scipy.stats import t as student

add_repository_to_path()

from tapes_app.statistics.attempts import Scores  # noqa: E402
from tapes_app.statistics.clustered_means import clustered_mean  # noqa: E402
from tapes_app.statistics.comparisons import compare  # noqa: E402
from tapes_app.statistics.corrected_scores import correct_score  # noqa: E402
from tapes_app.statistics.judges import Judgement  # noqa: E402
from tapes_app.statistics.many_variants import (  # noqa: E402
    compare_with_baseline,
    find_winner,
    reestimate_winner,
)
from tapes_app.statistics.score_estimates import mean_score  # noqa: E402
from tapes_app.statistics.variation import flaky_tasks, variance_parts  # noqa: E402
from tapes_app.statistics.watching import watch_mean  # noqa: E402

IS_SMOKE = "--smoke" in sys.argv
GOAL = "intervals of 95 % are right at least 93 % of the time; 100,000 scores in under 1 s"
LEAST = 93.0
MOST_SECONDS = 1.0

Draw = Callable[[np.random.Generator], tuple[bool, bool]]


def measure(case: str, draw: Draw, *, times: int) -> Row:
    """Return in what percentage of draws each side was right."""
    random = np.random.default_rng(15)
    times = times // 50 if IS_SMOKE else times
    right = np.array([draw(random) for _ in range(times)]).mean(axis=0) * 100
    return Row(case, round(float(right[0]), 1), round(float(right[1]), 1), "% right", None)


def normal_clusters(clusters: int, size: int, correlation: float) -> Draw:
    numbers = np.repeat(np.arange(clusters), size)

    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        shared = random.normal(size=clusters)[numbers] * np.sqrt(correlation)
        values = shared + random.normal(size=len(numbers)) * np.sqrt(1 - correlation)
        ours = clustered_mean(values, numbers).interval()
        peer = clustered_mean(values, np.arange(len(values))).interval()
        return ours.low <= 0 <= ours.high, peer.low <= 0 <= peer.high

    return draw


def passes(tasks: int, attempts: int, rate: float, strength: float) -> Draw:
    """Return attempts at tasks whose own pass rates are Beta(rate, 1 - rate) times `strength`."""
    names = [f"t{task}" for task in range(tasks) for _ in range(attempts)]
    seeds = [seed for _ in range(tasks) for seed in range(attempts)]

    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        rates = np.repeat(random.beta(strength * rate, strength * (1 - rate), tasks), attempts)
        passed = random.random(len(names)) < rates
        variant = Scores.from_columns(names, ["v"] * len(names), seeds, passed).of_variant("v")
        ours, peer = mean_score(variant), mean_score(variant, by="attempt")
        assert ours is not None
        assert peer is not None
        return (
            ours.estimate.low <= rate <= ours.estimate.high,
            peer.estimate.low <= rate <= peer.estimate.high,
        )

    return draw


def difference(tasks: int, attempts: int) -> Draw:
    """Return two variants, of which the second is 0.1 better on average, by -0.1 to 0.3."""
    columns = [(t, v, s) for t in range(tasks) for v in "ab" for s in range(attempts)]
    names, variants = [f"t{t}" for t, _, _ in columns], [v for _, v, _ in columns]
    task = np.array([t for t, _, _ in columns])
    is_second = np.array([v == "b" for _, v, _ in columns])
    seeds = [s for _, _, s in columns]

    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        base, better = random.uniform(0.1, 0.7, tasks), random.uniform(-0.1, 0.3, tasks)
        passed = random.random(len(task)) < base[task] + is_second * better[task]
        found = compare(Scores.from_columns(names, variants, seeds, passed), "a", "b")
        assert found is not None
        one, other = passed[~is_second], passed[is_second]
        error = np.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
        away = abs(float(other.mean()) - float(one.mean()) - 0.1)
        return found.difference.low <= 0.1 <= found.difference.high, bool(away <= 1.96 * error)

    return draw


def watching(tasks: int, rate: float) -> Draw:
    counts = np.arange(10, tasks + 1)
    quantiles = student.ppf(0.975, counts - 1)

    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        values = (random.random(tasks) < rate) * 1.0
        watched = watch_mean(values)
        assert watched is not None
        sums = np.cumsum(values)[9:]
        errors = np.sqrt(sums * (counts - sums) / counts / (counts - 1) / counts)
        always = (watched.lows <= rate) & (rate <= watched.highs)
        return bool(always.all()), bool((abs(sums / counts - rate) <= quantiles * errors).all())

    return draw


def winner(variants: int, tasks: int) -> Draw:
    """Return identical variants: the best one's score where it was chosen, and on fresh seeds."""
    columns = [(t, v, s) for t in range(tasks) for v in range(variants) for s in range(2)]
    names, seeds = [f"t{t}" for t, _, _ in columns], [s for _, _, s in columns]
    of = [f"v{v}" for _, v, _ in columns]

    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        scores = Scores.from_columns(names, of, seeds, random.random(len(names)) < 0.5)
        found = reestimate_winner(scores.with_seeds([0]), scores.with_seeds([1]))
        fresh, chosen = found.fresh.estimate, found.when_chosen.estimate
        assert found.variant == find_winner(scores.with_seeds([0]))
        return fresh.low <= 0.5 <= fresh.high, chosen.low <= 0.5 <= chosen.high

    return draw


def no_alarm(variants: int, tasks: int) -> Draw:
    """Return whether none of the identical variants is called different from the first."""
    columns = [(t, v) for t in range(tasks) for v in range(variants + 1)]
    names, of = [f"t{t}" for t, _ in columns], [f"v{v}" for _, v in columns]

    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        scores = Scores.from_columns(names, of, [0] * len(of), random.random(len(of)))
        found = compare_with_baseline(scores, "v0")
        raw = any((each.p_value or 1) <= 0.05 for each in found)
        return not any(each.is_significant for each in found), not raw

    return draw


def judged(labels: int, alone: int, score: float) -> Draw:
    def draw(random: np.random.Generator) -> tuple[bool, bool]:
        human = random.random(labels + alone) < score
        judge = random.random(labels + alone) < np.where(human, 0.9, 0.25)
        things = [
            Judgement(float(said), float(true) if place < labels else None)
            for place, (said, true) in enumerate(zip(judge, human, strict=True))
        ]
        found = correct_score(things)
        ours, peer = found.score, found.judge_only
        return ours.low <= score <= ours.high, peer.low <= score <= peer.high

    return draw


def measure_coverage() -> Iterator[Row]:
    yield measure("30 clusters of 10 values", normal_clusters(30, 10, 0.2), times=10_000)
    yield measure("10 clusters of 10 values", normal_clusters(10, 10, 0.2), times=10_000)
    for rate in (0.5, 0.9):
        case = f"30 tasks, 10 attempts each, {rate:.0%} pass".replace("%", " %")
        yield measure(case, passes(30, 10, rate, 2), times=5_000)
    yield measure("100 tasks, 3 attempts each, 90 % pass", passes(100, 3, 0.9, 2), times=5_000)
    yield measure("difference, 50 tasks, 4 attempts each", difference(50, 4), times=5_000)
    yield measure("at every look, 200 tasks, 30 % pass", watching(200, 0.3), times=1_000)
    yield measure("the best of 10 alike, 50 tasks", winner(10, 50), times=1_000)
    yield measure("no false alarm among 10 alike", no_alarm(10, 50), times=1_000)
    yield measure("corrected judge, 120 labels of 1,320", judged(120, 1_200, 0.6), times=1_000)


def measure_speed() -> float:
    """Return seconds for 100,000 scores: reading, means, comparisons, variation, flaky tasks."""
    random, count = np.random.default_rng(1), 100_000
    tasks = [f"t{n % 1_000}" for n in range(count)]
    variants = [f"v{n // 1_000 % 10}" for n in range(count)]
    seeds = [n // 10_000 for n in range(count)]
    passed = random.random(count) < 0.5
    begin = time.perf_counter()
    scores = Scores.from_columns(tasks, variants, seeds, passed)
    compare_with_baseline(scores, "v0")
    for name in scores.variants:
        variant = scores.of_variant(name)
        mean_score(variant)
        variance_parts(variant)
        flaky_tasks(variant)
    return time.perf_counter() - begin


if __name__ == "__main__":
    rows = list(measure_coverage())
    measure_speed()
    seconds = measure_speed()
    covered = min(each.ours for each in rows)
    speed = row("100,000 scores, 10 variants, 1,000 tasks", seconds, None, "s", higher_wins=False)
    finish(
        "interval_coverage_smoke" if IS_SMOKE else "interval_coverage",
        claim=15,
        goal=GOAL,
        rows=[*rows, speed],
        met=covered >= LEAST and seconds < MOST_SECONDS,
        peer="who ignores clusters, pairs, looks, choices or the judge's errors in the same draws",
    )
