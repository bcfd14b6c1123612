"""What the branches of an experiment say together: by arm, by condition, step by step.

Only branches that were judged count. One that failed, was stopped or ran out of budget says
nothing about the agent, so it is in no rate.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar
from uuid import UUID

from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import Arm
from tapes_app.library.statistics import (
    Estimate,
    Tally,
    mean_estimate,
    paired_difference,
    rate_difference,
    success_rate,
)

Key = TypeVar("Key", bound=Hashable)
ARMS: tuple[Arm, ...] = ("original", "edited")


@dataclass(frozen=True)
class GroupSummary:
    """Branches of one sort. `passed` and `judged` count them; the rest are means."""

    branch_count: int
    judged: int
    passed: int
    pass_rate: Estimate | None
    score: Estimate | None
    steps: float | None
    tokens: float | None
    cost_micro_usd: float | None


@dataclass(frozen=True)
class ArmSummary:
    arm: Arm
    group: GroupSummary


@dataclass(frozen=True)
class ConditionSummary:
    model_id: UUID | None
    model_name: str
    temperature: float | None
    group: GroupSummary


@dataclass(frozen=True)
class CurvePoint:
    """How often the tape comes to a good end when it is kept up to here."""

    arm: Arm
    kept_count: int
    group: GroupSummary


@dataclass(frozen=True)
class ExperimentSummary:
    arms: list[ArmSummary]
    conditions: list[ConditionSummary]
    """By model and temperature, the best first."""

    curve: list[CurvePoint]
    """By place, when there are several."""

    difference: Estimate | None
    """How much more often the edited tape passes; `None` without two judged arms."""

    score_difference: Estimate | None
    """How much higher the edited tape scores, branch by branch; `None` without two judged arms,
    and where the scores say no more than who passed."""

    is_paired: bool
    """Several models or temperatures were matched for the differences."""


def summarise(branches: Sequence[BranchRow]) -> ExperimentSummary:
    arms = _group(branches, lambda branch: branch.arm)
    conditions = _group(branches, _condition_of)
    places = _group(branches, lambda branch: (branch.arm, branch.kept_count))
    pairs = match_arms(branches)
    return ExperimentSummary(
        arms=[ArmSummary(arm, _describe(arms[arm])) for arm in ARMS if arm in arms],
        conditions=sorted(map(_summarise_condition, conditions.values()), key=_rank),
        curve=_draw_curve(places),
        difference=rate_difference(
            _tally([original for original, _ in pairs]), _tally([edited for _, edited in pairs])
        ),
        score_difference=_compare_scores(pairs),
        is_paired=len({_condition_of(original) for original, _ in pairs}) > 1,
    )


def match_arms(branches: Sequence[BranchRow]) -> list[tuple[BranchRow, BranchRow]]:
    """Return the judged branches as pairs of an original and an edited one.

    Each condition gives both arms equally many, its first ones, so that a good model on one
    side and a bad one on the other do not pass for the edit's doing.
    """
    judged = [branch for branch in branches if branch.passed is not None]
    pairs: list[tuple[BranchRow, BranchRow]] = []
    for members in _group(judged, _condition_of).values():
        sides = _group(members, lambda branch: branch.arm)
        original, edited = (sides.get(arm, []) for arm in ARMS)
        pairs += zip(original, edited, strict=False)  # the longer side has no partner
    return pairs


def _compare_scores(pairs: Sequence[tuple[BranchRow, BranchRow]]) -> Estimate | None:
    if all(branch.score in {None, float(branch.passed or 0)} for pair in pairs for branch in pair):
        return None
    scores = [
        (original.score, edited.score)
        for original, edited in pairs
        if original.score is not None and edited.score is not None
    ]
    return paired_difference(scores, bounds=(-1, 1))


def _draw_curve(places: dict[tuple[Arm, int], list[BranchRow]]) -> list[CurvePoint]:
    counts = {count for _, count in places}
    if len(counts) <= len(ARMS):
        return []  # two arms differ by what the edit added; that is not a range of steps
    return [
        CurvePoint(arm, count, _describe(members))
        for (arm, count), members in sorted(places.items())
    ]


def _summarise_condition(members: list[BranchRow]) -> ConditionSummary:
    model_id, temperature = _condition_of(members[0])
    return ConditionSummary(model_id, members[0].model_name, temperature, _describe(members))


def _rank(condition: ConditionSummary) -> tuple[float, float, float]:
    """Return the order of conditions: what passes most, scores most, costs least."""
    group = condition.group
    rate = group.pass_rate.value if group.pass_rate else -1.0
    score = group.score.value if group.score else -1.0
    return (-rate, -score, group.cost_micro_usd or 0.0)


def _describe(members: Sequence[BranchRow]) -> GroupSummary:
    judged = [branch for branch in members if branch.passed is not None]
    scores = [branch.score for branch in judged if branch.score is not None]
    ended = [branch for branch in members if branch.job_state in {"succeeded", "waiting"}]
    return GroupSummary(
        branch_count=len(members),
        judged=len(judged),
        passed=sum(branch.passed is True for branch in judged),
        pass_rate=success_rate(_tally(judged)),
        score=mean_estimate(scores, bounds=(0, 1)),
        steps=_mean(branch.step_count for branch in ended),
        tokens=_mean(branch.tokens for branch in ended),
        cost_micro_usd=_mean(branch.cost_micro_usd for branch in ended),
    )


def _tally(judged: Sequence[BranchRow]) -> Tally:
    return Tally(sum(branch.passed is True for branch in judged), len(judged))


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def _condition_of(branch: BranchRow) -> tuple[UUID | None, float | None]:
    return (branch.model_id, branch.temperature)


def _group(
    branches: Iterable[BranchRow], key: Callable[[BranchRow], Key]
) -> dict[Key, list[BranchRow]]:
    groups: defaultdict[Key, list[BranchRow]] = defaultdict(list)
    for branch in branches:
        groups[key(branch)].append(branch)
    return dict(groups)
