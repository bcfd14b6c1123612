"""Writing tapes as one file, a page of tapes at a time: lines, a table, or a zip of files."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, assert_never
from uuid import UUID

from tapes_app.annotation.services.lines import list_annotation_lines
from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.export_request import SPLITS, TABLE_FORMATS, ExportRequest
from tapes_app.exchange.services.export_table import (
    choose_columns,
    read_cell,
    type_column,
    write_cell,
)
from tapes_app.exchange.services.export_targets import ExportTarget, ZipTarget
from tapes_app.exchange.services.exports import ExportReport, export_pages
from tapes_app.exchange.services.project_exports import ReportProgress, write_project
from tapes_app.exchange.store.prompts import load_prompt_contexts
from tapes_app.experiments.services.preference_pairs import build_pair, list_pairs
from tapes_app.interchange.chat_lines import (
    RecordedPrompts,
    UnfitTapeError,
    dump_line,
    has_thoughts,
    openai_line,
    to_sharegpt,
)
from tapes_app.interchange.lost_parts import THOUGHTS
from tapes_app.interchange.table_files import TypedColumn, write_csv_rows, write_parquet
from tapes_app.library.store import lists as tape_lists
from tapes_app.library.store.plans import TapeFilter
from tapes_app.tapes.domain.rows import TapeRow
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store.list_rows import ANSWERS, read_answers

_PAGE = 100


@dataclass
class ExportCount:
    """What was written to a file, and how much was left out, by reason."""

    tapes: int = 0
    lines: int = 0
    """Lines, rows, or files of a zip."""

    lost: Counter[str] = field(default_factory=Counter)
    """How many of the tapes were written without something that the format cannot hold."""

    left_out: Counter[str] = field(default_factory=Counter)
    unfit: dict[UUID, str] = field(default_factory=dict)
    """Tapes that the format cannot represent, and why; they also count as left out."""


def write_export(
    project: UUID,
    where: TapeFilter,
    request: ExportRequest,
    path: Path,
    on_progress: ReportProgress,
) -> ExportCount:
    """Write tapes to a file as requested, newest first."""
    if request.format == "project":
        tapes, files = write_project(project, path, on_progress)
        return ExportCount(tapes=tapes, lines=files)
    if request.format == "tapeagents":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            target = ZipTarget(archive)
            report = write_files(
                project,
                where,
                target,
                with_annotations=request.with_annotations,
                on_progress=on_progress,
                scratch=path.parent,
            )
        return ExportCount(tapes=report.tapes, lines=len(report.files))
    count, pages = ExportCount(), _read_pages(project, where, request, on_progress)
    if request.format == "parquet":
        with path.open("wb") as table:
            rows = chain.from_iterable(pages)
            write_parquet(table, _typed_columns(request), _table(project, request, rows, count))
        return count
    with path.open("w", encoding="utf-8", newline="") as file:
        if request.format == "csv":
            file.write(write_csv_rows([[column.name for column in _typed_columns(request)]]))
        for page in pages:
            file.writelines(_write_page(project, request, page, count))
    return count


def write_files(
    project: UUID,
    where: TapeFilter,
    target: ExportTarget,
    *,
    with_annotations: bool = False,
    on_progress: ReportProgress = lambda _, __: None,
    scratch: Path | None = None,
) -> ExportReport:
    """Write tapes as TapeAgents files; for a complete batch, also its calls that no step shows."""
    pages = read_pages(project, where, on_progress)
    tape_ids = ([row.id for row in page] for page in pages)
    return export_pages(
        project,
        tape_ids,
        target,
        batch=where.complete_batch,
        with_annotations=with_annotations,
        scratch=scratch,
    )


def read_pages(
    project: UUID, wanted: TapeFilter, on_progress: ReportProgress = lambda _, __: None
) -> Iterator[Sequence[TapeRow]]:
    """Yield the tapes of a list a page at a time, newest first, and report progress."""
    total = tape_lists.count_tapes(project, wanted)
    done, after = 0, None
    while True:
        on_progress(done, total)
        page = tape_lists.list_tapes(project, wanted, after=after, limit=_PAGE)
        yield page.items
        done, after = done + len(page.items), page.next
        if after is None:
            on_progress(done, max(done, total))
            return


def _read_pages(
    project: UUID, where: TapeFilter, request: ExportRequest, on_progress: ReportProgress
) -> Iterator[Sequence[TapeRow]]:
    columns = choose_columns(request.columns) if request.format in TABLE_FORMATS else ()
    has_answers = not set(columns).isdisjoint(ANSWERS)
    for page in read_pages(project, where, on_progress):
        yield _with_answers(page) if has_answers else page


def _with_answers(rows: Sequence[TapeRow]) -> list[TapeRow]:
    """Return rows of a list with complete answers, of which a list has only the beginning."""
    answers = read_answers([row.id for row in rows])
    # A tape that was permanently deleted since its page was read keeps what the list shows.
    return [replace(row, **answers.get(row.id, {})) for row in rows]


def _table(
    project: UUID, request: ExportRequest, rows: Iterable[TapeRow], count: ExportCount
) -> Iterator[Sequence[Any]]:
    for row in rows:
        count.tapes += 1
        count.lines += 1
        cells = [read_cell(column, row) for column in choose_columns(request.columns)]
        yield [*cells, *_annotation_cell(project, request, row)]


def _write_page(
    project: UUID, request: ExportRequest, page: Sequence[TapeRow], count: ExportCount
) -> Iterator[str]:
    allowed: list[TapeRow] = []
    for row in page:
        if reason := _find_reason(request, row):
            count.left_out[reason] += 1
        else:
            allowed.append(row)
    for found in _lines_of(project, request, allowed, count):
        lines = list(found)
        count.tapes += bool(lines)
        count.lines += len(lines)
        yield from lines


def _find_reason(request: ExportRequest, row: TapeRow) -> str:
    """Return why a tape may not go into a training format; empty if it may."""
    if not request.is_for_training:
        return ""
    if row.is_kept_from_training:
        return "excluded from training"
    return "" if row.split in SPLITS[request.split] else "in another split"


def _lines_of(
    project: UUID, request: ExportRequest, rows: Sequence[TapeRow], count: ExportCount
) -> Iterator[Iterable[str]]:
    """Yield the lines of each tape."""
    match request.format:
        case "csv":
            for row in rows:
                yield [write_csv_rows([_csv_row(project, request, row)])]
        case "openai" | "sharegpt":
            tape_ids = [row.id for row in rows]
            tapes = tape_loading.load_tapes(tape_ids, project)
            recorded = load_prompt_contexts(project, tape_ids)
            for row, tape in zip(rows, tapes, strict=True):
                prompts = RecordedPrompts.of(*recorded.get(row.id, ((), ())))
                yield _chat_lines(project, request, row, tape, prompts, count)
        case "preferences":
            for row in rows:
                yield _pair_lines(project, request, row, count)
        case "parquet" | "tapeagents" | "project":
            raise AssertionError("these formats are not written line by line")
        case _:
            assert_never(request.format)


def _chat_lines(
    project: UUID,
    request: ExportRequest,
    row: TapeRow,
    tape: Tape | None,
    prompts: RecordedPrompts,
    count: ExportCount,
) -> Iterator[str]:
    if tape is None:
        count.left_out["deleted in the meantime"] += 1
        return
    try:
        line = openai_line(tape, prompts)
        if request.format == "sharegpt":
            lost = [THOUGHTS] if has_thoughts(line) else []
            line = to_sharegpt(line)
            count.lost.update(lost)
    except UnfitTapeError as error:
        count.left_out[str(error)] += 1
        count.unfit[row.id] = str(error)
        return
    if request.with_annotations:
        line = {**line, "annotations": list_annotation_lines(project, row.id)}
    yield dump_line(line)


def _pair_lines(
    project: UUID, request: ExportRequest, row: TapeRow, count: ExportCount
) -> Iterator[str]:
    """Yield the pairs in which this tape is the better one; both sides must be allowed."""
    pairs = list_pairs(project, row.id)
    if not pairs:
        count.left_out["not the better tape of any pair"] += 1
    for pair in pairs:
        try:
            other = headers.load_header(pair.rejected_tape_id, project)
            reason = _find_reason(request, other)
            found = (
                None
                if reason
                else build_pair(project, pair.experiment_id, best=pair.best, worst=pair.worst)
            )
        except StudioError:  # a branch was deleted, or both now have the same text
            reason, found = "whose pair no longer exists", None
        if found is None:
            count.left_out[reason] += 1
            continue
        line = found.to_line()
        if request.with_annotations:
            line["annotations"] = list_annotation_lines(project, row.id)
        yield dump_line(line)


def _typed_columns(request: ExportRequest) -> list[TypedColumn]:
    columns = [type_column(column) for column in choose_columns(request.columns)]
    return [*columns, *([TypedColumn("annotations", "text")] if request.with_annotations else [])]


def _csv_row(project: UUID, request: ExportRequest, row: TapeRow) -> list[Any]:
    cells = [write_cell(column, row) for column in choose_columns(request.columns)]
    return [*cells, *_annotation_cell(project, request, row)]


def _annotation_cell(project: UUID, request: ExportRequest, row: TapeRow) -> list[str]:
    return [json.dumps(list_annotation_lines(project, row.id))] if request.with_annotations else []
