"""Files of examples: kept for a day, inspected, and previewed before anything is written."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from tapes_app.artefacts.opening import artefacts
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.tape.tape import Split
from tapes_app.exchange.domain.example_cells import CHECKS
from tapes_app.exchange.domain.example_mapping import (
    Example,
    ExampleMapping,
    find_value,
    list_columns,
    suggest_mapping,
)
from tapes_app.exchange.domain.row_counts import LeftOutRows, RowCount, map_rows
from tapes_app.exchange.services.uploads import check_upload_size
from tapes_app.experiments.domain.check_kinds import describe_check
from tapes_app.interchange.example_rows import (
    Row,
    RowFormat,
    check_row_count,
    find_format,
    read_rows,
)
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.refusals import MEBIBYTE, FormatProblem, refusal
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.step_facts import title_of

LOOKED_AT = 1_000
SHOWN_ROWS = 20
_SHOWN = 300
_LONGEST_LOOK = 16 * MEBIBYTE
_KIND = "example_files"
_LIFETIME_SECONDS = 24 * 3600.0


class KeptFile(FrozenModel):
    """A file of examples: where it is stored, and its original name."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class ExampleColumn:
    """A column of a file, with its first value."""

    name: str
    first: str


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """An uploaded file from which no tapes were created yet."""

    id: UUID
    """Kept for a day."""

    name: str
    format: RowFormat
    columns: list[ExampleColumn]
    """Columns of the first thousand rows; those of an object by its fields, as `item.question`."""

    suggested: ExampleMapping | None
    """Suggested from the usual names; `None` if no column is named like a message."""


@dataclass(frozen=True, slots=True)
class PreviewedExample:
    """A row, with the example it would become."""

    row: int
    message: str
    expected: str
    id: str
    task: str
    split: Split
    metadata: dict[str, Any]
    check: str
    """What passes, as a sentence; empty: the expected answer."""

    state: str
    """The environment's initial state, as JSON; empty if unspecified."""

    attack: str
    """The instruction that is planted; empty if there is none."""


@dataclass(frozen=True, slots=True)
class ExamplePreview:
    """What the first thousand rows of a file would become."""

    rows: list[PreviewedExample]
    """The first twenty rows."""

    looked_at: int
    example_count: int
    left_out: list[LeftOutRows]
    lost: list[LeftOutRows]
    """Examples that can be imported only in part, with what is lost."""


def keep_file(person: Person, file: UploadedFile[Any]) -> ExampleFile:
    """Keep a file for a day, and return what it contains.

    Raises:
        UploadTooLargeError: it exceeds the studio's limit.
        ImportRefusedError: it has no readable rows, or too many.
        ArtefactError: the artefact store cannot be reached.
    """
    check_upload_size(file.size or 0)
    artefacts().remove_older(_KIND, _LIFETIME_SECONDS)
    file_id = uuid4()
    folder = _folder_of(person.project_id, file_id)
    try:
        folder.mkdir(mode=0o700, parents=True)
        (folder / "name").write_text(clean_name(file.name or "") or "examples", "utf-8")
        with (folder / "file").open("wb") as target:
            for piece in file.chunks():
                target.write(piece)
        kept = load_file(person, file_id)
        stored = find_kept(person.project_id, file_id)
        with refusing(stored):
            check_row_count(stored.path, stored.name)
        artefacts().publish(_artefact_of(person.project_id, file_id))
    except BaseException:
        artefacts().remove(_artefact_of(person.project_id, file_id))
        raise
    return kept


def load_file(person: Person, file_id: UUID) -> ExampleFile:
    """Return what a kept file contains.

    Raises:
        NotFoundError: the project has no such file, or the file has expired after a day.
        ImportRefusedError: it has no readable rows.
    """
    kept = find_kept(person.project_id, file_id)
    with refusing(kept):
        rows = read_first_rows(kept)
        sound = [row.values for row in rows if not row.problem]
        columns = list_columns(sound)
        if not columns:
            raise FormatProblem(rows[0].problem if rows else "it has no rows")
        return ExampleFile(
            id=file_id,
            name=kept.name,
            format=find_format(kept.path, kept.name),
            columns=[ExampleColumn(name, _show(_first(sound, name))) for name in columns],
            suggested=suggest_mapping(columns),
        )


