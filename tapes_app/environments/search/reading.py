"""Documents of a folder as text: read once by a separate program, and kept by their contents."""

import hashlib
import json
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapes_app.engine.errors import AgentRunError
from tapes_app.environments.search.folders import (
    MOST_FILES,
    DocumentFolders,
    FoundDocument,
)
from tapes_app.environments.search.pages import DocumentText
from tapes_app.environments.search.reading_program import MOST_SECONDS
from tapes_app.sandbox.program import LineProgram

LONGEST_READING_SECONDS = 90.0
"""For all documents that a run finds unread; what was read until then is kept."""

MOST_FOLDER_CHARACTERS = 20_000_000
"""Of all documents of a folder, since each worker that searches them holds them in memory."""

_PROGRAM = "tapes_app.environments.search.reading_program"
_PATIENCE_SECONDS = MOST_SECONDS + 40
_VERSION = 1
"""To be raised when documents are read in another way: what was kept is then read again."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a folder: its text, or why it has none."""

    id: str
    text: DocumentText | None
    problem: str = ""


def read_folder(
    folders: DocumentFolders,
    name: str,
    found: list[FoundDocument],
    *,
    seconds: float,
    is_again: bool = False,
) -> list[Document]:
    """Return all documents of a folder; those that were read before come from what was kept.

    `is_again`: try also those again that could not be read.

    Raises:
        AgentRunError: reading them all takes longer than `seconds`.
    """
    kept = _KeptTexts(folders.texts / name if folders.texts else None)
    program = LineProgram(_PROGRAM, lambda: _describe(folders), patience_seconds=_PATIENCE_SECONDS)
    deadline = time.monotonic() + seconds
    documents: list[Document] = []
    length = 0
    try:
        for number, one in enumerate(found):
            if time.monotonic() > deadline:
                raise AgentRunError(
                    f"Reading the documents of {name!r} takes long: after {seconds:g} seconds, "
                    f"{number} of {len(found)} are read, and kept. Resume to go on, or run "
                    f"`manage.py documents read {name}` first.",
                    folder=name,
                )
            if number >= MOST_FILES:
                problem = f"a folder has at most {MOST_FILES:,} documents; split it"
                documents.append(Document(one.id, None, problem))
            elif one.problem:
                documents.append(Document(one.id, None, one.problem))
            else:
                document = _read(one, kept, program, is_again=is_again)
                length += sum(map(len, document.text.pages)) if document.text else 0
                documents.append(document if length <= MOST_FOLDER_CHARACTERS else _refuse(one))
    finally:
        program.end()
    kept.drop_unused()
    return documents


def _refuse(found: FoundDocument) -> Document:
    most = MOST_FOLDER_CHARACTERS // 1_000_000
    return Document(found.id, None, f"the folder has over {most} million characters; split it")


def _read(
    found: FoundDocument, kept: "_KeptTexts", program: LineProgram, *, is_again: bool
) -> Document:
    try:
        digest = _digest(found)
    except OSError as error:
        return Document(found.id, None, f"it cannot be opened: {error.strerror}")
    answer = kept.find(digest)
    if answer is None or (is_again and "problem" in answer):
        try:
            answer = program.ask(json.dumps({"path": str(found.path)}))
        except (OSError, ValueError):
            answer = {"problem": "the program that reads it ended or hung", "is_passing": True}
        if not answer.get("is_passing"):
            kept.keep(digest, answer)
    if "problem" in answer:
        return Document(found.id, None, answer["problem"])
    return Document(found.id, DocumentText(answer["title"], tuple(answer["pages"]), answer["note"]))


def _digest(found: FoundDocument) -> str:
    """Return what is another one if the file would be read in another way."""
    digest = hashlib.blake2b(f"{_VERSION} {found.path.name}\n".encode(errors="replace"))
    file = os.open(found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(file, "rb") as opened:
        while piece := opened.read(1024**2):
            digest.update(piece)
    return digest.hexdigest()[:32]


def _describe(folders: DocumentFolders) -> dict[str, Any]:
    return {
        "path": sys.path,
        "hidden": [str(folders.hidden)] if folders.hidden else [],
        "may_be_unwalled": folders.may_be_unwalled,
    }


class _KeptTexts:
    """Files with what documents said, by digest; several workers may read and write them."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._used: set[str] = set()

    def find(self, digest: str) -> dict[str, Any] | None:
        self._used.add(f"{digest}.json")
        if self._folder is None:
            return None
        try:
            answer = json.loads((self._folder / f"{digest}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return answer if isinstance(answer, dict) else None

    def keep(self, digest: str, answer: dict[str, Any]) -> None:
        if self._folder is None:
            return
        with suppress(OSError):  # it is read again the next time
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self._folder / f".{digest}.{os.getpid()}.{threading.get_ident()}"
            fresh.write_text(json.dumps(answer), "utf-8")
            fresh.replace(self._folder / f"{digest}.json")

    def drop_unused(self) -> None:
        """Remove what belongs to documents that are gone or have changed."""
        if self._folder is None or not self._folder.is_dir():
            return
        for path in self._folder.glob("*.json"):
            if path.name not in self._used:
                path.unlink(missing_ok=True)
