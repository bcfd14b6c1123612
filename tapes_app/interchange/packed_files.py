"""Opens untrusted files: their type is detected from their bytes, and unpacking is bounded."""

import gzip
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO

from tapes_app.interchange.refusals import FormatProblem, ImportLimits

GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGIC = b"PK\x03\x04"
SQLITE_MAGIC = b"SQLite format 3\x00"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HEAD_BYTES = 4096
_CHUNK_BYTES = 64 * 1024

_FOREIGN_MAGICS = {
    b"\xfd7zXZ\x00": "it is compressed with xz; decompress it or use gzip",
    b"BZh": "it is compressed with bzip2; decompress it or use gzip",
    b"(\xb5/\xfd": "it is compressed with zstd; decompress it or use gzip",
    b"\x89PNG": "it is an image",
    b"%PDF": "it is a PDF document",
    b"\x7fELF": "it is an executable",
}

_UTF_16 = re.compile(rb"\xff\xfe|\xfe\xff|(?:[\t-~]\x00){2}|(?:\x00[\t-~]){2}")
"""How UTF-16 begins: with its byte order mark, or without one with two plain characters."""

_BINARY = re.compile(rb"[\x00-\x1f](?<![\t\n\r\x0c\x1b])")
"""Control characters that do not occur in text."""


class FileForm(Enum):
    """What the bytes of a file are."""

    JSON = "json"
    YAML = "yaml"
    SQLITE = "sqlite"
    ZIP = "zip"


def without_mark(beginning: bytes) -> bytes:
    """Return the beginning of a file without the byte order mark of UTF-8.

    Raises:
        FormatProblem: it is UTF-16, which nothing here reads.
    """
    if _UTF_16.match(beginning):
        raise FormatProblem("it is UTF-16 text; save it as UTF-8")
    return beginning.removeprefix(_BYTE_ORDER_MARK)


def read_text(content: bytes) -> str:
    """Return the text of a file.

    Raises:
        FormatProblem: it is not UTF-8.
    """
    try:
        return without_mark(content).decode()
    except UnicodeDecodeError as error:
        raise FormatProblem("it is not UTF-8 text", position=f"byte {error.start}") from error


class LimitedReader:
    """Reads a stream without its byte order mark; stops when it becomes larger than allowed."""

    def __init__(
        self,
        stream: BinaryIO | BufferedIOBase,
        limits: ImportLimits,
        packed: BinaryIO | None = None,
    ) -> None:
        """Read `stream`, which unpacks `packed`, if it is given."""
        self._stream = stream
        self._limits = limits
        self._packed = packed
        self._total = 0

    def read(self, size: int = _CHUNK_BYTES) -> bytes:
        try:
            chunk = self._stream.read(size)
        except EOFError as error:
            raise FormatProblem("the gzip file is truncated") from error
        except (OSError, zlib.error) as error:
            raise FormatProblem("the gzip file is corrupt") from error
        if not self._total:
            chunk = without_mark(chunk)
        self._total += len(chunk)
        if self._total > self._limits.max_unpacked_bytes:
            raise FormatProblem(
                f"it is larger than {self._limits.max_unpacked_bytes:,} bytes after decompression"
            )
        if self._packed is not None and self._limits.is_bomb(self._total, self._packed.tell()):
            raise FormatProblem(
                f"it decompresses to more than {self._limits.max_ratio} times its size, like "
                "a gzip bomb"
            )
        return chunk

    def chunks(self) -> Iterator[bytes]:
        while chunk := self.read():
            yield chunk


@contextmanager
def open_unpacked(path: Path, limits: ImportLimits) -> Iterator[LimitedReader]:
    """Open a file, decompressed if it is gzip, but never through a link.

    Raises:
        FormatProblem: it is not a regular file, or cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | _NONBLOCK)
    except OSError as error:
        if path.is_symlink():
            raise FormatProblem("it is a link to another file; use the file itself") from error
        raise FormatProblem(f"it cannot be opened: {error.strerror or 'unknown reason'}") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FormatProblem("it is not a regular file")
        head = file.read(len(GZIP_MAGIC))
        file.seek(0)
        if head != GZIP_MAGIC:
            yield LimitedReader(file, limits)
            return
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield LimitedReader(unpacked, limits, file)


_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for its other end


def is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def detect_form(path: Path, limits: ImportLimits) -> FileForm:
    """Detect the form of a file from its first bytes, whatever its name.

    Raises:
        FormatProblem: it is empty, or its form is not supported.
    """
    with open_unpacked(path, limits) as reader:
        head = reader.read(_HEAD_BYTES)
    if head.startswith(SQLITE_MAGIC):
        return FileForm.SQLITE
    if head.startswith(_ZIP_MAGIC):
        return FileForm.ZIP
    if head.startswith(GZIP_MAGIC):
        raise FormatProblem("it is compressed twice; decompress it once")
    for magic, reason in _FOREIGN_MAGICS.items():
        if head.startswith(magic):
            raise FormatProblem(reason)
    text = head.lstrip()
    if not text:
        raise FormatProblem("it is empty" if len(head) < _HEAD_BYTES else "it is blank")
    if _BINARY.search(text):
        raise FormatProblem("it is binary, neither text nor an SQLite database")
    return FileForm.JSON if text[:1] in (b"{", b"[") else FileForm.YAML
