"""Two batches side by side: which tapes pass now, what they cost, and where they part."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from tapes_app.batches.domain.comparing import Pairing, StepMatch, count_transitions, match_steps
from tapes_app.batches.domain.pair_key import read_pair_key
from tapes_app.batches.services.metrics import (
    BatchTotals,
    MetricDifference,
    compare_metrics,
    total_of,
)
from tapes_app.batches.services.pairs import BatchSide, load_sides, pair_sides
from tapes_app.batches.store.batch_tapes import BatchTape, ComparedTape, StepMark, load_marks
from tapes_app.projects.services.people import Person
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.rates import mcnemar_p_value, paired_rate_difference
from tapes_app.tapes.domain.spans import count_shared_start
from tapes_app.tapes.domain.task_outcome import Outcome

MOST_STEPS = 100_000
"""Steps read to find where pairs first differ; pairs beyond this are reported as left out."""

_PAIRS_AT_ONCE = 50


@dataclass(frozen=True)
class Transition:
    left: Outcome
    right: Outcome
    count: int


@dataclass(frozen=True)
class PartingStep:
    """The step at which a tape parts from the other; the end of the tape has no kind."""

    position: int
    kind: str
    agent: str
    node: str


@dataclass(frozen=True)
class Parting:
    """How many pairs first differ at a step of one node and kind."""

    kind: str
    """Kind of the left tape's step; empty if the tape had ended."""

    agent: str
    node: str
    count: int
    pass_to_fail: int
    fail_to_pass: int


@dataclass(frozen=True)
class TapePair:
    left: BatchTape
    right: BatchTape
    match: StepMatch | None
    """`None` if there were too many steps to compare."""

    left_step: PartingStep | None
    """`None` if the pair is equal, or was not compared."""

    right_step: PartingStep | None


@dataclass(frozen=True)
class LeftOutTape:
    """A tape that is in no pair.

    Its key is only in this batch, it has no key, or several tapes of one batch have its key.
    """

    side: Literal["left", "right"]
    why: Literal["alone", "no_key", "duplicate"]
    tape: BatchTape


@dataclass(frozen=True)
class BatchDiff:
    by: str
    is_equal: bool
    """Whether every tape of either batch has an equal one in the other."""

    left: BatchTotals
    right: BatchTotals
    pairs: list[TapePair]
    left_out: list[LeftOutTape]
    transitions: list[Transition]
    p_value: float | None
    """P-value of McNemar's exact test; `None` if no pair is judged on both sides."""

    pass_difference: Estimate | None
    """How much higher the right pass rate is over those pairs."""

    metrics: list[MetricDifference]
    partings: list[Parting]
    equal_count: int
    """Pairs whose tapes have equal content."""

    unmatched_count: int
    """Pairs with too many steps to compare."""


def diff_batches(person: Person, left_id: UUID, right_id: UUID, *, by: str = "task") -> BatchDiff:
    """Compare two batches of the project, pairing their tapes by a key.

    Raises:
        NotFoundError: one of them is not in the project.
        InvalidInputError: tapes cannot be paired by `by`.
    """
    key = read_pair_key(by)
    left, right = load_sides(person, (left_id, right_id), key)
    pairing = pair_sides(left, right, key)
    pairs = _match_pairs([(left.tapes[one], right.tapes[two]) for one, two in pairing.pairs])
    outcomes = [(pair.left.outcome, pair.right.outcome) for pair in pairs]
    tally = count_transitions(outcomes)
    left_out = _list_left_out(left, right, pairing)
    equal_count = sum(p.match is not None and p.match.first_left is None for p in pairs)
    is_complete = not (left.is_cut or right.is_cut or left_out)
    return BatchDiff(
        by=key.name,
        is_equal=is_complete and equal_count == len(pairs),
        left=total_of(left),
        right=total_of(right),
        pairs=pairs,
        left_out=left_out,
        transitions=_list_transitions(outcomes),
        p_value=mcnemar_p_value(tally) if tally.count else None,
        pass_difference=paired_rate_difference(tally),
        metrics=compare_metrics([(pair.left, pair.right) for pair in pairs]),
        partings=_list_partings(pairs),
        equal_count=equal_count,
        unmatched_count=sum(pair.match is None for pair in pairs),
    )


