"""Reads an image's format and size from its first bytes, without decoding it."""

from collections.abc import Callable
from typing import NamedTuple


class Raster(NamedTuple):
    """An image made of pixels; formats that can hold scripts or links are excluded."""

    media_type: str
    width: int
    height: int


def read_raster(data: bytes) -> Raster | None:
    """Return an image's format and size; `None` for anything but PNG, JPEG, GIF and WebP."""
    for media_type, start, read in _FORMATS:
        if data.startswith(start):
            size = read(data)
            return Raster(media_type, *size) if size is not None and all(size) else None
    return None


_Size = tuple[int, int] | None


def _png(data: bytes) -> _Size:
    if data[12:16] != b"IHDR" or not data[23:24]:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif(data: bytes) -> _Size:
    if not data[9:10]:
        return None
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def _webp(data: bytes) -> _Size:
    """RFC 9649: a lossy, a lossless or an extended image."""
    kind = data[8:16]
    if kind == b"WEBPVP8 ":
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return width, height
    if kind == b"WEBPVP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"WEBPVP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height
    return None


def _jpeg(data: bytes) -> _Size:
    """Walk over the segments to the frame header, which holds the size."""
    at = 2
    while at + 9 <= len(data) and data[at] == _MARK:
        marker = data[at + 1]
        if marker == _MARK:  # padding
            at += 1
            continue
        if marker in _FRAMES:
            height, width = (int.from_bytes(data[n : n + 2], "big") for n in (at + 5, at + 7))
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


_MARK = 0xFF
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Frame headers; the excluded numbers in their range are tables."""

_FORMATS: tuple[tuple[str, bytes, Callable[[bytes], _Size]], ...] = (
    ("image/png", b"\x89PNG\r\n\x1a\n", _png),
    ("image/jpeg", b"\xff\xd8\xff", _jpeg),
    ("image/gif", b"GIF87a", _gif),
    ("image/gif", b"GIF89a", _gif),
    ("image/webp", b"RIFF", _webp),
)
