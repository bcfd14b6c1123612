"""A project as one zip file: its layout, and unpacking it without trusting it.

Each batch is a folder of the files that an export of tapes writes. Next to the folders are the
annotations of people and judges, the agents as specs, the marks of tapes, the tapes of each dataset
and of each of its versions, and the tapes waiting in each annotation queue.
"""

import re
import shutil
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import first_reason
from tapes_app.engine.tape.tape import Split
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.refusals import DEFAULT_LIMITS, ImportLimits

MANIFEST_NAME = "project.json"
AGENTS_NAME = "agents.jsonl"
DATASETS_NAME = "datasets.jsonl"
MARKS_NAME = "marks.jsonl"
RUBRICS_NAME = "rubrics.jsonl"
QUEUES_NAME = "queues.jsonl"
_MEMBER = re.compile(
    r"(?P<part>batches/[0-9]{5}/|annotations/(?=[0-9]{5}\.jsonl\Z))?"
    r"(?P<rest>(?(part)[^\0]+|(project\.json|(agents|datasets|marks|rubrics|queues)\.jsonl)))"
)
_MOST_MEMBERS = 1_000_000
_MOST_TEXT_BYTES = 256 * 1024**2
"""Limit for each file other than tapes, calls and annotations: such a file is read in one go."""

Line = TypeVar("Line", bound=BaseModel)


class ProjectFileError(InvalidInputError):
    """A file is not an exported project, or is damaged."""

    code = "not_a_project_file"


class BatchPart(FrozenModel):
    """A batch of the file; batches are numbered from 1, in order."""

    name: str = Field(min_length=1, max_length=300)


class ProjectManifest(FrozenModel):
    """`project.json`."""

    format: Literal["tape-studio-project"] = "tape-studio-project"
    version: Literal[1] = 1
    name: str = Field(min_length=1, max_length=200)
    batches: tuple[BatchPart, ...] = ()


class VersionPart(FrozenModel):
    """A version of a dataset."""

    number: int = Field(ge=1, le=1_000_000)
    created_at: datetime
    expected: dict[str, str]
    """Its tapes, by the ids that they have in their files, each with its expected result."""


class DatasetPart(FrozenModel):
    """A line of `datasets.jsonl`; tapes by the ids that they have in their files."""

    name: str = Field(min_length=1, max_length=200)
    description: str = ""
    tapes: tuple[str, ...] = ()
    versions: tuple[VersionPart, ...] = ()
    """Oldest first; only versions whose tapes are all in the file."""


class MarkPart(FrozenModel):
    """A line of `marks.jsonl`: the marks people set on a tape in the list."""

    tape: str
    """The id that it has in its file."""

    title: str = ""
    tags: tuple[str, ...] = ()
    is_pinned: bool = False
    is_archived: bool = False
    is_kept_from_training: bool = False
    split: Split = ""
    task: str = ""
    expected: str = ""
    outcome: Literal["", "pass", "fail"] = ""
    score: float | None = Field(default=None, allow_inf_nan=False)


class RubricPart(FrozenModel):
    """A line of `rubrics.jsonl`: a rubric in its newest version."""

    name: str = Field(min_length=1, max_length=200)
    rubric: dict[str, Any]


class ItemPart(FrozenModel):
    """An item waiting in a queue: a tape, a pair of tapes, or a step of a tape."""

    tape: str
    other: str = ""
    """The other tape of a pair; which of the two is shown on the left is drawn again."""

    position: int | None = Field(default=None, ge=0)


class QueuePart(FrozenModel):
    """A line of `queues.jsonl`: an annotation queue, without people and their answers."""

    name: str = Field(min_length=1, max_length=200)
    mode: Literal["single", "pairwise"]
    rubric_name: str = Field(min_length=1, max_length=200)
    rubric: dict[str, Any]
    """In the version that the queue uses."""

    annotators_per_item: int = Field(ge=1, le=1000)
    audit_percent: float = Field(ge=0, le=100)
    lock_minutes: int = Field(ge=1, le=100_000)
    items: tuple[ItemPart, ...] = ()


