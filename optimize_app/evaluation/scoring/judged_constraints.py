"""Constraints that code and a judge decide together: what is settled without the judge, the sum."""

from collections.abc import Sequence
from dataclasses import dataclass

from optimize_app.evaluation.scoring.plain_scores import Score, sum_parts
from optimize_app.evaluation.scoring.scorers import AnyConstraint, ConstraintJudge
from tapes_app.experiments.checks import PASS_SCORE, ScorePart


@dataclass(frozen=True, slots=True)
class Settled:
    """What code says of one constraint."""

    constraint: AnyConstraint
    part: ScorePart | None
    """`None`: the judge is asked."""


def settle(constraint: AnyConstraint, said: Score | None) -> Settled:
    """Return a constraint with what code says of it; `said` is `None` where no code is asked.

    A hybrid one is left to the judge where its code cannot tell, or where that answer does not
    stand by itself.
    """
    if constraint.by == "judge" or said is None:
        return Settled(constraint, None)
    part = ScorePart(constraint.name, said.value, said.explanation)
    if constraint.by == "code":
        return Settled(constraint, part)
    if said.value is None:
        return Settled(constraint, None)
    answer = "yes" if said.value >= PASS_SCORE else "no"
    return Settled(constraint, part if constraint.settles in {"both", answer} else None)


def sum_up(scorer: ConstraintJudge, parts: Sequence[ScorePart]) -> Score:
    """Return the score of all constraints, and in words which are not met or not decided."""
    return Score(sum_parts(scorer, parts), _tell(parts), tuple(parts))


def _tell(parts: Sequence[ScorePart]) -> str:
    unknown = [part for part in parts if part.value is None]
    if unknown:
        return f"Not decided: {_list_reasons(unknown)}"
    broken = [part for part in parts if part.value != 1]
    if not broken:
        return "All constraints are met."
    met = len(parts) - len(broken)
    return f"{met} of {len(parts)} constraints are met. Not met: {_list_reasons(broken)}"


def _list_reasons(parts: Sequence[ScorePart]) -> str:
    return " ".join(f"{part.name} ({part.explanation.rstrip('.')})." for part in parts)