def _list_transitions(outcomes: Sequence[tuple[Outcome, Outcome]]) -> list[Transition]:
    counts = Counter(outcomes)
    return [
        Transition(left, right, counts[left, right]) for left in _OUTCOMES for right in _OUTCOMES
    ]


_OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "")


def _list_left_out(left: BatchSide, right: BatchSide, pairing: Pairing) -> list[LeftOutTape]:
    twice_left = [at for lefts, _ in pairing.duplicates for at in lefts]
    twice_right = [at for _, rights in pairing.duplicates for at in rights]
    return [
        *(LeftOutTape("left", "alone", left.tapes[at]) for at in pairing.left_alone),
        *(LeftOutTape("right", "alone", right.tapes[at]) for at in pairing.right_alone),
        *(LeftOutTape("left", "duplicate", left.tapes[at]) for at in twice_left),
        *(LeftOutTape("right", "duplicate", right.tapes[at]) for at in twice_right),
        *(LeftOutTape("left", "no_key", left.tapes[at]) for at in pairing.left_keyless),
        *(LeftOutTape("right", "no_key", right.tapes[at]) for at in pairing.right_keyless),
    ]


def _match_pairs(pairs: Sequence[tuple[ComparedTape, ComparedTape]]) -> list[TapePair]:
    """Align the steps of each pair, until the limit on steps is reached."""
    matched: list[TapePair] = []
    read = 0
    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        chunk = pairs[start : start + _PAIRS_AT_ONCE]
        shared = [count_shared_start(left.spans, right.spans) for left, right in chunk]
        sizes = [
            left.step_count + right.step_count - 2 * count
            for (left, right), count in zip(chunk, shared, strict=True)
        ]
        if read + sum(sizes) > MOST_STEPS:
            matched += [TapePair(left, right, None, None, None) for left, right in chunk]
            continue
        read += sum(sizes)
        matched += _match_chunk(chunk, shared)
    return matched


def _match_chunk(
    pairs: Sequence[tuple[ComparedTape, ComparedTape]], shared: Sequence[int]
) -> list[TapePair]:
    counted = list(zip(pairs, shared, strict=True))
    lefts = load_marks({left.id: (left.spans, count) for (left, _), count in counted})
    rights = load_marks({right.id: (right.spans, count) for (_, right), count in counted})
    return [
        _match(left, right, lefts[left.id], rights[right.id], count)
        for (left, right), count in counted
    ]


def _match(
    left: BatchTape,
    right: BatchTape,
    left_marks: Sequence[StepMark],
    right_marks: Sequence[StepMark],
    shared: int,
) -> TapePair:
    match = match_steps(
        [mark.digest for mark in left_marks],
        [mark.digest for mark in right_marks],
        shared=shared,
    )
    if match.first_left is None:
        return TapePair(left, right, match, None, None)
    at = match.first_left
    return TapePair(
        left, right, match, _parting(left_marks, at, shared), _parting(right_marks, at, shared)
    )


def _parting(marks: Sequence[StepMark], at: int, shared: int) -> PartingStep:
    if at - shared >= len(marks):
        return PartingStep(at, "", "", "")
    mark = marks[at - shared]
    return PartingStep(at, mark.kind, mark.agent, mark.node)


def _list_partings(pairs: Sequence[TapePair]) -> list[Parting]:
    """Count where pairs first differ, by node and kind of the left step, most frequent first."""
    counts: dict[tuple[str, str, str], Counter[tuple[Outcome, Outcome]]] = {}
    for pair in pairs:
        step = pair.left_step
        if step is not None:
            place = (step.kind, step.agent, step.node)
            outcomes = (pair.left.outcome, pair.right.outcome)
            counts.setdefault(place, Counter())[outcomes] += 1
    partings = [
        Parting(*place, found.total(), found["pass", "fail"], found["fail", "pass"])
        for place, found in counts.items()
    ]
    return sorted(partings, key=lambda one: (-one.count, one.kind, one.agent, one.node))
