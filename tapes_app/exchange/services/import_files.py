"""Importing files into a project: each file wholly or not at all, nothing twice.

A file is read to its end before anything of it is stored, then stored in short transactions: a
long one would keep the runs of agents from writing. What was stored is taken back when the rest
fails; after a kill the same import, done again, finishes the file.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID

from django.db import transaction

from tapes_app.agents.services.continuation import ensure_continuation
from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.messages import digest_json
from tapes_app.exchange.services.import_matching import choose_calls
from tapes_app.exchange.services.import_report import ImportReport, RefusedFile
from tapes_app.exchange.store import imports as import_storage
from tapes_app.exchange.store.imports import StoredCall
from tapes_app.interchange.call_codec import ImportedCall
from tapes_app.interchange.folders import ImportFile
from tapes_app.interchange.limits import DEFAULT_LIMITS, ImportLimits
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import ImportedItem, read_file
from tapes_app.jobs.store.events import FencedError
from tapes_app.projects.store import projects
from tapes_app.tapes.store.batches import ensure_batch, find_batch
from tapes_app.tapes.store.calls import CallWriter
from tapes_app.tapes.store.saving import NewTape, find_tapes_by_digest, save_tapes

_CHUNK_ITEMS = 100
_CHUNK_SIZE = 2_000_000
_PARENTS_AT_ONCE = 500

Commit = Callable[[Callable[[], None]], None]
"""Runs a function in one transaction. The function may be run again when that fails."""

Report = Callable[[int, int, str], None]
"""Takes how many files are done, of how many, and what is being done."""


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
    limits: ImportLimits = DEFAULT_LIMITS,
    commit: Commit = commit_here,
    report: Report | None = None,
) -> ImportReport:
    """Import files into a batch; a refused file is in the report and the others continue."""
    tell = report or _tell_nobody
    work = _Import(project, batch_name, owner, limits, commit)
    for number, file in enumerate(files):

        def say(message: str, done: int = number) -> None:
            tell(done, len(files), message)

        say(f"Reading {file.name}")
        work.import_file(file, say)
    work.finish()
    tell(len(files), len(files), "Imported")
    return work.report


@dataclass
class _Written:
    """What was stored of some files."""

    tapes: list[UUID] = field(default_factory=list)
    calls: list[UUID] = field(default_factory=list)
    copies: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)


class _Import:
    """One import into one batch."""

    def __init__(
        self, project: UUID, batch: str, owner: int | None, limits: ImportLimits, commit: Commit
    ) -> None:
        found = find_batch(batch, project)
        self.report = ImportReport(batch, found.id if found else None)
        self._project = project
        self._owner = owner
        self._limits = limits
        self._commit = commit
        self._is_new_batch = self.report.batch_id is None
        self._elsewhere: set[UUID] = set()
        """Calls of this import that are stored in other batches already."""

        self._parents: dict[UUID, str] = {}
        self._small: list[ImportedItem] = []
        """Everything of files that fit into one chunk together with others."""

    def import_file(self, file: ImportFile, say: Callable[[str], None]) -> None:
        chunks = _chunks(read_file(file.path, name=file.name, limits=self._limits))
        try:
            first = next(chunks, [])
            if next(chunks, None) is None:
                self._store_later(first)
                return
            del first
            for number, _ in enumerate(chunks):
                # The whole file must be sound before any of it is stored.
                say(f"Checking {file.name}, part {number + 3}")
            self._import_large(file, say)
        except ImportRefusedError as error:
            self._refuse(file, error)

    def _store_later(self, items: list[ImportedItem]) -> None:
        """Store a small file together with the next ones: a transaction costs more than it."""
        if not _fit_together(self._small, items):
            self.flush()
        self._small += items

    def flush(self) -> None:
        """Store the small files that wait."""
        items, self._small = self._small, []
        if items:
            self._store_or_discard([items])

    def _import_large(self, file: ImportFile, say: Callable[[str], None]) -> None:
        self.flush()

        def chunks() -> Iterator[list[ImportedItem]]:
            again = read_file(file.path, name=file.name, limits=self._limits)
            for number, chunk in enumerate(_chunks(again)):
                say(f"Storing {file.name}, part {number + 1}")
                yield chunk

        self._store_or_discard(chunks())

    def _store_or_discard(self, chunks: Iterable[list[ImportedItem]]) -> None:
        written = _Written()
        try:
            for chunk in chunks:
                self._store(chunk, written)
        except FencedError:
            raise  # another worker continues with this import and needs what is there
        except BaseException:
            self._discard(written)
            raise
        self.report.imported += written.counts["tapes"]
        self.report.already_there += written.counts["known tapes"]
        self.report.unmapped += written.unmapped
        self.report.llm_calls += written.counts["calls"]
        self.report.llm_calls_already_there += written.counts["known calls"]

    def finish(self) -> None:
        """Store what waits, link tapes whose parents came after them, see to who can continue."""
        self.flush()
        if self.report.imported:
            self._commit(lambda: ensure_continuation(self._project, owner=self._owner))
        pending = iter(self._parents.items())
        while chunk := dict(islice(pending, _PARENTS_AT_ONCE)):
            self._link_parents(chunk)

    def _refuse(self, file: ImportFile, error: ImportRefusedError) -> None:
        is_mistake = file.is_asked_for or not error.details["is_other"]
        refused = RefusedFile(
            file=file.name,
            position=error.details["position"],
            reason=error.details["reason"],
            is_mistake=is_mistake,
        )
        self.report.refused.append(refused)

    def _discard(self, written: _Written) -> None:
        if written.tapes or written.calls:
            # Not by `commit`, which refuses when the import was cancelled.
            import_storage.discard_imported(written.tapes, written.calls)
            for tape_id in written.tapes:
                self._parents.pop(tape_id, None)

    def _store(self, items: Sequence[ImportedItem], written: _Written) -> None:
        calls = [item for item in items if isinstance(item, ImportedCall)]
        tapes = [item for item in items if isinstance(item, ImportedTape)]
        if calls:
            self._store_calls(calls, written)
        if tapes:
            self._store_tapes(tapes, written)

    def _store_calls(self, calls: Sequence[ImportedCall], written: _Written) -> None:
        prompt_ids = [item.call.prompt.id for item in calls]
        stored_ids: list[UUID] = []
        elsewhere: set[UUID] = set()

        def work() -> None:
            projects.lock_project(self._project)
            found = import_storage.find_calls_by_prompt_ids(self._project, prompt_ids)
            known = {stored.digest: stored for stored in found if stored.digest}
            new = list({item.digest: item for item in calls if item.digest not in known}.values())
            here = self.report.batch_id
            elsewhere.update(stored.id for stored in found if stored.batch_id != here)
            elsewhere.intersection_update(
                known[item.digest].id for item in calls if item.digest in known
            )
            # A new writer each time: after a rollback an old one believes in rows that are gone.
            writer = CallWriter(self._project, owner=self._owner)
            stored_ids[:] = writer.save(
                [item.call for item in new],
                batch_id=self._ensure_batch() if new else None,
                sources=[item.source for item in new],
            )

        self._commit(work)
        self._elsewhere |= elsewhere
        written.calls += stored_ids
        written.counts["calls"] += len(stored_ids)
        written.counts["known calls"] += len(calls) - len(stored_ids)
        self._link_earlier_tapes(prompt_ids)

    def _link_earlier_tapes(self, prompt_ids: Sequence[str]) -> None:
        """Link tapes of the batch that came before their calls."""
        batch = self.report.batch_id
        if batch is None or (self._is_new_batch and not self.report.imported):
            return
        calls = {call.prompt_id: call for call in self._candidates(prompt_ids)}
        self._commit(lambda: _ignore(import_storage.link_steps_of_batch(batch, calls)))

    def _store_tapes(self, tapes: Sequence[ImportedTape], written: _Written) -> None:
        digests = [_count_copy(item, written.copies) for item in tapes]
        known: dict[str, UUID] = {}
        stored: dict[str, UUID] = {}

        def work() -> None:
            # Two imports of the same files at once must not both find nothing there.
            projects.lock_project(self._project)
            known.clear()
            known.update(find_tapes_by_digest(self._project, digests))
            calls = self._find_calls(tapes)
            unknown: dict[str, NewTape] = {}
            for item, digest in zip(tapes, digests, strict=True):
                own = choose_calls(item, calls)
                if digest not in known:
                    unknown[digest] = _new_tape(item, digest, own)
                elif own:
                    import_storage.link_steps_of_tapes([known[digest]], own)
            batch = self._ensure_batch() if unknown else None
            ids = save_tapes(
                self._project,
                list(unknown.values()),
                owner=self._owner,
                batch=batch,
                writer="import",
            )
            stored.clear()
            stored.update(zip(unknown, ids, strict=True))

        self._commit(work)
        written.tapes += stored.values()
        written.counts["tapes"] += len(stored)
        written.counts["known tapes"] += len(tapes) - len(stored)
        new = [item for item, digest in zip(tapes, digests, strict=True) if digest in stored]
        written.unmapped.update(what for item in new for what in item.unmapped)
        for item, digest in zip(tapes, digests, strict=True):
            self._note_parent(item, stored[digest] if digest in stored else known[digest])

    def _note_parent(self, item: ImportedTape, tape_id: UUID) -> None:
        metadata = item.tape.metadata
        if metadata.parent_id and metadata.parent_id != metadata.id:
            self._parents[tape_id] = metadata.parent_id

    def _link_parents(self, wanted: Mapping[UUID, str]) -> None:
        self._commit(lambda: _ignore(import_storage.link_late_parents(self._project, wanted)))

    def _find_calls(self, tapes: Sequence[ImportedTape]) -> dict[str, list[StoredCall]]:
        """Return the calls that came for the prompt ids of some tapes."""
        prompt_ids = {step.metadata.prompt_id for item in tapes for step in item.tape.steps}
        found: dict[str, list[StoredCall]] = {}
        for call in self._candidates(prompt_ids):
            found.setdefault(call.prompt_id, []).append(call)
        return found

    def _candidates(self, prompt_ids: Iterable[str]) -> Iterator[StoredCall]:
        for call in import_storage.find_calls_by_prompt_ids(self._project, prompt_ids):
            if call.batch_id == self.report.batch_id or call.id in self._elsewhere:
                yield call

    def _ensure_batch(self) -> UUID:
        batch = ensure_batch(self._project, self.report.batch_name, owner=self._owner)
        self.report.batch_id = batch.id
        return batch.id


def _tell_nobody(done: int, total: int, message: str) -> None:
    """Stand for a report that nobody wants."""
    del done, total, message


def _chunks(items: Iterator[ImportedItem]) -> Iterator[list[ImportedItem]]:
    """Give items in chunks that are small in number and in size."""
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


def _count_copy(item: ImportedTape, copies: Counter[tuple[str, str]]) -> str:
    """Return the digest of a tape; of equal tapes in one file each keeps its place."""
    place = item.source.file, item.digest
    copies[place] += 1
    copy = copies[place]
    return item.digest if copy == 1 else digest_json([item.digest, copy]).hex()


def _new_tape(item: ImportedTape, digest: str, calls: Mapping[str, StoredCall]) -> NewTape:
    return NewTape(
        item.tape,
        digest=digest,
        stored_calls={prompt_id: call.id for prompt_id, call in calls.items()},
        stored_totals=import_storage.sum_stored_calls(calls.values()),
    )


def _ignore(_: object) -> None:
    """Make a function for `Commit` of one that returns something."""
