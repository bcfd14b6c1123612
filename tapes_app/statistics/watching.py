"""Intervals for a grid that is watched while it runs: they hold at every check together.

A 95 % interval is right 19 times out of 20 for someone who checks once. Someone who checks after
every task and stops when the interval looks good is wrong far more often. A confidence sequence is
right at all times together 19 times out of 20, and is wider for it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.clustered_means import BoolArray, FloatArray
from tapes_app.statistics.estimate import CONFIDENCE, Estimate

_GRID = 1_000
"""Number of means tested between the bounds; the interval is wider by one grid step."""

_MOST_BET = 0.5
_ROWS = 256


@dataclass(frozen=True, eq=False)
class ConfidenceSequence:
    """The interval after each value; it never widens."""

    means: FloatArray
    lows: FloatArray
    highs: FloatArray

    @property
    def now(self) -> Estimate:
        # A running mean may leave an interval that it helped to narrow.
        low, high = float(self.lows[-1]), float(self.highs[-1])
        return Estimate(float(self.means[-1]), low, high, len(self.means))


def watch_mean(
    values: Sequence[float] | FloatArray, *, bounds: tuple[float, float] = (0.0, 1.0)
) -> ConfidenceSequence | None:
    """Return the intervals of a mean after each of `values` (n), in their order of arrival.

    The hedged capital process of Waudby-Smith and Ramdas 2024 (J. R. Stat. Soc. B 86:1, section 4,
    with their plug-in bets cut at c = 1/2): against each mean, bets are placed on higher and on
    lower values, based on the values before; a mean at which the capital has grown twentyfold is
    ruled out. Values must be independent and lie in `bounds`, or at least have the same mean given
    the values before: so pass a task's mean once all of its attempts are over, with tasks in random
    order. For a comparison pass differences, with bounds -1 and 1. `None` without a value.

    Raises:
        InvalidInputError: a value is outside `bounds`, or missing.
    """
    x = (np.asarray(values, dtype=np.float64) - bounds[0]) / (bounds[1] - bounds[0])
    if not len(x):
        return None
    if not ((x >= 0) & (x <= 1)).all():
        raise InvalidInputError(
            f"Values to watch lie between {bounds[0]:g} and {bounds[1]:g}; leave out missing ones."
        )
    lows, highs = _narrow(x, 1 - CONFIDENCE)
    width = bounds[1] - bounds[0]
    means = np.cumsum(x) / np.arange(1, len(x) + 1)
    return ConfidenceSequence(*(bounds[0] + width * column for column in (means, lows, highs)))


def _narrow(x: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest mean that remains after each value."""
    grid = np.linspace(0.0, 1.0, _GRID + 1)
    bets = _bets(x, alpha)
    up, down = np.zeros(len(grid)), np.zeros(len(grid))
    is_left = np.ones(len(grid), dtype=np.bool_)
    lows, highs = np.empty(len(x)), np.empty(len(x))
    for start in range(0, len(x), _ROWS):
        rows = slice(start, start + _ROWS)
        ups, downs = _log_capitals(x[rows, None], bets[rows, None], grid)
        ups, downs = up + np.cumsum(ups, axis=0), down + np.cumsum(downs, axis=0)
        # Half of the money is on each side; a mean once ruled out stays out.
        out = np.maximum(ups, downs) + math.log(1 / 2) >= math.log(1 / alpha)
        left = is_left & ~np.maximum.accumulate(out, axis=0)
        left = _keep_last(left, is_left)
        lows[rows] = left.argmax(axis=1)
        highs[rows] = _GRID - left[:, ::-1].argmax(axis=1)
        up, down, is_left = ups[-1], downs[-1], left[-1]
    return np.maximum(lows - 1, 0) / _GRID, np.minimum(highs + 1, _GRID) / _GRID


def _keep_last(left: BoolArray, before: BoolArray) -> BoolArray:
    """Return the rows of `left`; rows in which nothing remains repeat the last one before.

    That happens with probability alpha at most, or if the interval is narrower than the grid.
    """
    has_any = left.any(axis=1)
    if has_any.all():
        return left
    first_empty = int(has_any.argmin())
    left[first_empty:] = left[first_empty - 1] if first_empty else before
    return left


def _bets(x: FloatArray, alpha: float) -> FloatArray:
    """Return how much is bet on each value, based only on the values before it.

    √(2 log(2/alpha) / (σ² t log(1+t))), with σ² as if one value had come before, at 1/2 with the
    variance 1/4.
    """
    t = np.arange(1, len(x) + 1)
    means = (0.5 + np.cumsum(x)) / (t + 1)
    variances = (0.25 + np.cumsum(np.square(x - means))) / (t + 1)
    before = np.concatenate(([0.25], variances[:-1]))
    return np.sqrt(2 * math.log(2 / alpha) / (before * t * np.log(1 + t)))


def _log_capitals(
    x: FloatArray, bets: FloatArray, grid: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what each value adds to the log-capital of both sides, (values, grid)."""
    with np.errstate(divide="ignore"):
        up = np.minimum(bets, _MOST_BET / grid)
        down = np.minimum(bets, _MOST_BET / (1 - grid))
    return np.log1p(up * (x - grid)), np.log1p(-down * (x - grid))
