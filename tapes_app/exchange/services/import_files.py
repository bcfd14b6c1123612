"""Importing files into a project: each file completely or not at all, nothing twice.

A file is read to its end before anything of it is stored, then stored in short transactions: a long
one would block the runs of agents from writing. What was stored is discarded if the rest fails;
after a kill, the worker that takes the import over finishes the file. Every row knows its part: the
import, and the file, or the first of several small files that are stored together.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID, uuid4, uuid5

from django.db import transaction

from tapes_app.agents.services.agents import ensure_continuation
from tapes_app.engine.environment.planting import without_attacks
from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.model.messages import digest_json
from tapes_app.exchange.services.import_report import ImportReport, RefusedFile
from tapes_app.exchange.store import imports as import_storage
from tapes_app.exchange.store.imports import StoredCall
from tapes_app.interchange.call_codec import ImportedCall
from tapes_app.interchange.folders import ImportFile
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
"""Runs a function in one transaction. The function may be run again if the transaction fails."""

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


@dataclass
class _Written:
    """What was stored of a part of the import, by this attempt or an earlier one."""

    part: UUID
    tapes: set[UUID] = field(default_factory=set)
    calls: set[UUID] = field(default_factory=set)
    copies: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)


class _Import:
    """One import into one batch."""

    def __init__(
        self, project: UUID, batch: str, owner: int | None, import_id: UUID, commit: Commit
    ) -> None:
        found = find_batch(batch, project)
        self._id = import_id
        self._stored_parts = import_storage.list_import_parts(found.id) if found else set[UUID]()
        """Parts of which something may be stored."""

        self._number = 0
        """The file that is worked on."""

        self._small_number = 0
        """The first of the small files that wait."""

        self.report = ImportReport(batch, found.id if found else None)
        self._project = project
        self._owner = owner
        self._commit = commit
        self._is_new_batch = self.report.batch_id is None
        self._elsewhere: set[UUID] = set()
        """Calls of this import that are already stored in other batches."""

        self._parents: dict[UUID, str] = {}
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
            self._discard(number)
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
        written = _Written(self._part(number))
        self._stored_parts.add(written.part)
        for chunk in chunks:
            self._store(chunk, written)
        self.report.imported += written.counts["tapes"]
        self.report.already_there += written.counts["known tapes"]
        self.report.unmapped += written.unmapped
        self.report.attacks_left_out += written.counts["attacks"]
        self.report.llm_calls += written.counts["calls"]
        self.report.llm_calls_already_there += written.counts["known calls"]

    def finish(self) -> None:
        """Link parents that came later, and make sure that agents can continue."""
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

    def discard_unfinished(self, file_count: int) -> None:
        """Discard what is stored of files that are not finished, also by an earlier attempt."""
        first = self._small_number if self._small else self._number
        for number in range(first, file_count):
            self._discard(number)

    def _discard(self, number: int) -> None:
        part, batch = self._part(number), self.report.batch_id
        if batch is None or part not in self._stored_parts:
            return
        # Not through `commit`, which refuses if the import was cancelled.
        for tape_id in import_storage.discard_part(batch, part):
            self._parents.pop(tape_id, None)

    def _part(self, number: int) -> UUID:
        return _part_of(self._id, number)

    def _store(self, items: Sequence[ImportedItem], written: _Written) -> None:
        calls = [item for item in items if isinstance(item, ImportedCall)]
        tapes = [_disarm(item) for item in items if isinstance(item, ImportedTape)]
        if calls:
            self._store_calls(calls, written)
        if tapes:
            self._store_tapes(tapes, written)

    def _store_calls(self, calls: Sequence[ImportedCall], written: _Written) -> None:
        prompt_ids = [item.call.prompt.id for item in calls]
        stored_ids: list[UUID] = []
        elsewhere: set[UUID] = set()
        own: set[UUID] = set()

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
            # A new writer each time: after a rollback, an old one assumes rows that no longer
            # exist.
            writer = CallWriter(self._project, owner=self._owner)
            stored_ids[:] = writer.save(
                [item.call for item in new],
                batch_id=self._ensure_batch() if new else None,
                sources=[item.source for item in new],
                import_part=written.part,
            )
            wanted = {item.digest for item in calls}
            own.clear()
            own.update(
                stored.id
                for digest, stored in known.items()
                if stored.import_part == written.part and digest in wanted
            )

        self._commit(work)
        self._elsewhere |= elsewhere
        ours = {*stored_ids, *own} - written.calls
        written.calls |= ours
        written.counts["calls"] += len(ours)
        written.counts["known calls"] += len(calls) - len(ours)
        self._link_earlier_tapes(prompt_ids)

    def _link_earlier_tapes(self, prompt_ids: Sequence[str]) -> None:
        """Link tapes of the batch that were imported before their calls."""
        batch = self.report.batch_id
        if batch is None or (self._is_new_batch and not self.report.imported):
            return
        calls = {call.prompt_id: call for call in self._candidates(prompt_ids)}
        self._commit(lambda: import_storage.link_steps_of_batch(batch, calls))

    def _store_tapes(self, tapes: Sequence[ImportedTape], written: _Written) -> None:
        digests = [_count_copy(item, written.copies) for item in tapes]
        known: dict[str, UUID] = {}
        stored: dict[str, UUID] = {}
        own: set[UUID] = set()

        def work() -> None:
            # Locked, so that two imports of the same files do not both find nothing stored.
            projects.lock_project(self._project)
            known.clear()
            known.update(find_tapes_by_digest(self._project, digests))
            calls = self._find_calls(tapes)
            unknown: dict[str, NewTape] = {}
            for item, digest in zip(tapes, digests, strict=True):
                chosen = import_storage.choose_calls(item, calls)
                if digest not in known:
                    unknown[digest] = _new_tape(item, digest, chosen, written.part)
                elif chosen:
                    import_storage.link_steps_of_tapes([known[digest]], chosen)
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
            own.clear()
            if known:
                own.update(import_storage.list_tapes_of_part(known.values(), written.part))

        self._commit(work)
        ours = {*stored.values(), *own} - written.tapes
        written.tapes |= ours
        written.counts["tapes"] += len(ours)
        written.counts["known tapes"] += len(tapes) - len(ours)
        ids = {**known, **stored}
        for item, digest in zip(tapes, digests, strict=True):
            if ids[digest] in ours:
                written.unmapped.update(item.unmapped)
                written.counts["attacks"] += item.had_attack
            self._note_parent(item, ids[digest])

    def _note_parent(self, item: ImportedTape, tape_id: UUID) -> None:
        metadata = item.tape.metadata
        if metadata.parent_id and metadata.parent_id != metadata.id:
            self._parents[tape_id] = metadata.parent_id

    def _link_parents(self, wanted: Mapping[UUID, str]) -> None:
        self._commit(lambda: import_storage.link_late_parents(self._project, wanted))

    def _find_calls(self, tapes: Sequence[ImportedTape]) -> dict[str, list[StoredCall]]:
        """Return the candidate calls for the prompt ids of the given tapes."""
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


def _disarm(item: ImportedTape) -> ImportedTape:
    """Return a tape without the attack of its task: a file decides nothing that a run does.

    Otherwise whoever resumes it would have an instruction of strangers planted for their agent.
    """
    tape = without_attacks(item.tape)
    if tape is item.tape:
        return item
    return item.model_copy(update={"tape": tape, "had_attack": True})


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


def _count_copy(item: ImportedTape, copies: Counter[tuple[str, str]]) -> str:
    """Return the digest of a tape; equal tapes in one file get different digests by their order."""
    place = item.source.file, item.digest
    copies[place] += 1
    copy = copies[place]
    return item.digest if copy == 1 else digest_json([item.digest, copy]).hex()


def _new_tape(
    item: ImportedTape, digest: str, calls: Mapping[str, StoredCall], part: UUID
) -> NewTape:
    return NewTape(
        item.tape,
        digest=digest,
        import_part=part,
        stored_calls={prompt_id: call.id for prompt_id, call in calls.items()},
        stored_totals=import_storage.sum_stored_calls(calls.values()),
    )
