"""Which tapes go into which file: imported ones into the file that they came from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.tape_codec import SourceForm, TapeSource

DATABASE_NAME = "tapedata.sqlite"
_ENDINGS: dict[SourceForm, tuple[str, ...]] = {
    "json": (".json",),
    "json_list": (".json",),
    "yaml": (".yaml", ".yml"),
    "tapedata": (".sqlite", ".sqlite3", ".db"),
    "chat": (".jsonl", ".json"),
}
_TITLE_LENGTH = 60


class ExportedTape(BaseModel):
    """A tape to export: its id here, a title, and where it came from if from a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: UUID
    title: str
    source: TapeSource | None


class PlannedFile(BaseModel):
    """A file to write, with its tapes in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    form: SourceForm
    tapes: tuple[ExportedTape, ...]


def plan_files(tapes: Iterable[ExportedTape]) -> list[PlannedFile]:
    """Group tapes by file. No two files get the same name, not even apart from case."""
    groups: dict[tuple[str, SourceForm, str], list[ExportedTape]] = {}
    for tape in tapes:
        source = tape.source
        if source is None:
            groups[(_own_name(tape), "json", str(tape.id))] = [tape]
            continue
        # Two tapes that each were a file of their own stay so, whatever their files were called.
        single = str(tape.id) if source.form == "json" else ""
        groups.setdefault((source_name(source.file, source.form), source.form, single), []).append(
            tape
        )
    taken: set[str] = set()
    return [
        PlannedFile(
            name=free_name(name, taken),
            form=form,
            tapes=tuple(sorted(members, key=lambda tape: tape.source.index if tape.source else 0)),
        )
        for (name, form, _), members in groups.items()
    ]


def source_name(file: str, form: SourceForm) -> str:
    """Return the name of a file that came in: cleaned, not packed, with an ending that fits."""
    name = clean_name(file)
    if name.lower().endswith(".gz"):
        name = name[:-3]
    endings = _ENDINGS[form]
    return name if name.lower().endswith(endings) else f"{name or 'tape'}{endings[0]}"


def free_name(name: str, taken: set[str]) -> str:
    """Return `name`, or the first numbered one that nobody has taken, and take it."""
    path = PurePosixPath(name)
    number = 1
    while name.lower() in taken:
        number += 1
        name = str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
    taken.add(name.lower())
    return name


def _own_name(tape: ExportedTape) -> str:
    words = clean_name(tape.title.replace("/", " ").replace("\\", " "))[:_TITLE_LENGTH].strip(" .")
    return f"{words or 'tape'} {tape.id.hex[:8]}.json"
