"""A value with its confidence interval, and the quantiles from which intervals are computed."""

from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
"""Of every interval."""

UPPER = (1 + CONFIDENCE) / 2
"""How likely it is that a value is below the upper end of its interval."""

NORMAL_QUANTILE = NormalDist().inv_cdf(UPPER)
"""How many standard errors are on each side of a value, by the normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its confidence interval, based on `count` observations."""

    value: float
    low: float
    high: float
    count: int


def t_quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t with `degrees` of freedom at a probability."""
    from scipy.special import stdtrit

    if not 0 < probability < 1 or degrees <= 0:
        raise ValueError(f"no quantile of {probability} with {degrees} degrees of freedom")
    return float(stdtrit(degrees, probability))
