"""The only way of a browser to the network: a proxy that connects to allowed hosts and no others.

Whatever makes a request goes through it: pages, frames, pop-ups, redirects, sockets and workers.
Playwright's own routes do not see all of these: of a redirect, for one, only its beginning.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from tapes_app.environments.browser.addresses import AllowedHosts, HostRefusedError
from tapes_app.environments.browser.own_sites import Site, serve_site

_LONGEST_HEAD = 64 * 1024
_PIECE_BYTES = 64 * 1024
_CONNECT_SECONDS = 10.0
_HEAD_SECONDS = 30.0
_MOST_REFUSALS = 5
"""How many hosts are named to the model; a page can ask for thousands."""

_PER_CONNECTION = frozenset({b"connection", b"proxy-connection", b"proxy-authorization"})


class Gateway:
    """A proxy on this machine that counts what it receives and tells what it refused."""

    def __init__(
        self, allowed: AllowedHosts, most_bytes: int, sites: Mapping[str, Site] | None = None
    ) -> None:
        """`sites` answer for their hosts here, so that nothing else on the machine reaches them."""
        self._sites = sites or {}
        self._allowed = allowed
        self._most_bytes = most_bytes
        self._received = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._refused: dict[str, None] = {}
        self.port = 0

    def begin(self) -> None:
        """Begin to count anew what is received."""
        self._received = 0

    def take_refusals(self) -> list[str]:
        """Return sentences about the hosts that were refused, only once."""
        refused = list(self._refused)
        self._refused.clear()
        return refused

    @property
    def is_over(self) -> bool:
        """Whether more was sent than may be received, so that the rest was cut off."""
        return self._received > self._most_bytes

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, limit=_LONGEST_HEAD, backlog=64
        )
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            for task in self._connections:
                task.cancel()
            if self._connections:
                await asyncio.wait(self._connections)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, ValueError, EOFError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass  # the browser tells the page that the connection broke
        finally:
            self._connections.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n", 1)[0].decode("ascii").split(" ")
        is_tunnel = method == "CONNECT"
        parts = urlsplit(f"https://{target}" if is_tunnel else target)
        if parts.scheme == "http" and (site := self._sites.get(parts.netloc)):
            await serve_site(site, head, reader, writer)
            return
        try:
            host, port = await self._allowed.find_target(parts.scheme, parts.netloc)
        except HostRefusedError as refusal:
            if len(self._refused) < _MOST_REFUSALS:
                self._refused[str(refusal)] = None
            await _refuse(writer, b"403 Forbidden")
            return
        except OSError:
            await _refuse(writer, b"502 Bad Gateway")
            return
        if self.is_over:
            await _refuse(writer, b"502 Bad Gateway")
            return
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                there, onward = await asyncio.open_connection(host, port)
        except OSError:
            await _refuse(writer, b"502 Bad Gateway")
            return
        try:
            if is_tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = target.removeprefix(f"{parts.scheme}://{parts.netloc}") or "/"
                onward.write(_rewrite(head, method, path))
            await _exchange(self._send(reader, onward), self._receive(there, writer))
        finally:
            onward.close()

    async def _send(self, reader: asyncio.StreamReader, onward: asyncio.StreamWriter) -> None:
        with suppress(OSError):  # whoever receives notices
            while piece := await reader.read(_PIECE_BYTES):
                onward.write(piece)
                await onward.drain()

    async def _receive(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await there.read(_PIECE_BYTES):
            self._received += len(piece)
            if self.is_over:
                return
            writer.write(piece)
            await writer.drain()


async def _exchange(sending: Coroutine[Any, Any, None], receiving: Awaitable[None]) -> None:
    """Send and receive until the far end is done; who sends no more may still wait for it."""
    task = asyncio.create_task(sending)
    try:
        await receiving
    finally:
        task.cancel()
        await asyncio.wait([task])


def _rewrite(head: bytes, method: str, path: str) -> bytes:
    """Return the head of a request as the host itself wants it, for one answer only."""
    fields = [
        line
        for line in head.rstrip(b"\r\n").split(b"\r\n")[1:]
        if line.partition(b":")[0].strip().lower() not in _PER_CONNECTION
    ]
    lines = (f"{method} {path} HTTP/1.1".encode("ascii"), *fields, b"Connection: close")
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def _refuse(writer: asyncio.StreamWriter, status: bytes) -> None:
    writer.write(b"HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status)
    with suppress(OSError):
        await writer.drain()
