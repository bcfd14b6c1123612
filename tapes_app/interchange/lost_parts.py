"""What files of a format cannot hold of the tapes or examples that are written to them."""

from collections.abc import Mapping
from dataclasses import dataclass

THOUGHTS = "Thoughts before an answer: this format has no field for them."


@dataclass(frozen=True, slots=True)
class LostPart:
    """A feature that a format cannot hold, and how many of the written items have it."""

    what: str
    count: int


def list_lost_parts(counts: Mapping[str, int]) -> list[LostPart]:
    """Return the features that are lost at least once."""
    return [LostPart(what, count) for what, count in counts.items() if count]
