"""Means of a handful of independent values, and of differences in pairs, with their intervals."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

from tapes_app.statistics.estimate import UPPER, Estimate, t_quantile


def paired_difference(
    pairs: Sequence[tuple[float, float]], *, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate | None:
    """Return how much higher the second value of each pair is, on average.

    The paired t interval: d̄ ± t(n-1) s_d / √n over the differences. Pairing removes the effect of
    what both sides of a pair share (the same model, temperature and step), so it is narrower than
    comparing two unpaired samples. A single pair has a mean but no interval: it may be anywhere in
    `bounds`.
    """
    return mean_estimate([second - first for first, second in pairs], bounds=bounds)


def mean_estimate(
    values: Sequence[float], *, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate | None:
    """Return a mean with its Student t interval, x̄ ± t(n-1) s / √n; `None` without a value.

    `bounds` cut the interval to what is possible. A single value, or several equal ones, reveal
    nothing about their spread: the interval is then all of `bounds`, not a point.
    """
    if not values:
        return None
    mean, count = fmean(values), len(values)
    spread = stdev(values) if count > 1 else 0.0
    if not spread:
        return Estimate(mean, *bounds, count)
    half = t_quantile(UPPER, count - 1) * spread / math.sqrt(count)
    return Estimate(mean, max(bounds[0], mean - half), min(bounds[1], mean + half), count)
