"""Who gets which item of an annotation queue next: decisions, without tables or clocks.

An item has as many places as people must answer it. A place is open, held by one person until a
moment, or answered. A hold that ran out counts as open for everybody else, but the person who
has it may still answer while nobody took it.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Room for one person's answer."""

    person: int | None = None
    held_until: datetime | None = None
    is_answered: bool = False

    def is_open_for(self, person: int, now: datetime) -> bool:
        """Whether a person may take it, who has no place of the item yet."""
        if self.is_answered or self.person == person:
            return False
        return self.person is None or self.held_until is None or self.held_until <= now


@dataclass(frozen=True, slots=True)
class QueueItem:
    """An item with its places; `skipped_by` are the persons who put it off."""

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

    First what they hold already, the latest hold first: a screen that is loaded again shows the
    same item, and what was reopened comes before what was waiting. Then the first item in order
    that has an open place, that they neither answered nor put off.
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
    """Return which share of the items one person more answers when nobody said.

    Where several answer each item agreement is known anyway, and who is alone here would never
    finish an audited one.
    """
    return USUAL_AUDIT_PERCENT if annotators == 1 and people > 1 else 0.0


def count_places(*, annotators: int, audit_percent: float, seed: str, key: str) -> int:
    """Return how many people should answer an item: the audited ones go to one person more.

    Which are audited depends on the queue's seed and the item's key alone, so that it is the
    same whatever is added before or after it.
    """
    return annotators + (_fraction(seed, key) * 100 < audit_percent)


def is_turned_round(*, seed: str, key: str) -> bool:
    """Tell whether a pair shows its second tape on the left: half of them do.

    People prefer one side (position bias), and who adds pairs tends to name the better one first.
    """
    return _fraction(seed, f"sides of {key}") * 2 < 1


def _fraction(seed: str, key: str) -> float:
    """Return a number in [0, 1) that looks random and depends on its arguments alone."""
    digest = hashlib.sha256(f"{seed} {key}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
