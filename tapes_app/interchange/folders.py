"""Files to import and names to export: folders are walked without following links."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.interchange.refusals import refusal

_ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".sqlite", ".sqlite3", ".db", ".eval")
_DATABASE_ENDINGS = (".sqlite", ".sqlite3", ".db")
_MAX_PARTS = 8
_MAX_PART_LENGTH = 100
_UNSAFE = re.compile(r"[^\w.,;=@+() -]+")
# Names that Windows reserves for devices, with any extension.
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?$")


class ImportFile(FrozenModel):
    """A file to import: its location, and the name the person knows it by."""

    path: Path
    name: str
    """Path inside its folder, cleaned; it is shown and stored, never opened."""

    is_asked_for: bool = True
    """Named by the person rather than found in a folder: if it is not a tape, that is an error."""


def collect_files(path: Path) -> list[ImportFile]:
    """Return the file, or the files of a folder that may hold tapes or calls, databases first.

    Raises:
        ImportRefusedError: there is nothing to import there.
    """
    if path.is_dir() and not path.is_symlink():
        found = [
            ImportFile(
                path=file, name=clean_name(file.relative_to(path).as_posix()), is_asked_for=False
            )
            for file in _walk(path)
        ]
        if not found:
            raise refusal(path.name, "the folder contains no JSON, YAML or SQLite files")
        return sort_for_import(found)
    if not path.exists() and not path.is_symlink():
        raise refusal(path.name, "no such file or folder")
    return [ImportFile(path=path, name=clean_name(path.name))]


def sort_for_import(files: list[ImportFile]) -> list[ImportFile]:
    """Put databases first, so that steps find their calls immediately."""
    return sorted(files, key=lambda file: (not _looks_like_database(file.name), file.name))


def _looks_like_database(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(_DATABASE_ENDINGS)


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            plain = name.lower().removesuffix(".gz")
            if not name.startswith(".") and plain.endswith(_ENDINGS):
                yield Path(parent) / name


def folder_name(path: Path) -> str:
    """Return the folder name of a path, or of the folder it is in: the name of its batch."""
    resolved = path.resolve()
    folder = resolved if resolved.is_dir() else resolved.parent
    return clean_name(folder.name) or "imported"


def clean_name(name: str) -> str:
    """Return a relative path of plain parts, whatever name a client or a file sent."""
    # File systems represent bytes that are not UTF-8 as lone surrogates.
    readable = name.encode("utf-8", "replace").decode()
    parts = [_clean_part(part) for part in re.split(r"[/\\]+", readable)]
    return "/".join([part for part in parts if part][-_MAX_PARTS:])


def _clean_part(part: str) -> str:
    cleaned = _UNSAFE.sub("_", part).strip(" .")
    if len(cleaned) > _MAX_PART_LENGTH:
        stem, dot, ending = cleaned.rpartition(".")
        ending = dot + ending[:20] if dot else ""
        cleaned = (stem or cleaned)[: _MAX_PART_LENGTH - len(ending)] + ending
    return f"_{cleaned}" if _DEVICES.match(cleaned) else cleaned
