"""A value with the interval that it may well lie in, and the quantiles that make intervals."""

from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the interval that it may well lie in; `count` observations made it."""

    value: float
    low: float
    high: float
    count: int


def normal_quantile(confidence: float) -> float:
    """Return how many standard errors lie on each side of a value, by the normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def t_quantile(probability: float, degrees: float) -> float:
    """Return the value below which Student's t with `degrees` of freedom lies so often."""
    from scipy.special import stdtrit

    if not 0 < probability < 1 or degrees <= 0:
        raise ValueError(f"no quantile of {probability} with {degrees} degrees of freedom")
    return float(stdtrit(degrees, probability))
