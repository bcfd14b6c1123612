"""The tapes of some batches with the keys by which they are paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.batch_diff import Pairing, pair_by_keys, pair_in_turn
from tapes_app.engine.pair_key import (
    OPENING_STEPS,
    PairKey,
    digest_opening,
    find_key,
    read_pair_key,
)
from tapes_app.services.people import Person
from tapes_app.services.plugins import load_plugins
from tapes_app.storage.batch_tapes import BatchTape, list_batch_tapes, load_beginnings
from tapes_app.storage.batches import load_batch
from tapes_app.storage.rows import BatchRow

MOST_TAPES = 1_000
"""Of each batch; what is beyond is said to be left out."""


@dataclass(frozen=True)
class BatchSide:
    """One of the batches that are compared."""

    batch: BatchRow
    tapes: list[BatchTape]
    is_cut: bool
    """It has more tapes than are compared."""


def load_sides(person: Person, batch_ids: Sequence[UUID], key: PairKey) -> list[BatchSide]:
    """Return the batches with their tapes, oldest first.

    Raises:
        NotFoundError: one of them is not in the project.
    """
    load_plugins()
    return [_load_side(person, batch_id, key) for batch_id in batch_ids]


def _load_side(person: Person, batch_id: UUID, key: PairKey) -> BatchSide:
    batch = load_batch(batch_id, person.project_id)
    tapes = list_batch_tapes(
        batch_id, person.project_id, limit=MOST_TAPES + 1, with_json=key.kind != "column"
    )
    return BatchSide(batch, tapes[:MOST_TAPES], is_cut=len(tapes) > MOST_TAPES)


def pair_sides(left: BatchSide, right: BatchSide, key: PairKey) -> Pairing:
    """Pair the tapes of two batches; by the start: of one family first, else by how they begin."""
    if key.kind != "start":
        return pair_by_keys(_keys_of(left.tapes, key), _keys_of(right.tapes, key))
    families = [[str(tape.root_id) for tape in side.tapes] for side in (left, right)]
    openings = [_openings_of(side.tapes) for side in (left, right)]
    return pair_in_turn([(families[0], families[1]), (openings[0], openings[1])])


def key_sides(sides: Sequence[BatchSide], key: PairKey) -> list[list[str | None]]:
    """Return one key for each tape of any number of batches; `None` where a tape has none.

    By the start, tapes of a family that is in several of the batches have that family's key.
    """
    if key.kind != "start":
        return [_keys_of(side.tapes, key) for side in sides]
    roots = Counter(root for side in sides for root in {tape.root_id for tape in side.tapes})
    return [
        [
            str(tape.root_id) if roots[tape.root_id] > 1 else opening
            for tape, opening in zip(side.tapes, _openings_of(side.tapes), strict=True)
        ]
        for side in sides
    ]


def _keys_of(tapes: Sequence[BatchTape], key: PairKey) -> list[str | None]:
    if key.kind == "column":
        return [getattr(tape, key.name) or None for tape in tapes]
    return [find_key(key.name, tape.metadata, tape.context) for tape in tapes]


def _openings_of(tapes: Sequence[BatchTape]) -> list[str | None]:
    bodies = load_beginnings({tape.id: tape.spans for tape in tapes}, OPENING_STEPS)
    return [digest_opening(bodies[tape.id], tape.context) for tape in tapes]


__all__ = ["BatchSide", "key_sides", "load_sides", "pair_sides", "read_pair_key"]
