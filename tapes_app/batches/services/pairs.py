"""The tapes of batches with the keys by which they are paired."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.batches.domain.comparing import Pairing, pair_by_keys, pair_in_turn
from tapes_app.batches.domain.pair_key import OPENING_STEPS, PairKey, digest_opening, find_key
from tapes_app.batches.store.batch_tapes import (
    ComparedTape,
    list_batch_tapes,
    list_found_tapes,
    load_beginnings,
)
from tapes_app.library.services.lenses import filter_of
from tapes_app.library.store.lenses import find_lens
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.batches import load_batch

MOST_TAPES = 1_000
"""Limit per batch; `is_cut` is set if it has more."""


@dataclass(frozen=True)
class BatchSide:
    """One of the compared batches: a stored one, or the tapes of a saved search."""

    id: UUID
    name: str
    is_search: bool
    tapes: list[ComparedTape]
    is_cut: bool
    """Whether it has more tapes than are compared."""


def load_sides(person: Person, side_ids: Sequence[UUID], key: PairKey) -> list[BatchSide]:
    """Return batches and saved searches with their tapes, oldest first.

    Raises:
        NotFoundError: one of them is not in the project.
        InvalidInputError: a saved search cannot be parsed.
    """
    return [_load_side(person, side_id, key) for side_id in side_ids]


def _load_side(person: Person, side_id: UUID, key: PairKey) -> BatchSide:
    project, with_json, most = person.project_id, key.kind != "column", MOST_TAPES + 1
    lens = find_lens(side_id, project, person.user_id)
    if lens is not None:
        where = filter_of(lens.look)
        tapes = list_found_tapes(project, where, limit=most, with_json=with_json)
        # For a batch the first tapes are compared, for a search the newest.
        shown, is_cut = tapes[-MOST_TAPES:], len(tapes) > MOST_TAPES
        return BatchSide(lens.id, lens.name, is_search=True, tapes=shown, is_cut=is_cut)
    batch = load_batch(side_id, project)
    tapes = list_batch_tapes(side_id, project, limit=most, with_json=with_json)
    shown, is_cut = tapes[:MOST_TAPES], len(tapes) > MOST_TAPES
    return BatchSide(batch.id, batch.name, is_search=False, tapes=shown, is_cut=is_cut)


def pair_sides(left: BatchSide, right: BatchSide, key: PairKey) -> Pairing:
    """Pair the tapes of two batches; for `start`, first by family, then by how they begin."""
    if key.kind != "start":
        return pair_by_keys(_keys_of(left.tapes, key), _keys_of(right.tapes, key))
    families = [[str(tape.root_id) for tape in side.tapes] for side in (left, right)]
    openings = [_openings_of(side.tapes) for side in (left, right)]
    return pair_in_turn([(families[0], families[1]), (openings[0], openings[1])])


def key_sides(sides: Sequence[BatchSide], key: PairKey) -> list[list[str | None]]:
    """Return one key for each tape of the given batches; `None` if a tape has none.

    For `start`, tapes whose family is in several of the batches have that family's key.
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


def _keys_of(tapes: Sequence[ComparedTape], key: PairKey) -> list[str | None]:
    if key.kind == "column":
        return [getattr(tape, key.name) or None for tape in tapes]
    return [find_key(key.name, tape.metadata, tape.context) for tape in tapes]


def _openings_of(tapes: Sequence[ComparedTape]) -> list[str | None]:
    bodies = load_beginnings({tape.id: tape.spans for tape in tapes}, OPENING_STEPS)
    return [digest_opening(bodies[tape.id], tape.context) for tape in tapes]
