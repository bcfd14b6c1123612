"""How many examples of each set a mixture takes, and which."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Drawn:
    """An example that a mixture takes."""

    place: int
    """Its index in its set, from 0."""

    turn: int
    """1 for the first time, 2 for the second pass over the set, and so on."""


def count_shares(available: Sequence[int], weights: Sequence[float], size: int | None) -> list[int]:
    """Return how many examples come from each set, by their weights.

    `size` is their total number; sets that have fewer are repeated. `None`: as many as possible
    without using an example twice, so the set that is shortest for its weight decides.
    """
    exact_weights = [Fraction(repr(weight)) for weight in weights]  # 0.7 is exactly seven tenths
    shares = [weight / sum(exact_weights) for weight in exact_weights]
    if size is None:
        size = int(min(count / share for count, share in zip(available, shares, strict=True)))
    exact = [share * size for share in shares]
    counts = [int(one) for one in exact]
    # The examples left over from rounding go to the sets that lost most by it.
    by_loss = sorted(range(len(exact)), key=lambda at: exact[at] - counts[at], reverse=True)
    for at in by_loss[: size - sum(counts)]:
        counts[at] += 1
    return counts


def draw(ids: Sequence[str], count: int, seed: int) -> list[Drawn]:
    """Return `count` examples of a set, in their order: the same ones for the same seed."""
    if not ids:
        return []
    rounds, rest = divmod(count, len(ids))
    by_chance = sorted(range(len(ids)), key=lambda place: _hash(seed, ids[place]))
    turns = dict.fromkeys(range(len(ids)), rounds)
    for place in by_chance[:rest]:
        turns[place] += 1
    return [Drawn(place, turn) for place, most in turns.items() for turn in range(1, most + 1)]


def _hash(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}/{name}".encode()).digest()
