"""Exporting tapes with their LLM calls as TapeAgents files, a few tapes at a time.

Imported tapes go back into files of the name and format that they came from, equal as data; tapes
that were made here become separate JSON files. Neither tapes nor calls contain keys of models.
However many tapes there are, only a few are in memory, plus the ids of those that share a file.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from uuid import UUID

from tapes_app.annotation.services.lines import list_annotation_lines
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.call_tables import CallTables
from tapes_app.exchange.services.export_targets import ExportTarget
from tapes_app.exchange.store import exports as stored
from tapes_app.exchange.store.exports import TapeToExport, file_id_of
from tapes_app.interchange.chat_lines import dump_line
from tapes_app.interchange.export_plan import FileNames, WantedFile, choose_file
from tapes_app.interchange.tape_codec import source_of
from tapes_app.interchange.tapeagents import tape_row, write_json, write_yaml
from tapes_app.interchange.tapedata import SourceRow
from tapes_app.tapes.store.batches import list_tape_ids
from tapes_app.tapes.store.calls import load_calls
from tapes_app.tapes.store.loading import load_tapes

ANNOTATIONS_NAME = "annotations.jsonl"
TAPES_AT_ONCE = 50
_CALLS_AT_ONCE = 50
_ROWS_AT_ONCE = 10
"""Each call is written with its complete prompt, which may be as long as its tape."""


@dataclass(frozen=True)
class ExportReport:
    """What was written."""

    tapes: int
    llm_calls: int
    files: tuple[str, ...]


def export_batch(
    project: UUID, batch_id: UUID, target: ExportTarget, *, scratch: Path | None = None
) -> ExportReport:
    """Write the tapes of a batch and all its LLM calls, including those without a step.

    Raises:
        NotFoundError: no such batch in this project.
        ConflictError: the folder already has a file of the same name.
    """
    pages = split_into_pages(list_tape_ids(batch_id, project))
    return export_pages(project, pages, target, batch=batch_id, scratch=scratch)


def export_tapes(
    project: UUID, tape_ids: Sequence[UUID], target: ExportTarget, *, scratch: Path | None = None
) -> ExportReport:
    """Write the given tapes and the LLM calls behind their steps.

    Raises:
        NotFoundError: a tape is not in the project.
        ConflictError: the folder already has a file of the same name.
    """
    for page in split_into_pages(tape_ids):
        if len(stored.list_tapes_to_export(project, page)) < len(page):
            raise NotFoundError("Tape not found.")
    return export_pages(project, split_into_pages(tape_ids), target, scratch=scratch)


def split_into_pages(tape_ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    return (tape_ids[at : at + TAPES_AT_ONCE] for at in range(0, len(tape_ids), TAPES_AT_ONCE))


def export_pages(
    project: UUID,
    pages: Iterable[Sequence[UUID]],
    target: ExportTarget,
    *,
    batch: UUID | None = None,
    with_annotations: bool = False,
    scratch: Path | None = None,
) -> ExportReport:
    """Write tapes a page at a time; tapes deleted in the meantime are left out.

    With `batch`, its calls that no step shows are included. With `with_annotations`, another file
    has a line for each annotated tape, with the id from the tape's own file. Databases grow in
    `scratch` until they are complete.
    """
    with (
        TemporaryDirectory(prefix="export-", dir=scratch) as folder,
        closing(CallTables(Path(folder))) as tables,
    ):
        files = _Files(project, target, tables)
        annotations_path = Path(folder) / ANNOTATIONS_NAME
        for page in pages:
            tapes = stored.list_tapes_to_export(project, page)
            files.add(tapes)
            if with_annotations:
                _add_annotations(project, tapes, annotations_path)
            _add_calls(project, stored.list_call_ids(project, page), tables)
        for call_ids in stored.list_stepless_call_ids(project, batch) if batch else ():
            _add_calls(project, call_ids, tables)
        files.finish()
        names = (*files.written, *tables.write_into(target))
        if annotations_path.exists():
            target.add(annotations_path, ANNOTATIONS_NAME)
            names = (*names, ANNOTATIONS_NAME)
        return ExportReport(files.tape_count, tables.call_count, names)


def _add_calls(project: UUID, call_ids: Sequence[UUID], tables: CallTables) -> None:
    for at in range(0, len(call_ids), _CALLS_AT_ONCE):
        missing = tables.take_new(call_ids[at : at + _CALLS_AT_ONCE])
        tables.add_calls(load_calls(missing, project))


def _add_annotations(project: UUID, tapes: Iterable[TapeToExport], path: Path) -> None:
    lines = [
        dump_line({"tape_id": file_id_of(tape), "annotations": annotations})
        for tape in tapes
        if (annotations := list_annotation_lines(project, tape.id))
    ]
    if lines:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(lines)


class _Files:
    """Writes a tape's own file immediately; shared files wait until all their tapes are known."""

    def __init__(self, project: UUID, target: ExportTarget, tables: CallTables) -> None:
        self._project = project
        self._target = target
        self._tables = tables
        self._names = FileNames()
        self._shared: dict[tuple[UUID | None, WantedFile], _SharedFile] = {}
        self.written: list[str] = []
        self.tape_count = 0

    def add(self, tapes: Sequence[TapeToExport]) -> None:
        own: dict[bool, list[_OwnFile]] = {True: [], False: []}
        for tape in tapes:
            source = source_of(tape.metadata)
            wanted = choose_file(tape.id, tape.title, source)
            if source is not None and wanted.is_shared:
                self._share(tape, wanted, source.index)
                continue
            name = self._names.take(wanted.name)
            own[source is not None].append(_OwnFile(name, wanted, tape.id))
        for is_imported, files in own.items():
            ids = [file.tape_id for file in files]
            loaded = load_tapes(ids, self._project, as_source=is_imported)
            for file, found in zip(files, loaded, strict=True):
                if found is not None:  # else it was deleted after its page was read
                    self._write(file.name, file.wanted, [found])
                    self.tape_count += 1

    def _share(self, tape: TapeToExport, wanted: WantedFile, index: int) -> None:
        # Files of the same name that came with two batches are two files.
        file = self._shared.get((tape.batch_id, wanted))
        if file is None:
            file = _SharedFile(self._names.take(wanted.name), [])
            self._shared[tape.batch_id, wanted] = file
        file.tapes.append((index, tape.id))

    def finish(self) -> None:
        """Write the files that several tapes share, in their original order."""
        for (_, wanted), file in self._shared.items():
            ids = (tape_id for _, tape_id in sorted(file.tapes))
            tapes = self._load_shared(ids)
            if wanted.form == "tapedata":
                while rows := [_row_of(tape) for tape in islice(tapes, _ROWS_AT_ONCE)]:
                    self._tables.add_rows(wanted.name, rows)
            else:
                self._write(file.name, wanted, tapes)

    def _load_shared(self, tape_ids: Iterable[UUID]) -> Iterator[Tape]:
        for tape in load_tapes(tape_ids, self._project, as_source=True):
            if tape is not None:
                self.tape_count += 1
                yield tape

    def _write(self, name: str, wanted: WantedFile, tapes: Iterable[Tape]) -> None:
        with self._target.open_text(name) as file:
            if wanted.form == "yaml":
                write_yaml(file, tapes)
            else:
                write_json(file, tapes, as_list=wanted.form == "json_list")
        self.written.append(name)


class _OwnFile(NamedTuple):
    """The file of a single tape."""

    name: str
    wanted: WantedFile
    tape_id: UUID


@dataclass(frozen=True)
class _SharedFile:
    name: str
    tapes: list[tuple[int, UUID]]
    """Index of each tape in the file, and its id here."""


def _row_of(tape: Tape) -> SourceRow:
    source = source_of(tape.metadata)
    assert source is not None, "only imported tapes can be exported as a table"
    return tape_row(tape, source, number=source.index + 1)
