"""Which edit of an experiment works, and how certain that is, in a sentence that claims no more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tapes_app.statistics.rates import Tally, chance_better

_SURE = 95
"""Percentage from which a finding is called sure, as with the intervals."""

_SUREST = 99
"""A handful of runs never allows more certainty than this."""

_BY_CHANCE = 50

ArmName = TypeVar("ArmName", bound=str)


@dataclass(frozen=True, slots=True)
class Finding(Generic[ArmName]):
    sentence: str
    """Empty while no branch is judged."""

    best: ArmName | None
    """The arm that passes most often, if there is exactly one."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """The tallies of an edited arm and of the baseline that it is compared with."""

    name: str
    baseline: Tally
    edited: Tally


def find_best(tallies: Mapping[ArmName, tuple[Tally, Tally]], *, is_over: bool) -> Finding[ArmName]:
    """Return which edit passes most often, and how sure it is that it beats the baseline.

    `tallies` has the tallies of the baseline and of the arm, by edited arm. Certainty is the
    probability that the arm's pass rate is higher (`chance_better`). The best of k edits looks good
    by chance k times as easily, so the doubt, one minus that probability, is multiplied by k
    (Bonferroni's inequality): comparing more edits never increases certainty.
    """
    judged = {
        arm: _Judged(_name(arm), baseline, edited)
        for arm, (baseline, edited) in tallies.items()
        if edited.count
    }
    if not judged:
        return Finding("", None)
    most = max(arm.edited.rate for arm in judged.values())
    winners = [arm for arm in judged if judged[arm].edited.rate == most]
    sentence = (
        _compare([judged[arm] for arm in winners], len(judged)) if most else _describe_none(judged)
    )
    capitalized = f"{sentence[0].upper()}{sentence[1:]}"
    best = winners[0] if most and len(winners) == 1 else None
    return Finding(capitalized if is_over else f"So far: {capitalized}", best)


def _describe_none(judged: Mapping[ArmName, _Judged]) -> str:
    first, *others = judged.values()
    nobody = "no fix passes" if others else f"{first.name} passes {_count(first.edited)}"
    baseline = f", the baseline {_count(first.baseline)}" if first.baseline.count else ""
    return f"{nobody}{baseline}."


def _compare(winners: Sequence[_Judged], compared: int) -> str:
    names = _join([arm.name for arm in winners])
    is_one = len(winners) == 1
    baseline, edited = winners[0].baseline, winners[0].edited
    passes = f"{names} {'passes' if is_one else 'pass'} {_count(edited)}{'' if is_one else ' each'}"
    if not baseline.count:
        return f"{passes}; run the baseline too, to know whether that is better."
    facts = f"{passes}, the baseline {_count(baseline)}"
    if edited.rate <= baseline.rate:
        return f"{facts}: nothing passes more often than the baseline."
    better = f"{names} {'is' if is_one else 'are'} better"
    sure = min(_per_cent_sure(arm, compared) for arm in winners)
    if sure >= _SURE:
        tie = "" if is_one else "; which of them is best is open"
        return f"{facts}: {sure} % sure that {better}{tie}."
    if sure > _BY_CHANCE:
        return f"{facts}: only {sure} % sure that {better}; run more."
    return f"{facts}: this may well be chance; run more."


def _per_cent_sure(arm: _Judged, compared: int) -> int:
    doubt = compared * (1 - chance_better(arm.baseline, arm.edited))
    return min(_SUREST, int(100 * max(0.0, 1 - doubt)))


def _count(tally: Tally) -> str:
    return f"{tally.successes} of {tally.count}"


def _name(arm: str) -> str:
    return "the edit" if arm == "edited" else arm


def _join(names: Sequence[str]) -> str:
    *firsts, last = names
    return f"{', '.join(firsts)} and {last}" if firsts else last
