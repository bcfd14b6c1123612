"""An artefact's contents, as a value and as the file that others read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tapes_app.engine.errors import StudioError


class ArtefactError(StudioError):
    """The artefact store cannot be reached, or contains invalid data."""

    code = "artefacts"
    status = 503


@dataclass(frozen=True)
class StoredFile:
    """A file of an artefact."""

    sha256: str
    size: int


@dataclass(frozen=True)
class Manifest:
    """The contents of an artefact."""

    files: Mapping[str, StoredFile] = field(default_factory=dict)
    writer: str = ""
    """The data folder that it was last published from."""

    attempt: int = 0
    """The attempt of the job that wrote it: a later attempt locks out earlier ones."""

    published_at: float = field(default=0.0, compare=False)
    """In seconds since 1970, by the publisher's clock."""


def write_manifest(manifest: Manifest) -> bytes:
    files = {path: [one.sha256, one.size] for path, one in manifest.files.items()}
    fields = {
        "writer": manifest.writer,
        "attempt": manifest.attempt,
        "published_at": manifest.published_at,
        "files": files,
    }
    return json.dumps(fields, indent=2).encode()


def read_manifest(content: bytes) -> Manifest:
    try:
        fields: dict[str, Any] = json.loads(content)
        files = {_check(path): StoredFile(*one) for path, one in fields["files"].items()}
        return Manifest(files, fields["writer"], fields["attempt"], fields.get("published_at", 0.0))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArtefactError("A manifest in the artefact store cannot be read.") from error


def _check(path: str) -> str:
    """Return the path if it stays inside its folder."""
    parts = PurePosixPath(path).parts
    if not parts or any(part in ("/", "..") or part.startswith(".") for part in parts):
        raise ValueError(path)
    return path
