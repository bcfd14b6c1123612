"""How often an agent's next step is the recorded one: its kind, its tool, its arguments."""

from collections.abc import Iterable
from dataclasses import dataclass

from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape
from tapes_app.experiments.domain.next_step import KIND_SCORE, TOOL_SCORE


@dataclass(frozen=True, slots=True)
class NextStepRates:
    """What one variant did at the places where it was asked for just the next step.

    Each level presumes the one before: tools count where the kind is right, arguments where both
    are.
    """

    variant: int
    """Its index in the report, from 0."""

    compared_count: int
    """Runs that reached an action, or an end without one; others are missing."""

    kind_count: int
    """Where the kind of the action was the recorded one."""

    tool_count: int
    argument_count: int
    """Where everything was as recorded, which is what passes."""


def rate_next_steps(attempts: Iterable[SweptTape], variant_count: int) -> list[NextStepRates]:
    """Return the rates of each variant; empty if no test asks for the next step."""
    scores: list[list[float]] = [[] for _ in range(variant_count)]
    for one in attempts:
        if one.row.asks_next_step and one.row.passed is not None and one.row.score is not None:
            scores[one.variant].append(one.row.score)
    if not any(scores):
        return []
    return [
        NextStepRates(
            variant=number,
            compared_count=len(own),
            kind_count=sum(score >= KIND_SCORE for score in own),
            tool_count=sum(score >= TOOL_SCORE for score in own),
            argument_count=sum(score == 1 for score in own),
        )
        for number, own in enumerate(scores)
    ]
