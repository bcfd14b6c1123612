"""Constraints that code and a judge decide together: what code settles alone, and the sum."""

from collections.abc import Sequence
from dataclasses import dataclass

from optimize_app.evaluation.scoring.plain_scores import Score, sum_parts
from optimize_app.evaluation.scoring.scorers import AnyConstraint, ConstraintJudge
from tapes_app.experiments.domain.checks import PASS_SCORE, ScorePart


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of code for one constraint."""

    constraint: AnyConstraint
    part: ScorePart | None
    """`None`: the judge is asked."""


def settle(constraint: AnyConstraint, score: Score | None) -> Settled:
    """Decide a constraint by its code's score; `score` is `None` if it has no code.

    A hybrid constraint is left to the judge if its code cannot decide, or if that answer does not
    count without the judge.
    """
    if constraint.by == "judge" or score is None:
        return Settled(constraint, None)
    part = ScorePart(constraint.name, score.value, score.explanation)
    if constraint.by == "code":
        return Settled(constraint, part)
    if score.value is None:
        return Settled(constraint, None)
    answer = "yes" if score.value >= PASS_SCORE else "no"
    return Settled(constraint, part if constraint.settles in {"both", answer} else None)


def sum_up(scorer: ConstraintJudge, parts: Sequence[ScorePart]) -> Score:
    """Return the score of all constraints, with a sentence on those not met or not decided."""
    return Score(sum_parts(scorer, parts), _explain(parts), tuple(parts))


def _explain(parts: Sequence[ScorePart]) -> str:
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
