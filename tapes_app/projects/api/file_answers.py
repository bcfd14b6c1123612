"""File downloads: sent in pieces, completely or from where a download broke off."""

import asyncio
import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

from tapes_app.projects.services.downloads import Download

_PIECE_BYTES = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def answer_download(download: Download) -> StreamingHttpResponse:
    """Send a file without holding it in memory, and delete it once it was sent."""
    answer = StreamingHttpResponse(_read_and_remove(download), content_type=download.content_type)
    answer["Content-Length"] = str(download.path.stat().st_size)
    _name(answer, download)
    return answer


def answer_resumable(request: HttpRequest, download: Download) -> HttpResponseBase:
    """Send a permanent file, or the part of it that `Range` requests (RFC 9110, 14).

    Only a single range is supported; for several ranges, or for a range of another version of the
    file, the complete file is sent.
    """
    stat = download.path.stat()
    size, tag = stat.st_size, f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'
    wanted = request.headers.get("Range", "")
    known = request.headers.get("If-Range", tag)
    part = _read_range(wanted, size) if known == tag else None
    if part is not None and part.start >= part.end:
        body = {
            "code": "range_not_satisfiable",
            "message": f"The file has {size} bytes; request a range within them.",
            "details": {},
        }
        answer: HttpResponseBase = JsonResponse(
            body, status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        )
        answer["Content-Range"] = f"bytes */{size}"
        return answer
    start, end = part or (0, size)
    answer = StreamingHttpResponse(
        _read_part(download.path, start, end), content_type=download.content_type
    )
    if part is not None:
        answer.status_code = HTTPStatus.PARTIAL_CONTENT
        answer["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    answer["Content-Length"] = str(end - start)
    answer["Accept-Ranges"] = "bytes"
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    _name(answer, download)
    return answer


class _Part(NamedTuple):
    """A byte range, the end exclusive; empty if it starts past the end of the file."""

    start: int
    end: int


def _read_range(header: str, size: int) -> _Part | None:
    """Return the range that a header requests; `None` if it requests everything, or is invalid."""
    match = _RANGE.fullmatch(header.strip())
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        return _Part(max(0, size - int(match[2])), size) if int(match[2]) else _Part(size, size)
    start = int(match[1])
    last = int(match[2]) if match[2] else size - 1
    if last < start <= size - 1:
        return None
    return _Part(start, min(last + 1, size))


def _name(answer: HttpResponseBase, download: Download) -> None:
    disposition = content_disposition_header(as_attachment=True, filename=download.name)
    answer["Content-Disposition"] = disposition or "attachment"


async def _read_part(path: Path, start: int, end: int) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    with file:
        await asyncio.to_thread(file.seek, start)
        left = end - start
        while left and (piece := await asyncio.to_thread(file.read, min(left, _PIECE_BYTES))):
            left -= len(piece)
            yield piece


async def _read_and_remove(download: Download) -> AsyncIterator[bytes]:
    try:
        size = (await asyncio.to_thread(download.path.stat)).st_size
        async for piece in _read_part(download.path, 0, size):
            yield piece
    finally:
        await asyncio.to_thread(download.remove)