def find_kept(project: UUID, file_id: UUID) -> KeptFile:
    """Return where a kept file is stored.

    Raises:
        NotFoundError: the project has no such file, or the file has expired after a day.
    """
    folder = _folder_of(project, file_id)
    if not (folder / "file").is_file():
        artefacts().fetch(_artefact_of(project, file_id))
    if not (folder / "file").is_file():
        raise NotFoundError("There is no such file; files are kept for a day. Upload it again.")
    return KeptFile(path=folder / "file", name=(folder / "name").read_text("utf-8"))


def preview_examples(person: Person, file_id: UUID, mapping: ExampleMapping) -> ExamplePreview:
    """Return what the first rows of a file would become, without writing anything.

    Raises:
        NotFoundError: the project has no such file.
        InvalidInputError: the file lacks some of the columns.
        ImportRefusedError: it cannot be read.
    """
    kept = find_kept(person.project_id, file_id)
    count = RowCount()
    shown: list[PreviewedExample] = []
    with refusing(kept):
        rows = read_first_rows(kept)
    require_columns(mapping, rows)
    for row, example in map_rows(rows, mapping, count):
        if len(shown) < SHOWN_ROWS:
            shown.append(_show_example(row.number, example))
    return ExamplePreview(
        shown, count.rows, count.examples, count.list_left_out(), count.list_lost()
    )


def read_first_rows(file: KeptFile) -> list[Row]:
    """Return the first thousand rows, or fewer if they are long.

    Raises:
        FormatProblem: the file cannot be read.
    """
    rows: list[Row] = []
    size = 0
    for row in read_rows(file.path, file.name):
        rows.append(row)
        size += row.size
        if len(rows) == LOOKED_AT or size > _LONGEST_LOOK:
            break
    return rows


def require_columns(mapping: ExampleMapping, rows: Iterable[Row]) -> None:
    """Refuse columns that none of the first rows has.

    Raises:
        InvalidInputError: some columns are missing; the message names them.
    """
    sound = [row.values for row in rows if not row.problem]
    missing = [name for name in mapping.columns if all(not _has(row, name) for row in sound)]
    if missing:
        named = ", ".join(repr(fit_line(name, 100)) for name in missing[:5])
        there = ", ".join(repr(fit_line(name, 100)) for name in list_columns(sound)[:20])
        raise InvalidInputError(
            f"No row of the file has {named}; its columns are {there}.",
            missing=missing[:20],
        )


@contextmanager
def refusing(file: KeptFile) -> Iterator[None]:
    """Turn a format problem into an error that names the file.

    Raises:
        ImportRefusedError: the file has a problem.
    """
    try:
        yield
    except FormatProblem as problem:
        raise refusal(file.name, problem.reason, position=problem.position) from problem


def _has(row: dict[str, Any], name: str) -> bool:
    return name in row or find_value(row, name) is not None


def _first(rows: Iterable[dict[str, Any]], column: str) -> Any:
    found = (find_value(row, column) for row in rows)
    return next((value for value in found if value not in (None, "")), "")


def _show(value: Any) -> str:
    return fit_line(value if isinstance(value, str) else repr(value), _SHOWN)


def _show_example(row: int, example: Example) -> PreviewedExample:
    return PreviewedExample(
        row=row,
        message=fit_line(title_of(example.write("")), _SHOWN),
        expected=fit_line(example.expected, _SHOWN),
        id=example.id,
        task=fit_line(example.task, _SHOWN),
        split=example.split,
        metadata={name: _show(value) for name, value in example.metadata.items()},
        check=_show_check(example),
        state="" if example.state is None else fit_line(canonical_json(example.state), _SHOWN),
        attack=fit_line(example.attack.plant.instruction, _SHOWN) if example.attack else "",
    )


def _show_check(example: Example) -> str:
    check = None if example.check is None else CHECKS.validate_python(example.check)
    return "" if check is None else fit_line(describe_check(check), _SHOWN)


def _folder_of(project: UUID, file_id: UUID) -> Path:
    return Path(settings.STUDIO_DATA_DIR) / _artefact_of(project, file_id)


def _artefact_of(project: UUID, file_id: UUID) -> str:
    return f"{_KIND}/{project}.{file_id}"
