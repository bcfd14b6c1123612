"""Batches and downloads: which tapes belong together, and how they leave the studio."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from tapes_app.engine.pair_key import read_pair_key
from tapes_app.services import exports
from tapes_app.services.batch_metrics import BatchTotals, total_of
from tapes_app.services.batch_pairs import load_sides
from tapes_app.services.downloads import Download, pack
from tapes_app.services.people import Person
from tapes_app.storage import batch_tapes
from tapes_app.storage import batches as batch_storage
from tapes_app.storage import tapes as tape_storage
from tapes_app.storage.batch_tapes import BatchSummary
from tapes_app.storage.rows import BatchRow, Page

_MOST_BATCHES = 1000


def list_batches(person: Person) -> tuple[BatchRow, ...]:
    """Return the newest batches of the project."""
    return batch_storage.list_batches(person.project_id, limit=_MOST_BATCHES).items


def list_summaries(person: Person, *, after: str, limit: int) -> Page[BatchSummary]:
    """Return batches with their sums, newest first.

    Raises:
        InvalidInputError: `after` is no page that a list gave.
    """
    return batch_tapes.list_summaries(person.project_id, after=after, limit=limit)


def measure(person: Person, side_id: UUID) -> BatchTotals:
    """Return what a batch, or a saved search, came to: pass rate and means with intervals.

    Raises:
        NotFoundError: the project has neither of this id.
        InvalidInputError: the saved search cannot be read.
    """
    [side] = load_sides(person, [side_id], read_pair_key("task"))
    return total_of(side)


def export_batch(person: Person, batch_id: UUID) -> Download:
    """Return all tapes of a batch and their LLM calls in a zip."""
    project = person.project_id
    batch = batch_storage.load_batch(batch_id, project)
    return pack(
        batch.name,
        lambda target, folder: exports.export_batch(project, batch_id, target, scratch=folder),
    )


def export_tapes(person: Person, tape_ids: Sequence[UUID], *, name: str = "") -> Download:
    """Return some tapes and the LLM calls behind their steps in a zip.

    Raises:
        NotFoundError: one of them is not in the project.
    """
    project, wanted = person.project_id, list(dict.fromkeys(tape_ids))
    first = tape_storage.load_header(wanted[0], project)
    title = f"tape {first.id}" if len(wanted) == 1 else f"{len(wanted)} tapes"
    return pack(
        name or title,
        lambda target, folder: exports.export_tapes(project, wanted, target, scratch=folder),
    )
