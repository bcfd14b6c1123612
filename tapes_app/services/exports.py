"""Exporting tapes with their LLM calls as TapeAgents files, into a folder or a zip.

Imported tapes go back into files of the name and form that they came from, equal as data; tapes
that were made here become JSON files of their own. Keys of models are in neither tapes nor calls.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TextIO
from uuid import UUID

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.tape import TapeMetadata
from tapes_app.interchange.call_codec import encode_call, has_llm_columns
from tapes_app.interchange.export_plan import (
    DATABASE_NAME,
    ExportedTape,
    PlannedFile,
    free_name,
    plan_files,
    source_name,
)
from tapes_app.interchange.tape_codec import source_of
from tapes_app.interchange.tapeagents import tape_row, write_json, write_yaml
from tapes_app.interchange.tapedata import SourceRow, write_rows
from tapes_app.storage import calls as call_storage
from tapes_app.storage.calls import CallRow
from tapes_app.storage.tape_imports import list_tapes_to_export
from tapes_app.storage.tapes import load_tape


@dataclass(frozen=True)
class ExportReport:
    """What was written."""

    tapes: int
    llm_calls: int
    files: tuple[str, ...]


class ExportTarget(Protocol):
    """Where files go. Names are relative and cleaned already."""

    def open_text(self, name: str) -> AbstractContextManager[TextIO]: ...

    def add(self, path: Path, name: str) -> None: ...


class FolderTarget:
    """Writes into a folder; files that are there already are never overwritten."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def open_text(self, name: str) -> Iterator[TextIO]:
        with self.free_path(name).open("x", encoding="utf-8", newline="\n") as file:
            yield file

    def add(self, path: Path, name: str) -> None:
        shutil.copyfile(path, self.free_path(name))

    def free_path(self, name: str) -> Path:
        """Return where a file of the name goes.

        Raises:
            ConflictError: the folder has one already.
        """
        path = self._folder / name
        if path.exists() or path.is_symlink():
            raise ConflictError(
                f"{name!r} exists in the folder already; give an empty folder with --out.",
                file=name,
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


class ZipTarget:
    """Writes into a zip archive, piece by piece."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    @contextmanager
    def open_text(self, name: str) -> Iterator[TextIO]:
        with (
            self._archive.open(name, "w", force_zip64=True) as raw,
            io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as file,
        ):
            yield file

    def add(self, path: Path, name: str) -> None:
        self._archive.write(path, name)


def export_batch(project: UUID, batch_id: UUID, target: ExportTarget) -> ExportReport:
    """Write the tapes of a batch and all its LLM calls.

    Raises:
        ConflictError: the folder holds a file of the same name.
    """
    tapes = list_tapes_to_export(project, batch=batch_id)
    calls = call_storage.list_calls_of_batch(batch_id, project)
    return _export(project, tapes, calls, target)


def export_tapes(project: UUID, tape_ids: Sequence[UUID], target: ExportTarget) -> ExportReport:
    """Write some tapes and the LLM calls behind their steps.

    Raises:
        NotFoundError: a tape is not in the project.
        ConflictError: the folder holds a file of the same name.
    """
    calls: dict[UUID, CallRow] = {}
    for tape_id in tape_ids:
        calls |= {row.id: row for row in call_storage.list_calls(tape_id, project)}
    tapes = list_tapes_to_export(project, tape_ids=tape_ids)
    return _export(project, tapes, list(calls.values()), target)


def _export(
    project: UUID,
    found: Iterable[tuple[UUID, str, TapeMetadata]],
    calls: Sequence[CallRow],
    target: ExportTarget,
) -> ExportReport:
    plan = plan_files(
        ExportedTape(id=tape_id, title=title, source=source_of(metadata))
        for tape_id, title, metadata in found
    )
    tables = _rows_of_calls(calls)
    names: list[str] = []
    for planned in plan:
        if planned.form == "tapedata":
            tables.setdefault(planned.name, []).extend(_rows_of_tapes(project, planned))
            continue
        with target.open_text(planned.name) as file:
            _write_tapes(project, planned, file)
        names.append(planned.name)
    names += _write_databases(tables, target)
    count = sum(len(planned.tapes) for planned in plan)
    return ExportReport(tapes=count, llm_calls=len(calls), files=tuple(names))


def _write_tapes(project: UUID, planned: PlannedFile, file: TextIO) -> None:
    # One tape at a time is in memory, however many the file has.
    # Imported tapes have the ids of their file, others those of this store.
    tapes = (
        load_tape(tape.id, project, as_source=tape.source is not None) for tape in planned.tapes
    )
    if planned.form == "yaml":
        write_yaml(file, tapes)
    else:
        write_json(file, tapes, as_list=planned.form == "json_list")


def _rows_of_tapes(project: UUID, planned: PlannedFile) -> Iterator[SourceRow]:
    for number, tape in enumerate(planned.tapes, start=1):
        if tape.source is not None:
            stored = load_tape(tape.id, project, as_source=True)
            yield tape_row(stored, tape.source, number=number)


def _rows_of_calls(calls: Sequence[CallRow]) -> dict[str, list[SourceRow]]:
    """Return the rows of each database: a call goes back into the one that it came from."""
    tables: dict[str, list[SourceRow]] = {}
    for number, row in enumerate(calls, start=1):
        file = str((row.source or {}).get("file", ""))
        name = source_name(file or DATABASE_NAME, "tapedata")
        tables.setdefault(name, []).append(encode_call(row.call, row.source, number=number))
    return tables


def _write_databases(tables: dict[str, list[SourceRow]], target: ExportTarget) -> list[str]:
    names: list[str] = []
    taken: set[str] = set()
    for name, rows in tables.items():
        for part in _split_by_key(rows):
            free = free_name(name, taken)
            with TemporaryDirectory(prefix="export-") as scratch:
                path = Path(scratch) / DATABASE_NAME
                is_old = not any(row.table == "Tapes" or has_llm_columns(row) for row in part)
                write_rows(path, part, with_llm_columns=not is_old)
                target.add(path, free)
            names.append(free)
    return names


def _split_by_key(rows: Iterable[SourceRow]) -> list[list[SourceRow]]:
    """Return rows in as few parts as keep the keys of each table unique."""
    parts: list[list[SourceRow]] = []
    seen: Counter[tuple[str, str]] = Counter()
    for row in rows:
        key = row.table, str(row.columns["prompt_id" if row.table == "LLMCalls" else "tape_id"])
        if seen[key] == len(parts):
            parts.append([])
        parts[seen[key]].append(row)
        seen[key] += 1
    return parts
