"""Who gets which item of an annotation queue next: decisions, without tables or clocks.

An item has as many places as people must answer it. A place is open, held by one person until some
moment, or answered. An expired hold counts as open for everybody else, but the person who has it
may still answer as long as nobody took the place.
"""

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

Tape = TypeVar("Tape")


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Room for one person's answer."""

    person: int | None = None
    held_until: datetime | None = None
    is_answered: bool = False

    def is_open_for(self, person: int, now: datetime) -> bool:
        """Whether a person who has no place of the item yet may take this one."""
        if self.is_answered or self.person == person:
            return False
        return self.person is None or self.held_until is None or self.held_until <= now


@dataclass(frozen=True, slots=True)
class QueueItem:
    """An item with its places; `skipped_by` are the people who skipped it."""

    number: int
    places: tuple[AnswerPlace, ...]
    skipped_by: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Pick:
    """Which place to take: the item by its number in the queue, the place by its index."""

    item: int
    place: int
    reason: Literal["own", "open"]


def choose_next(items: Iterable[QueueItem], person: int, now: datetime) -> Pick | None:
    """Return what a person should do next; `None` when nothing is left for them.

    Items they already hold come first, the latest hold first: reloading the screen shows the same
    item, and a reopened item comes before waiting ones. Next is the first item in order that has an
    open place and that they neither answered nor skipped.
    """
    ordered = sorted(items, key=lambda item: item.number)
    held = [
        (place.held_until, item.number, at)
        for item in ordered
        for at, place in enumerate(item.places)
        if place.person == person and place.held_until is not None and not place.is_answered
    ]
    if held:
        _, number, at = max(held)
        return Pick(number, at, "own")
    for item in ordered:
        if person in item.skipped_by or any(place.person == person for place in item.places):
            continue
        for at, place in enumerate(item.places):
            if place.is_open_for(person, now):
                return Pick(item.number, at, "open")
    return None


USUAL_AUDIT_PERCENT = 10.0


def usual_audit_percent(*, annotators: int, people: int) -> float:
    """Return the default share of the items that one additional person answers.

    With several annotators per item, agreement is known anyway, and somebody who works alone could
    never finish an audited item.
    """
    return USUAL_AUDIT_PERCENT if annotators == 1 and people > 1 else 0.0


def count_places(*, annotators: int, audit_percent: float, seed: str, key: str) -> int:
    """Return how many people should answer an item: audited items need one person more.

    Whether an item is audited depends only on the queue's seed and the item's key, so it stays the
    same regardless of what is added before or after it.
    """
    return annotators + (_fraction(seed, key) * 100 < audit_percent)


def is_swapped(*, seed: str, key: str) -> bool:
    """Return whether a pair shows its second tape on the left, which half of the pairs do.

    People prefer one side (position bias), and whoever adds pairs tends to name the better one
    first.
    """
    return _fraction(seed, f"sides of {key}") * 2 < 1


def pair_alike(
    tapes: Iterable[tuple[Tape, str, Hashable]],
) -> tuple[list[tuple[Tape, Tape]], list[Tape]]:
    """Return pairs of tapes of one task, and those left over; each is in one pair at most.

    A tape comes with its task and its batch. Tapes of different batches meet where they can: the
    first of each batch comes before the second of any.
    """
    by_task: dict[str, list[tuple[int, Tape]]] = {}
    earlier: Counter[tuple[str, Hashable]] = Counter()
    for tape, task, batch in tapes:
        by_task.setdefault(task, []).append((earlier[task, batch], tape))
        earlier[task, batch] += 1
    pairs: list[tuple[Tape, Tape]] = []
    alone: list[Tape] = []
    for ranked in by_task.values():
        some = [tape for _, tape in sorted(ranked, key=lambda one: one[0])]
        pairs += zip(some[::2], some[1::2], strict=False)
        alone += some[-1:] if len(some) % 2 else []
    return pairs, alone


def _fraction(seed: str, key: str) -> float:
    """Return a number in [0, 1) that looks random but depends only on the arguments."""
    digest = hashlib.sha256(f"{seed} {key}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
