"""Sites that an environment has for its own browser: functions, which the gateway asks for pages.

They have no address on the machine, so only the browser of their run reaches them.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeAlias
from urllib.parse import urlsplit

MOST_BODY_BYTES = 64 * 1024
_BODY_SECONDS = 10.0
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"


@dataclass(frozen=True, slots=True)
class SiteRequest:
    """What a browser asks a site for."""

    target: str
    """The path with its query."""

    form: str | None = None
    """The form that was sent, as the browser writes it; `None`: a page is only opened."""


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """A page, or the address of another one in its place."""

    html: str = ""
    status: int = 200
    address: str = ""


Site: TypeAlias = Callable[[SiteRequest], SiteAnswer]


async def serve_site(
    site: Site, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer one request, whose head was read, and end.

    Raises:
        ValueError, OSError, EOFError: it is no request that a browser makes.
    """
    first, *fields = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    parts = urlsplit(target)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    body = await _read_body(fields, reader) if method == "POST" else None
    _write(writer, site(SiteRequest(path, body)), has_body=method != "HEAD")
    await writer.drain()


async def _read_body(fields: list[str], reader: asyncio.StreamReader) -> str:
    lengths = [
        int(value)
        for name, _, value in (field.partition(":") for field in fields)
        if name.strip().lower() == "content-length"
    ]
    size = max(lengths, default=0)
    if not 0 <= size <= MOST_BODY_BYTES:
        raise ValueError(f"a form of {size} bytes is too large")
    async with asyncio.timeout(_BODY_SECONDS):
        return (await reader.readexactly(size)).decode("utf-8", errors="replace")


def _write(writer: asyncio.StreamWriter, answer: SiteAnswer, *, has_body: bool) -> None:
    status = HTTPStatus(303 if answer.address else answer.status)
    body = answer.html.encode()
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Security-Policy: {_POLICY}",
        "Cache-Control: no-store",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *([f"Location: {answer.address}"] if answer.address else []),
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    if has_body:
        writer.write(body)
