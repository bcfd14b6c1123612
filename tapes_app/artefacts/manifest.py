"""What an artefact is made of, as a value and as the file that others read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tapes_app.engine.errors import StudioError


class ArtefactError(StudioError):
    """The store of artefacts cannot be reached, or holds what it should not."""

    code = "artefacts"
    status = 503


@dataclass(frozen=True)
class StoredFile:
    """A file of an artefact."""

    sha256: str
    size: int


@dataclass(frozen=True)
class Manifest:
    """What an artefact is made of."""

    files: Mapping[str, StoredFile] = field(default_factory=dict)
    writer: str = ""
    """The data folder that it was last published from."""

    attempt: int = 0
    """Of the job that wrote it: who was replaced by a later attempt writes no more."""

    published_at: float = field(default=0.0, compare=False)
    """In seconds since 1970, by the clock of who published it."""


def write_manifest(manifest: Manifest) -> bytes:
    files = {path: [one.sha256, one.size] for path, one in manifest.files.items()}
    told = {
        "writer": manifest.writer,
        "attempt": manifest.attempt,
        "published_at": manifest.published_at,
        "files": files,
    }
    return json.dumps(told, indent=2).encode()


def read_manifest(content: bytes) -> Manifest:
    try:
        told: dict[str, Any] = json.loads(content)
        files = {_check(path): StoredFile(*one) for path, one in told["files"].items()}
        return Manifest(files, told["writer"], told["attempt"], told.get("published_at", 0.0))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArtefactError("A manifest in the store of artefacts cannot be read.") from error


def _check(path: str) -> str:
    """Return a path that leads nowhere but into its folder."""
    parts = PurePosixPath(path).parts
    if not parts or any(part in ("/", "..") or part.startswith(".") for part in parts):
        raise ValueError(path)
    return path
