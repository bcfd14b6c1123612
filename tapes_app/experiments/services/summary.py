"""What the branches of an experiment show together: by arm, by condition, step by step.

Only judged branches count. A branch that failed, was stopped or ran out of budget does not reflect
the agent's behaviour, so it is in no rate.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import TypeVar
from uuid import UUID

from tapes_app.editing.domain.rows import FIXES
from tapes_app.experiments.domain.findings import find_best
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import Arm
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.means import mean_estimate, paired_difference
from tapes_app.statistics.rates import Tally, rate_difference, success_rate

Key = TypeVar("Key", bound=Hashable)
ARMS: tuple[Arm, ...] = ("original", "edited", *FIXES)


@dataclass(frozen=True)
class GroupSummary:
    """A group of branches. `passed` and `judged` are counts; the rest are means."""

    branch_count: int
    judged: int
    passed: int
    pass_rate: Estimate | None
    score: Estimate | None
    steps: float | None
    tokens: float | None
    cost_micro_usd: float | None
    """`None` also if the price of a call is unknown."""


@dataclass(frozen=True)
class ArmSummary:
    arm: Arm
    group: GroupSummary
    difference: Estimate | None
    """For an edited arm: how much more often it passes than the recorded one."""

    score_difference: Estimate | None
    """How much higher it scores, branch by branch; `None` also if the scores show no more than
    which branches passed.
    """


@dataclass(frozen=True)
class ConditionSummary:
    model_id: UUID | None
    model_name: str
    temperature: float | None
    group: GroupSummary


@dataclass(frozen=True)
class CurvePoint:
    """How often the tape ends well when its steps are kept up to here."""

    arm: Arm
    kept_count: int
    group: GroupSummary


@dataclass(frozen=True)
class ExperimentSummary:
    arms: list[ArmSummary]
    """The recorded tape first, then its edits by letter."""

    finding: str
    """Which edit works and how certain that is, in a sentence; empty while no branch is judged."""

    best: Arm | None
    """The edited arm that passes most often; `None` if there is none, or if two tie."""

    conditions: list[ConditionSummary]
    """By model and temperature, the best first."""

    curve: list[CurvePoint]
    """By place, if there are several."""

    is_paired: bool
    """Whether several models or temperatures were matched for the differences."""


def summarise(branches: Sequence[BranchRow], *, is_over: bool) -> ExperimentSummary:
    arms = _group(branches, lambda branch: branch.arm)
    conditions = _group(branches, _condition_of)
    places = _group(branches, lambda branch: (branch.arm, branch.kept_count))
    pairs: dict[Arm, list[tuple[BranchRow, BranchRow]]] = {
        arm: match_arms(branches, arm) for arm in arms if arm != "original"
    }
    finding = find_best(_tallies(branches, pairs), is_over=is_over)
    return ExperimentSummary(
        arms=[
            ArmSummary(
                arm,
                _describe(arms[arm]),
                rate_difference(*_tally_pairs(pairs.get(arm, []))),
                _compare_scores(pairs.get(arm, [])),
            )
            for arm in ARMS
            if arm in arms
        ],
        finding=finding.sentence,
        best=finding.best,
        conditions=sorted(map(_summarise_condition, conditions.values()), key=_rank),
        curve=_draw_curve(places),
        is_paired=_are_mixed([original for both in pairs.values() for original, _ in both]),
    )


def _tallies(
    branches: Sequence[BranchRow], pairs: Mapping[Arm, Sequence[tuple[BranchRow, BranchRow]]]
) -> dict[Arm, tuple[Tally, Tally]]:
    """Return the tallies of the recorded tape and of the arm, for each edited arm.

    With several models or temperatures, only matched branches count.
    """
    judged = _group(
        (branch for branch in branches if branch.passed is not None), lambda branch: branch.arm
    )
    if _are_mixed(branches):
        return {arm: _tally_pairs(both) for arm, both in pairs.items()}
    baseline = _tally(judged.get("original", []))
    return {arm: (baseline, _tally(judged.get(arm, []))) for arm in pairs}


def _tally_pairs(pairs: Sequence[tuple[BranchRow, BranchRow]]) -> tuple[Tally, Tally]:
    return _tally([original for original, _ in pairs]), _tally([edited for _, edited in pairs])


def _are_mixed(branches: Sequence[BranchRow]) -> bool:
    return len({_condition_of(branch) for branch in branches}) > 1


def match_arms(branches: Sequence[BranchRow], arm: Arm) -> list[tuple[BranchRow, BranchRow]]:
    """Return the judged branches as pairs of an original one and one of another arm.

    Each condition contributes equally many branches to both arms, its first ones, so that a good
    model on one side and a bad one on the other are not mistaken for an effect of the edit.
    """
    judged = [branch for branch in branches if branch.passed is not None]
    pairs: list[tuple[BranchRow, BranchRow]] = []
    for members in _group(judged, _condition_of).values():
        sides = _group(members, lambda branch: branch.arm)
        original, edited = sides.get("original", []), sides.get(arm, [])
        pairs += zip(original, edited, strict=False)  # the rest of the longer side has no partner
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
    if len(counts) == 1 or any(arm != "original" for arm, _ in places):
        return []  # arms differ by what their edits added, not by a range of steps
    return [
        CurvePoint(arm, count, _describe(members))
        for (arm, count), members in sorted(places.items())
    ]


def _summarise_condition(members: list[BranchRow]) -> ConditionSummary:
    model_id, temperature = _condition_of(members[0])
    return ConditionSummary(model_id, members[0].model_name, temperature, _describe(members))


def _rank(condition: ConditionSummary) -> tuple[float, float, float]:
    """Sort key for conditions: highest pass rate, then highest score, then lowest cost."""
    group = condition.group
    rate = group.pass_rate.value if group.pass_rate else -1.0
    score = group.score.value if group.score else -1.0
    cost = inf if group.cost_micro_usd is None else group.cost_micro_usd
    return (-rate, -score, cost)


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
        cost_micro_usd=_mean_cost(ended),
    )


def _mean_cost(ended: Sequence[BranchRow]) -> float | None:
    if not all(branch.is_cost_known for branch in ended):
        return None
    return _mean(branch.cost_micro_usd for branch in ended)


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