class ProjectFile(FrozenModel):
    """An exported project, unpacked, with everything except its tapes parsed."""

    folder: Path
    manifest: ProjectManifest
    agents: tuple[AgentSpec, ...]
    """All versions of all agents, oldest first."""

    datasets: tuple[DatasetPart, ...]
    marks: tuple[MarkPart, ...]
    rubrics: tuple[RubricPart, ...]
    queues: tuple[QueuePart, ...]

    def tapes_of(self, number: int) -> Path:
        """Return the folder with a batch's files; it does not exist if the batch has no tapes."""
        return self.folder / batch_folder(number)

    def annotations_of(self, number: int) -> Path:
        """Return the file with the annotations of a batch's tapes; it may not exist."""
        return self.folder / annotations_name(number)


def batch_folder(number: int) -> str:
    """Return the folder of a batch's files."""
    return f"batches/{number:05}"


def annotations_name(number: int) -> str:
    """Return the file name of a batch's annotations."""
    return f"annotations/{number:05}.jsonl"


@contextmanager
def open_project_file(path: Path, limits: ImportLimits = DEFAULT_LIMITS) -> Iterator[ProjectFile]:
    """Unpack an exported project into a folder that is deleted afterwards.

    Raises:
        ProjectFileError: it is not one, is damaged, or would unpack to too much.
    """
    with TemporaryDirectory(prefix="project-") as name:
        folder = Path(name)
        try:
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, folder, limits)
        except OSError as error:
            raise ProjectFileError(f"{path.name!r} cannot be read: {error.strerror}.") from error
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
            raise ProjectFileError(f"{path.name!r} is not a zip file, or is damaged.") from error
        except ValueError as error:
            raise ProjectFileError(f"{path.name!r} contains an invalid file name.") from error
        manifest = _read_lines(folder, MANIFEST_NAME, ProjectManifest, is_one=True)
        if len(manifest) != 1:
            raise ProjectFileError(f"{path.name!r} is not an exported project: it has no manifest.")
        yield ProjectFile(
            folder=folder,
            manifest=manifest[0],
            agents=_read_lines(folder, AGENTS_NAME, AgentSpec),
            datasets=_read_lines(folder, DATASETS_NAME, DatasetPart),
            marks=_read_lines(folder, MARKS_NAME, MarkPart),
            rubrics=_read_lines(folder, RUBRICS_NAME, RubricPart),
            queues=_read_lines(folder, QUEUES_NAME, QueuePart),
        )


def _unpack(archive: zipfile.ZipFile, folder: Path, limits: ImportLimits) -> None:
    """Write the members under our own names; `zipfile` yields no more of one than it declares."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    size = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if len(members) > _MOST_MEMBERS or size > shutil.disk_usage(folder).free // 2:
        raise ProjectFileError("It unpacks to more than there is space for.")
    if limits.is_bomb(size, packed):
        raise ProjectFileError(f"It unpacks to more than {limits.max_ratio} times its size.")
    for member in members:
        known = _MEMBER.fullmatch(member.filename)
        name = known and (known["part"] or "") + clean_name(known["rest"])
        if known is None or not name or not clean_name(known["rest"]):
            raise ProjectFileError(
                f"It is not an exported project: {member.filename[:80]!r} does not belong in one."
            )
        target = folder / name
        if target.exists():
            raise ProjectFileError(f"It holds {name!r} twice.")
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file)


def _read_lines(
    folder: Path, name: str, kind: type[Line], *, is_one: bool = False
) -> tuple[Line, ...]:
    path = folder / name
    if not path.is_file():
        return ()
    if path.stat().st_size > _MOST_TEXT_BYTES:
        raise ProjectFileError(f"{name} is larger than {_MOST_TEXT_BYTES:,} bytes.")
    text = path.read_bytes().removeprefix(BOM_UTF8)
    lines = [text] if is_one else text.splitlines()
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            place = name if is_one else f"{name}, line {number}"
            raise ProjectFileError(f"{place}: {first_reason(error)}.") from error
    return tuple(found)
