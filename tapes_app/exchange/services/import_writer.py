"""What an import writes into its batch: calls and tapes, each once, in short transactions."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID

from tapes_app.engine.environment.planting import without_attacks
from tapes_app.engine.model.messages import digest_json
from tapes_app.exchange.store import imports as import_storage
from tapes_app.exchange.store.imports import StoredCall
from tapes_app.interchange.call_codec import ImportedCall
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import ImportedItem
from tapes_app.projects.store import projects
from tapes_app.tapes.store.batches import ensure_batch, find_batch
from tapes_app.tapes.store.calls import CallWriter
from tapes_app.tapes.store.saving import NewTape, find_tapes_by_digest, save_tapes

_PARENTS_AT_ONCE = 500

Commit = Callable[[Callable[[], None]], None]
"""Runs a function in one transaction. The function may be run again if the transaction fails."""


@dataclass
class Written:
    """What was stored of a part of the import, by this attempt or an earlier one."""

    part: UUID
    tapes: set[UUID] = field(default_factory=set)
    calls: set[UUID] = field(default_factory=set)
    copies: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)


class BatchWriter:
    """Writes what an import has read into one batch, and knows what it found there already."""

    def __init__(self, project: UUID, batch_name: str, owner: int | None, commit: Commit) -> None:
        found = find_batch(batch_name, project)
        self.batch_id = found.id if found else None
        """`None` until something is stored in a new one."""

        self._project = project
        self._batch_name = batch_name
        self._owner = owner
        self._commit = commit
        self._may_have_tapes = found is not None
        self._parts = import_storage.list_import_parts(found.id) if found else set[UUID]()
        """Parts of which something may be stored."""

        self._elsewhere: set[UUID] = set()
        """Calls of this import that are already stored in other batches."""

        self._parents: dict[UUID, str] = {}

    def write(self, part: UUID, chunks: Iterable[Sequence[ImportedItem]]) -> Written:
        """Store a part, each chunk in transactions of its own."""
        written = Written(part)
        self._parts.add(part)
        for chunk in chunks:
            calls = [item for item in chunk if isinstance(item, ImportedCall)]
            tapes = [_disarm(item) for item in chunk if isinstance(item, ImportedTape)]
            if calls:
                self._store_calls(calls, written)
            if tapes:
                self._store_tapes(tapes, written)
        self._may_have_tapes = self._may_have_tapes or bool(written.counts["tapes"])
        return written

    def discard(self, part: UUID) -> None:
        """Discard what is stored of a part, by this attempt or an earlier one."""
        if self.batch_id is None or part not in self._parts:
            return
        # Not through `commit`, which refuses if the import was cancelled.
        for tape_id in import_storage.discard_part(self.batch_id, part):
            self._parents.pop(tape_id, None)

    def link_late_parents(self) -> None:
        """Link tapes to parents that were stored after them."""
        pending = iter(self._parents.items())
        while chunk := dict(islice(pending, _PARENTS_AT_ONCE)):
            self._link_parents(chunk)

    def _store_calls(self, calls: Sequence[ImportedCall], written: Written) -> None:
        prompt_ids = [item.call.prompt.id for item in calls]
        stored_ids: list[UUID] = []
        elsewhere: set[UUID] = set()
        own: set[UUID] = set()

        def work() -> None:
            projects.lock_project(self._project)
            found = import_storage.find_calls_by_prompt_ids(self._project, prompt_ids)
            known = {stored.digest: stored for stored in found if stored.digest}
            new = list({item.digest: item for item in calls if item.digest not in known}.values())
            here = self.batch_id
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
        batch = self.batch_id
        if batch is None or not self._may_have_tapes:
            return
        calls = {call.prompt_id: call for call in self._candidates(prompt_ids)}
        self._commit(lambda: import_storage.link_steps_of_batch(batch, calls))

    def _store_tapes(self, tapes: Sequence[ImportedTape], written: Written) -> None:
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
            if call.batch_id == self.batch_id or call.id in self._elsewhere:
                yield call

    def _ensure_batch(self) -> UUID:
        batch = ensure_batch(self._project, self._batch_name, owner=self._owner)
        self.batch_id = batch.id
        return batch.id


def _disarm(item: ImportedTape) -> ImportedTape:
    """Return a tape without the attack of its task: a file decides nothing that a run does.

    Otherwise whoever resumes it would have an instruction of strangers planted for their agent.
    """
    tape = without_attacks(item.tape)
    if tape is item.tape:
        return item
    return item.model_copy(update={"tape": tape, "had_attack": True})


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
