"""Comparing two batches of tapes: which tapes pair up, which outcomes changed, and where they part.

Tapes are paired by a key, never by their place. Everything here is a plain function of its
arguments and works on digests of steps, so that a thousand tapes are compared in one go.
"""

import difflib
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.statistics.rates import PairedTally
from tapes_app.tapes.domain.task_outcome import Outcome

_MOST_MATCHED = 4_000_000
"""Upper limit on the pairs of steps in one gap that are compared when counting equal steps."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Places in the left and the right list; each place is in exactly one of the fields."""

    pairs: tuple[tuple[int, int], ...]
    left_alone: tuple[int, ...]
    """No tape on the right has their key."""

    right_alone: tuple[int, ...]
    left_keyless: tuple[int, ...]
    right_keyless: tuple[int, ...]
    duplicates: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """Several tapes of one side have the same key, which the other side has too: they cannot be
    matched with certainty, so none is paired.
    """


def pair_by_keys(left: Sequence[Hashable | None], right: Sequence[Hashable | None]) -> Pairing:
    """Pair places whose key is equal and unique on its side; `None` is not a key."""
    lefts, rights = _places_by_key(left), _places_by_key(right)
    shared = [key for key in lefts if key in rights]
    single = [key for key in shared if len(lefts[key]) == len(rights[key]) == 1]
    return Pairing(
        pairs=tuple((lefts[key][0], rights[key][0]) for key in single),
        left_alone=_without(lefts, rights),
        right_alone=_without(rights, lefts),
        left_keyless=tuple(at for at, key in enumerate(left) if key is None),
        right_keyless=tuple(at for at, key in enumerate(right) if key is None),
        duplicates=tuple(
            (tuple(lefts[key]), tuple(rights[key])) for key in shared if key not in set(single)
        ),
    )


def pair_in_turn(
    turns: Sequence[tuple[Sequence[Hashable | None], Sequence[Hashable | None]]],
) -> Pairing:
    """Pair by the first keys; places left alone or without a key are paired by the next ones."""
    (left, right), *others = turns
    found = pair_by_keys(left, right)
    for next_left, next_right in others:
        lefts = {*found.left_alone, *found.left_keyless}
        rights = {*found.right_alone, *found.right_keyless}
        more = pair_by_keys(_only(next_left, lefts), _only(next_right, rights))
        found = Pairing(
            pairs=tuple(sorted((*found.pairs, *more.pairs))),
            left_alone=more.left_alone,
            right_alone=more.right_alone,
            left_keyless=tuple(at for at in more.left_keyless if at in lefts),
            right_keyless=tuple(at for at in more.right_keyless if at in rights),
            duplicates=(*found.duplicates, *more.duplicates),
        )
    return found


def _only(keys: Sequence[Hashable | None], wanted: set[int]) -> list[Hashable | None]:
    return [key if at in wanted else None for at, key in enumerate(keys)]


def _places_by_key(keys: Sequence[Hashable | None]) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        if key is not None:
            found[key].append(at)
    return dict(found)


def _without(own: dict[Hashable, list[int]], other: dict[Hashable, list[int]]) -> tuple[int, ...]:
    return tuple(sorted(at for key, places in own.items() if key not in other for at in places))


@dataclass(frozen=True, slots=True)
class StepMatch:
    """How the steps of two tapes match; positions are those on the tapes."""

    first_left: int | None
    """Where the left tape is when the two part, possibly at its end; `None` if they are equal."""

    first_right: int | None
    equal: int
    """How many steps both have, in order."""

    left_only: int
    right_only: int


def match_steps(left: Sequence[Hashable], right: Sequence[Hashable], *, shared: int) -> StepMatch:
    """Align two tapes by the digests of their steps.

    Both begin with `shared` steps known to be equal, which are not included in the arguments.
    """
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    lefts, rights = left[start : len(left) - end], right[start : len(right) - end]
    equal = start + end + _count_equal(lefts, rights)
    is_same = not lefts and not rights
    return StepMatch(
        first_left=None if is_same else shared + start,
        first_right=None if is_same else shared + start,
        equal=shared + equal,
        left_only=len(left) - equal,
        right_only=len(right) - equal,
    )


def _count_equal(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    if not left or not right or len(left) * len(right) > _MOST_MATCHED:
        return 0
    matcher = difflib.SequenceMatcher(a=left, b=right, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def digest_content(body: dict[str, Any]) -> bytes:
    """Return a digest of a stored step's content.

    Metadata is left out, and so are tool call ids and reasoning, which are new for every call.
    """
    content = {name: value for name, value in body.items() if name not in _NEW_EACH_TIME}
    calls = content.get("tool_calls")
    if isinstance(calls, list):
        content["tool_calls"] = [
            {**call, "id": ""} if isinstance(call, dict) else call for call in calls
        ]
    return digest_json(content)


_NEW_EACH_TIME = frozenset({"metadata", "tool_call_id", *REASONING})


def count_transitions(outcomes: Sequence[tuple[Outcome, Outcome]]) -> PairedTally:
    """Count the outcomes on both sides, over the pairs that are judged on both."""
    count = dict.fromkeys(_JUDGED, 0)
    for pair in outcomes:
        if pair in count:
            count[pair] += 1
    return PairedTally(*(count[pair] for pair in _JUDGED))


_JUDGED: tuple[tuple[Outcome, Outcome], ...] = (
    ("pass", "pass"), ("pass", "fail"), ("fail", "pass"), ("fail", "fail"),
)  # fmt: skip
