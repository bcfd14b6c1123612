"""Batches and downloads: which tapes belong together, and how they leave the studio."""

from uuid import UUID

from tapes_app.batches.pair_key import read_pair_key
from tapes_app.batches.services.metrics import BatchTotals, total_of
from tapes_app.batches.services.pairs import load_sides
from tapes_app.projects.services.people import Person
from tapes_app.tapes.rows import BatchRow
from tapes_app.tapes.store import batches as batch_storage

_MOST_BATCHES = 1000


def list_batches(person: Person) -> tuple[BatchRow, ...]:
    """Return the newest batches of the project."""
    return batch_storage.list_batches(person.project_id, limit=_MOST_BATCHES).items


def measure(person: Person, side_id: UUID) -> BatchTotals:
    """Return what a batch, or a saved search, came to: pass rate and means with intervals.

    Raises:
        NotFoundError: the project has neither of this id.
        InvalidInputError: the saved search cannot be read.
    """
    [side] = load_sides(person, [side_id], read_pair_key("task"))
    return total_of(side)
