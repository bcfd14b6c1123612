"""The folder of a study: its settings, and what came of each of its pieces."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from optimize_app.case_study.settings import StudySettings
from tapes_app.engine.errors import ConflictError


class StudyFolder:
    """Remembers finished pieces, so that none is done twice."""

    def __init__(self, path: Path, settings: StudySettings) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        wanted = settings.model_dump(mode="json", exclude={"at_once"})
        kept = self.read("settings")
        if kept is None:
            self.write("settings", wanted)
            kept = wanted
        # A study that is older than a setting was made with its default.
        usual = StudySettings().model_dump(mode="json")
        changed = sorted(name for name in wanted if wanted[name] != kept.get(name, usual[name]))
        if changed:
            raise ConflictError(
                f"{path} has a study with other settings ({', '.join(changed)}). Choose another "
                "folder, or the same settings."
            )

    def read(self, piece: str) -> Any:
        """Return what was written of a piece; `None` if it is not there."""
        return read_piece(self.path, piece)

    def write(self, piece: str, value: Any) -> None:
        write_piece(self.path, piece, value)

    def write_text(self, name: str, text: str) -> None:
        _write_text(self.path / name, text)

    def make(self, piece: str, do: Callable[[], Any], say: Callable[[], None]) -> Any:
        """Return a piece, which is announced and made unless it is there."""
        found = self.read(piece)
        if found is None:
            say()
            found = do()
            self.write(piece, found)
        return found


def read_piece(place: Path, piece: str) -> Any:
    """Return what a study's folder has of a piece; `None` if that is not there."""
    file = place / f"{piece}.json"
    return json.loads(file.read_bytes()) if file.exists() else None


def write_piece(place: Path, piece: str, value: Any) -> None:
    _write_text(place / f"{piece}.json", json.dumps(value, indent=1, default=str))


def _write_text(file: Path, text: str) -> None:
    """Write a file at once, or not at all, also if two write it at a time."""
    draft = file.with_name(f".{file.name}.{uuid4().hex}.part")
    draft.write_text(text)
    draft.replace(file)


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines, except one that its writer was killed at."""
    if file.exists():
        with file.open("rb") as lines:
            yield from (json.loads(line) for line in lines if line.endswith(b"\n"))


def add_lines(file: Path, objects: Sequence[dict[str, Any]]) -> None:
    """Add objects after the last complete line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab+") as lines:
        lines.seek(0)
        complete = sum(len(line) for line in lines if line.endswith(b"\n"))
        lines.truncate(complete)
        for one in objects:
            lines.write(json.dumps(one).encode() + b"\n")
        lines.flush()
        os.fsync(lines.fileno())


def count_lines(file: Path) -> int:
    """Return how many whole lines a file has; 0 if it is not there."""
    if not file.exists():
        return 0
    with file.open("rb") as lines:
        return sum(line.endswith(b"\n") for line in lines)
