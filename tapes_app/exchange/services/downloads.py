"""Several tapes, or a batch, as one zip to download."""

from collections.abc import Sequence
from uuid import UUID

from tapes_app.exchange.services import exports
from tapes_app.exchange.services.export_targets import pack
from tapes_app.projects.services.downloads import Download
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import batches as batch_storage
from tapes_app.tapes.store import headers


def export_batch(person: Person, batch_id: UUID) -> Download:
    """Return all tapes of a batch and their LLM calls in a zip."""
    project = person.project_id
    batch = batch_storage.load_batch(batch_id, project)
    return pack(
        batch.name,
        lambda target, folder: exports.export_batch(project, batch_id, target, scratch=folder),
    )


def export_tapes(person: Person, tape_ids: Sequence[UUID]) -> Download:
    """Return the given tapes and the LLM calls behind their steps in a zip.

    Raises:
        NotFoundError: one of them is not in the project.
    """
    project, wanted = person.project_id, list(dict.fromkeys(tape_ids))
    first = headers.load_header(wanted[0], project)
    title = f"tape {first.id}" if len(wanted) == 1 else f"{len(wanted)} tapes"
    return pack(
        title,
        lambda target, folder: exports.export_tapes(project, wanted, target, scratch=folder),
    )
