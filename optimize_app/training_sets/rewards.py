"""Weights from rewards: how much better or worse an attempt did than others at the same place.

The weight of each learnt token of an attempt is its advantage in its group, as in GRPO (Shao et
al. 2024, arXiv 2402.03300, section 4.1.2):

    A_i = (r_i - mean(r)) / std(r)

with the population standard deviation of the group's rewards (divided by their number). Without it,
A_i = r_i - mean(r), as in Dr. GRPO (Liu et al. 2025, arXiv 2503.20783),
which does not favour groups that are nearly all right or nearly all wrong.
"""

import hashlib
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from optimize_app.training_sets.samples import ChatExample, TokenExample

NO_REWARD = "Nobody judged it, so it has no reward."
ALONE = "Its group has no other attempt with a reward."
EQUAL = "All attempts of its group have one reward, so none is better."
MEAN = "Its reward is the mean of its group, so it is neither better nor worse."
GROUP = "group"
"""Key in an origin: the group of an example."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A tape that may belong to a group."""

    tape_id: UUID
    fork: str
    """The step of a tape that it was forked from; empty if it is not a fork."""

    task: str
    reward: float | None


@dataclass(frozen=True, slots=True)
class Advantage:
    """How much better an attempt is than its group."""

    group: str
    reward: float
    weight: float


@dataclass(frozen=True)
class WeighedGroups:
    """The result for all attempts; each is in one of the two mappings."""

    advantages: Mapping[UUID, Advantage]
    left_out: Mapping[UUID, str]
    group_count: int
    equal_count: int
    """Number of groups whose rewards are all equal: they teach nothing."""


@dataclass
class _Weighing:
    advantages: dict[UUID, Advantage] = field(default_factory=dict)
    left_out: dict[UUID, str] = field(default_factory=dict)
    group_count: int = 0
    equal_count: int = 0


def weigh_groups(attempts: Iterable[Attempt], *, divides_by_spread: bool) -> WeighedGroups:
    """Return the weight of each attempt.

    Tapes forked from the same step of a tape form a group; so do other tapes of the same task.
    """
    made = _Weighing()
    for name, members in _group(attempts).items():
        judged = [(one, one.reward) for one in members if one.reward is not None]
        made.left_out |= {one.tape_id: NO_REWARD for one in members if one.reward is None}
        rewards = [reward for _, reward in judged]
        if len(judged) < 2:  # noqa: PLR2004 - one alone is neither better nor worse
            made.left_out |= {one.tape_id: ALONE for one, _ in judged}
        elif min(rewards) == max(rewards):
            made.left_out |= {one.tape_id: EQUAL for one, _ in judged}
            made.equal_count += 1
        else:
            made.group_count += 1
            weights = _compute_advantages(rewards, divides_by_spread=divides_by_spread)
            for (one, reward), weight in zip(judged, weights, strict=True):
                if weight:
                    made.advantages[one.tape_id] = Advantage(name, reward, weight)
                else:
                    made.left_out[one.tape_id] = MEAN
    return WeighedGroups(made.advantages, made.left_out, made.group_count, made.equal_count)


def weigh_example(
    example: ChatExample | TokenExample, advantage: Advantage
) -> ChatExample | TokenExample:
    """Return an example whose learnt tokens have the weight of its attempt."""
    origin: dict[str, Any] = {
        **example.origin,
        GROUP: advantage.group,
        "reward": advantage.reward,
        "weight": advantage.weight,
    }
    if isinstance(example, ChatExample):
        return example.model_copy(update={"origin": origin, "weight": advantage.weight})
    weights = tuple(advantage.weight if weight else 0.0 for weight in example.weights)
    return example.model_copy(update={"origin": origin, "weights": weights})


def _group(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    by_fork: dict[str, list[Attempt]] = defaultdict(list)
    for one in attempts:
        by_fork[one.fork or f"alone {one.tape_id}"].append(one)
    groups: dict[str, list[Attempt]] = defaultdict(list)
    for fork, members in by_fork.items():
        for one in members:
            place = fork if len(members) > 1 else one.task
            groups[hashlib.sha256(place.encode()).hexdigest()[:12]].append(one)
    return groups


def _compute_advantages(rewards: Sequence[float], *, divides_by_spread: bool) -> list[float]:
    mean = statistics.fmean(rewards)
    spread = statistics.pstdev(rewards) if divides_by_spread else 1.0
    return [(reward - mean) / spread for reward in rewards]
