"""Writing tapes as one file, a page of tapes at a time: lines, a table, or a zip of files."""

import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, assert_never
from uuid import UUID

from tapes_app.annotation.services.lines import list_said
from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape import Tape
from tapes_app.exchange.services.export_request import SPLITS, ExportRequest
from tapes_app.exchange.services.export_table import (
    choose_columns,
    read_cell,
    type_column,
    write_cell,
)
from tapes_app.exchange.services.export_targets import ExportTarget, ZipTarget
from tapes_app.exchange.services.exports import ExportReport, export_pages
from tapes_app.exchange.services.project_exports import write_project
from tapes_app.exchange.store.prompts import load_told_beside
from tapes_app.experiments.services.preference_pairs import list_pairs, make_pair
from tapes_app.interchange.chat_lines import dump_line, openai_line, sharegpt_line
from tapes_app.interchange.chat_turns import RecordedPrompts, UnfitTapeError
from tapes_app.interchange.csv_table import write_csv_rows
from tapes_app.interchange.parquet_table import TypedColumn, write_parquet
from tapes_app.library.store import lists as tape_lists
from tapes_app.library.store.plans import TapeFilter
from tapes_app.tapes.rows import TapeRow
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store.list_rows import ANSWERS, read_answers

_PAGE = 100
Tell = Callable[[int, int], None]
"""Takes how many tapes are done, of how many; may raise to stop."""


@dataclass
class ExportCount:
    """What went into a file, and what was left out, by reason."""

    tapes: int = 0
    lines: int = 0
    """Lines, rows, or files of a zip."""

    left_out: Counter[str] = field(default_factory=Counter)
    unfit: dict[UUID, str] = field(default_factory=dict)
    """Tapes that the format cannot hold, and why; counted among those left out too."""

    def leave_out(self, tape_id: UUID, reason: str) -> None:
        """Count a tape that the format cannot hold."""
        self.left_out[reason] += 1
        self.unfit[tape_id] = reason


def write_export(
    project: UUID, where: TapeFilter, request: ExportRequest, path: Path, tell: Tell
) -> ExportCount:
    """Write tapes into a file as was asked for, newest first."""
    if request.format == "project":
        tapes, files = write_project(project, path, tell)
        return ExportCount(tapes=tapes, lines=files)
    if request.format == "tapeagents":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            target = ZipTarget(archive)
            report = write_files(
                project,
                where,
                target,
                with_annotations=request.with_annotations,
                tell=tell,
                scratch=path.parent,
            )
        return ExportCount(tapes=report.tapes, lines=len(report.files))
    count, pages = ExportCount(), _read_pages(project, where, request, tell)
    if request.format == "parquet":
        with path.open("wb") as table:
            rows = chain.from_iterable(pages)
            write_parquet(table, _typed_columns(request), _table(project, request, rows, count))
        return count
    with path.open("w", encoding="utf-8", newline="") as file:
        if request.format == "csv":
            file.write(write_csv_rows([_header(request)]))
        for page in pages:
            file.writelines(_write_page(project, request, page, count))
    return count


def write_files(
    project: UUID,
    where: TapeFilter,
    target: ExportTarget,
    *,
    with_annotations: bool = False,
    tell: Tell = lambda _, __: None,
    scratch: Path | None = None,
) -> ExportReport:
    """Write tapes as TapeAgents files; a whole batch with its calls that no step shows."""
    pages = read_pages(project, where, tell)
    tape_ids = ([row.id for row in page] for page in pages)
    return export_pages(
        project,
        tape_ids,
        target,
        batch=where.whole_batch,
        with_annotations=with_annotations,
        scratch=scratch,
    )


def read_pages(
    project: UUID, wanted: TapeFilter, tell: Tell = lambda _, __: None
) -> Iterator[Sequence[TapeRow]]:
    """Give the tapes of a list a page at a time, newest first, and say how far that is."""
    total = tape_lists.count_tapes(project, wanted)
    done, after = 0, None
    while True:
        tell(done, total)
        page = tape_lists.list_tapes(project, wanted, after=after, limit=_PAGE)
        yield page.items
        done, after = done + len(page.items), page.next
        if after is None:
            tell(done, max(done, total))
            return


def _read_pages(
    project: UUID, where: TapeFilter, request: ExportRequest, tell: Tell
) -> Iterator[Sequence[TapeRow]]:
    has_answers = request.is_table and not set(choose_columns(request.columns)).isdisjoint(ANSWERS)
    for page in read_pages(project, where, tell):
        yield _with_answers(page) if has_answers else page


def _with_answers(rows: Sequence[TapeRow]) -> list[TapeRow]:
    """Return rows of a list, which show the beginning of an answer, with the whole of it."""
    answers = read_answers([row.id for row in rows])
    # A tape that was deleted for good since its page was read keeps what the list shows.
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
    """Return why a tape may not go into a training format; empty when it may."""
    if not request.is_for_training:
        return ""
    if row.is_kept_from_training:
        return "excluded from training"
    return "" if row.split in SPLITS[request.split] else "in another split"


def _lines_of(
    project: UUID, request: ExportRequest, rows: Sequence[TapeRow], count: ExportCount
) -> Iterator[Iterable[str]]:
    """Give the lines of each tape."""
    match request.format:
        case "csv":
            for row in rows:
                yield [write_csv_rows([_csv_row(project, request, row)])]
        case "openai" | "sharegpt":
            tape_ids = [row.id for row in rows]
            tapes = tape_loading.load_tapes(tape_ids, project)
            beside = load_told_beside(project, tape_ids)
            for row, tape in zip(rows, tapes, strict=True):
                told = RecordedPrompts.of(*beside.get(row.id, ((), ())))
                yield _chat_lines(project, request, row, tape, told, count)
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
    told: RecordedPrompts,
    count: ExportCount,
) -> Iterator[str]:
    if tape is None:
        count.left_out["deleted in the meantime"] += 1
        return
    write_line = openai_line if request.format == "openai" else sharegpt_line
    try:
        line = write_line(tape, told)
    except UnfitTapeError as error:
        count.leave_out(row.id, str(error))
        return
    if request.with_annotations:
        line = {**line, "annotations": list_said(project, row.id)}
    yield dump_line(line)


def _pair_lines(
    project: UUID, request: ExportRequest, row: TapeRow, count: ExportCount
) -> Iterator[str]:
    """Give the pairs in which this tape is the better one; both sides must be allowed."""
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
                else make_pair(project, pair.experiment_id, best=pair.best, worst=pair.worst)
            )
        except StudioError:  # a branch is gone, or was changed until both say the same
            reason, found = "whose pair no longer exists", None
        if found is None:
            count.left_out[reason] += 1
            continue
        line = found.to_line()
        if request.with_annotations:
            line["annotations"] = list_said(project, row.id)
        yield dump_line(line)


def _typed_columns(request: ExportRequest) -> list[TypedColumn]:
    columns = [type_column(column) for column in choose_columns(request.columns)]
    return [*columns, *([TypedColumn("annotations", "text")] if request.with_annotations else [])]


def _header(request: ExportRequest) -> list[str]:
    return [column.name for column in _typed_columns(request)]


def _csv_row(project: UUID, request: ExportRequest, row: TapeRow) -> list[Any]:
    cells = [write_cell(column, row) for column in choose_columns(request.columns)]
    return [*cells, *_annotation_cell(project, request, row)]


def _annotation_cell(project: UUID, request: ExportRequest, row: TapeRow) -> list[str]:
    return [json.dumps(list_said(project, row.id))] if request.with_annotations else []
