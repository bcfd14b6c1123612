"""Importing files into a project: each file completely or not at all, nothing twice.

A file is read to its end before anything of it is stored, then stored in short transactions: a long
one would block the runs of agents from writing. What was stored is discarded if the rest fails;
after a kill, the worker that takes the import over finishes the file. Every row knows its part: the
import, and the file, or the first of several small files that are stored together.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from uuid import UUID, uuid4, uuid5

from django.db import transaction

from tapes_app.agents.services.agents import ensure_continuation
from tapes_app.engine.errors import ImportRefusedError
from tapes_app.exchange.services.import_report import ImportReport, RefusedFile
from tapes_app.exchange.services.import_writer import BatchWriter, Commit
from tapes_app.exchange.store import imports as import_storage
from tapes_app.interchange.folders import ImportFile
from tapes_app.interchange.tapeagents import ImportedItem, read_file
from tapes_app.jobs.store.events import FencedError
from tapes_app.tapes.store.batches import find_batch

_CHUNK_ITEMS = 100
_CHUNK_SIZE = 2_000_000

Report = Callable[[int, int, str], None]
"""Called with the number of files done, the total, and a message on the current work."""


def commit_here(work: Callable[[], None]) -> None:
    """Run a function in a transaction of this thread."""
    with transaction.atomic():
        work()


def import_files(
    project: UUID,
    files: Sequence[ImportFile],
    *,
    batch_name: str,
    owner: int | None = None,
    import_id: UUID | None = None,
    commit: Commit = commit_here,
    report: Report = lambda *_: None,
) -> ImportReport:
    """Import files into a batch; refused files are reported and the others continue.

    An import that is repeated with the same `import_id` and files continues: what it has stored
    counts as imported by it, and is discarded with the rest if its file fails this time.
    """
    work = _Import(project, batch_name, owner, import_id or uuid4(), commit)
    try:
        for number, file in enumerate(files):

            def announce(message: str, done: int = number) -> None:
                report(done, len(files), message)

            announce(f"Reading {file.name}")
            work.import_file(number, file, announce)
        work.flush()
    except FencedError:
        raise  # another worker continues this import and needs what is stored
    except BaseException:
        work.discard_unfinished(len(files))
        raise
    work.finish()
    report(len(files), len(files), "Imported")
    return work.report


def discard_last_part(project: UUID, batch_name: str, import_id: UUID, file_count: int) -> None:
    """Discard what an import that nobody works on stored last: the rest of its file may lack."""
    batch = find_batch(batch_name, project)
    stored = import_storage.list_import_parts(batch.id) if batch else set[UUID]()
    for part in (_part_of(import_id, number) for number in reversed(range(file_count))):
        if batch and part in stored:
            import_storage.discard_part(batch.id, part)
            return


class _Import:
    """One import into one batch."""

    def __init__(
        self, project: UUID, batch: str, owner: int | None, import_id: UUID, commit: Commit
    ) -> None:
        self._id = import_id
        self._writer = BatchWriter(project, batch, owner, commit)
        self._number = 0
        """The file that is worked on."""

        self._small_number = 0
        """The first of the small files that wait."""

        self.report = ImportReport(batch, self._writer.batch_id)
        self._project = project
        self._owner = owner
        self._commit = commit
        self._small: list[ImportedItem] = []
        """All items of files that fit into one chunk together with others."""

    def import_file(self, number: int, file: ImportFile, announce: Callable[[str], None]) -> None:
        self._number = number
        chunks = _chunks(read_file(file.path, name=file.name))
        try:
            first = next(chunks, [])
            if next(chunks, None) is None:
                self._store_later(first)
                return
            del first
            for place, _ in enumerate(chunks, start=3):
                # The entire file must be valid before any of it is stored.
                announce(f"Checking {file.name}, part {place}")
            self._import_large(file, announce)
        except ImportRefusedError as error:
            self._writer.discard(self._part(number))
            self._refuse(file, error)

    def _store_later(self, items: list[ImportedItem]) -> None:
        """Store a small file together with the next ones: a transaction costs more than it."""
        if not _fit_together(self._small, items):
            self.flush()
        if not self._small:
            self._small_number = self._number
        self._small += items

    def flush(self) -> None:
        """Store the small files that are waiting."""
        if self._small:
            self._store_part(self._small_number, [self._small])
            self._small = []

    def _import_large(self, file: ImportFile, announce: Callable[[str], None]) -> None:
        self.flush()

        def chunks() -> Iterator[list[ImportedItem]]:
            again = _chunks(read_file(file.path, name=file.name))
            for place, chunk in enumerate(again, start=1):
                announce(f"Storing {file.name}, part {place}")
                yield chunk

        self._store_part(self._number, chunks())
        self._number += 1

    def _store_part(self, number: int, chunks: Iterable[list[ImportedItem]]) -> None:
        written = self._writer.write(self._part(number), chunks)
        self.report.imported += written.counts["tapes"]
        self.report.already_there += written.counts["known tapes"]
        self.report.unmapped += written.unmapped
        self.report.attacks_left_out += written.counts["attacks"]
        self.report.llm_calls += written.counts["calls"]
        self.report.llm_calls_already_there += written.counts["known calls"]

    def finish(self) -> None:
        """Link parents that came later, and make sure that agents can continue."""
        self.report.batch_id = self._writer.batch_id
        if self.report.imported:
            self._commit(lambda: ensure_continuation(self._project, owner=self._owner))
        self._writer.link_late_parents()

    def _refuse(self, file: ImportFile, error: ImportRefusedError) -> None:
        is_mistake = file.is_asked_for or not error.details["is_other"]
        refused = RefusedFile(
            file=file.name,
            position=error.details["position"],
            reason=error.details["reason"],
            is_mistake=is_mistake,
        )
        self.report.refused.append(refused)

    def discard_unfinished(self, file_count: int) -> None:
        """Discard what is stored of files that are not finished, also by an earlier attempt."""
        first = self._small_number if self._small else self._number
        for number in range(first, file_count):
            self._writer.discard(self._part(number))

    def _part(self, number: int) -> UUID:
        return _part_of(self._id, number)


def _part_of(import_id: UUID, number: int) -> UUID:
    return uuid5(import_id, str(number))


def _chunks(items: Iterator[ImportedItem]) -> Iterator[list[ImportedItem]]:
    """Yield items in chunks that are small in number and in size."""
    chunk: list[ImportedItem] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += item.size
        if len(chunk) >= _CHUNK_ITEMS or size >= _CHUNK_SIZE:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _fit_together(waiting: Sequence[ImportedItem], items: Sequence[ImportedItem]) -> bool:
    size = sum(item.size for item in waiting) + sum(item.size for item in items)
    return len(waiting) + len(items) <= _CHUNK_ITEMS and size <= _CHUNK_SIZE
