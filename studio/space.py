"""Disk space: a start or an upload that would use it up is refused before it begins."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings

from tapes_app.engine.errors import StudioError

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_SMALL_BYTES = 64 * 1024
"""Requests of this size or less are commands, and are always read."""

_MOST_DIGITS = 19

TOO_LITTLE_SPACE = (
    "The disk of the studio has too little space for this. Send it again when there is more."
)


class NoSpaceError(StudioError):
    """Too little space is left on the disk."""

    code = "no_space"
    status = HTTPStatus.INSUFFICIENT_STORAGE


def require_space(folder: Path, size: int = 0) -> None:
    """Check that this many bytes may be written into a folder.

    Raises:
        NoSpaceError: less than STUDIO_SPARE_BYTES would be left.
    """
    free = shutil.disk_usage(folder).free
    if free - size < settings.STUDIO_SPARE_BYTES:
        raise NoSpaceError(
            f"The disk has {_show(free)} free and the studio keeps "
            f"{_show(settings.STUDIO_SPARE_BYTES)} of it free (STUDIO_SPARE_BYTES); free some "
            "space and try again."
        )


class SpaceForUploads:
    """Rejects a large request before it is read, if there is no room for it.

    It would be written twice: into the folder for temporary files as it arrives, and into the data
    folder.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            size = _size_of(scope)
            if size > _SMALL_BYTES:
                try:
                    await asyncio.to_thread(_require_space_for_upload, size)
                except NoSpaceError as error:
                    await _refuse(send, error)
                    return
        await self._application(scope, receive, send)


def _require_space_for_upload(size: int) -> None:
    for folder in {tempfile.gettempdir(), str(settings.STUDIO_DATA_DIR)}:
        require_space(Path(folder), size)


def _size_of(scope: Scope) -> int:
    """Return how much will be sent, if the request declares it."""
    declared = dict(scope["headers"]).get(b"content-length", b"")
    return int(declared) if declared.isdigit() and len(declared) <= _MOST_DIGITS else 0


async def _refuse(send: Send, error: NoSpaceError) -> None:
    # Anyone may ask, so the free space is only shown to whoever starts the studio.
    text = json.dumps({"code": error.code, "message": TOO_LITTLE_SPACE, "details": {}}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(text)),
        (b"connection", b"close"),
    ]
    await send(
        {
            "type": "http.response.start",
            "status": error.status,
            "headers": headers,
            "trailers": False,
        }
    )
    await send({"type": "http.response.body", "body": text, "more_body": False})


def _show(size: int) -> str:
    return f"{size / 1024**3:.1f} GiB" if size >= 1024**3 else f"{size / 1024**2:.0f} MiB"
