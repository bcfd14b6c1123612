"""A connection to an MCP server, held open by a task of its own.

The official client speaks both the protocol of 2026 and its predecessors.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from tapes_app.engine.environment.process_groups import noted
from tapes_app.engine.errors import AgentRunError
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.tape.steps import first_reason
from tapes_app.environments.mcp.allowed import OfferedTool
from tapes_app.environments.mcp.server import McpServer

if TYPE_CHECKING:
    from mcp import Client

_CONNECT_SECONDS = 60.0
_GRACE_SECONDS = 5.0
"""By how much the client is more patient than the limit of a call, which words it better."""

_MOST_PAGES = 50
LONGEST_LIST = 5_000_000
"""Characters of the descriptions and schemas of all tools of a server."""

_LONGEST_TAIL = 2_000
"""Characters of what a program wrote before it failed."""


class _FloodError(Exception):
    """A list of tools that is too long."""


class McpServerError(AgentRunError):
    """An MCP server did not start, or cannot be reached."""

    code = "mcp_server_failed"


@asynccontextmanager
async def connect(
    name: str, server: McpServer, *, notes: Path | None = None
) -> AsyncIterator["Client"]:
    """Yield a client of a server, whose program ends with the block; `notes` as in `noted`.

    The client lives in a task of its own, because it cancels the task that it lives in when the
    connection breaks, and that must not be the run's.

    Raises:
        McpServerError: there is no connection; it says why.
    """
    connected: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
    closing = asyncio.Event()
    tail = _Tail()
    holder = asyncio.create_task(_hold(server, notes, tail, connected, closing), name=f"mcp {name}")
    waited: tuple[asyncio.Future[Any], ...] = (connected, holder)
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if not connected.done():
            raise McpServerError(_describe(name, server, holder, tail), server=name)
        yield connected.result()
    except TimeoutError as error:
        if connected.done():
            raise
        raise McpServerError(
            f"The MCP server {name!r} had not answered after {_CONNECT_SECONDS:g} seconds."
            f"{tail.quote()}",
            server=name,
        ) from error
    finally:
        closing.set()
        if not connected.done():
            holder.cancel()
        await asyncio.wait([holder])


async def list_offered(name: str, server: McpServer, client: "Client") -> dict[str, OfferedTool]:
    """Return all tools that a server offers, by its own names, in its order.

    Raises:
        McpServerError: it does not list them, or not in the time that a call may take, or more
            than anybody could read.
    """
    from mcp import MCPError

    try:
        async with asyncio.timeout(server.timeout_seconds):
            return await _list_pages(client)
    except TimeoutError as error:
        reason = f"it had not answered after {server.timeout_seconds:g} seconds"
        raise McpServerError(
            f"The MCP server {name!r} did not list its tools: {reason}.", server=name
        ) from error
    except _FloodError as error:
        raise McpServerError(
            f"The MCP server {name!r} describes its tools with more than {LONGEST_LIST:,} "
            "characters; they are not read.",
            server=name,
        ) from error
    except (MCPError, ValidationError) as error:
        reason = first_reason(error) if isinstance(error, ValidationError) else error.message
        raise McpServerError(
            f"The MCP server {name!r} did not list its tools: {reason.rstrip('.')}.", server=name
        ) from error


async def _list_pages(client: "Client") -> dict[str, OfferedTool]:
    found: dict[str, OfferedTool] = {}
    length = 0
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in map(OfferedTool.read, page.tools):
            found[tool.name] = tool
            length += len(canonical_json(tool.model_dump()))
        if length > LONGEST_LIST:
            raise _FloodError
        cursor = page.next_cursor
        if not cursor:
            break
    return found


async def _hold(
    server: McpServer,
    notes: Path | None,
    tail: "_Tail",
    connected: "asyncio.Future[Client]",
    closing: asyncio.Event,
) -> None:
    from mcp import Client  # half a second, and most processes call no server

    async with AsyncExitStack() as stack:
        target = await _reach(server, notes, tail, stack)
        client = await stack.enter_async_context(
            Client(target, cache=None, read_timeout_seconds=server.timeout_seconds + _GRACE_SECONDS)
        )
        connected.set_result(client)
        await closing.wait()


async def _reach(
    server: McpServer, notes: Path | None, tail: "_Tail", stack: AsyncExitStack
) -> Any:
    """Return the transport of a server; `stack` closes what it needs."""
    if server.url:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        client = httpx2.AsyncClient(headers=server.headers, timeout=server.timeout_seconds)
        return streamable_http_client(
            server.url, http_client=await stack.enter_async_context(client)
        )
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command, *args = stack.enter_context(noted([server.command, *server.args], notes=notes))
    program = StdioServerParameters(command=command, args=args, env=server.env, cwd=server.cwd)
    return stdio_client(program, errlog=await stack.enter_async_context(tail.open()))


class _Tail:
    """The end of what a program writes to its standard error, however much it writes."""

    def __init__(self) -> None:
        self._text = b""

    def quote(self) -> str:
        lines = self._text.decode("utf-8", "replace").strip().splitlines()
        return f" It wrote: {' '.join(lines[-3:])}" if lines else ""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Any]:
        reading, writing = os.pipe()
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(reading, "rb"))
        keeping = asyncio.create_task(self._keep(reader))
        with os.fdopen(writing, "w") as file:
            try:
                yield file
            finally:
                keeping.cancel()
                transport.close()

    async def _keep(self, reader: asyncio.StreamReader) -> None:
        while piece := await reader.read(65_536):
            self._text = (self._text + piece)[-_LONGEST_TAIL:]


def _describe(name: str, server: McpServer, holder: "asyncio.Task[None]", tail: _Tail) -> str:
    error = None if holder.cancelled() else holder.exception()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        reason = f"there is no program {server.command!r} on this machine"
    else:
        reason = str(error or "").rstrip(".") or type(error).__name__
    verb = "cannot be reached" if server.url else "did not start"
    return f"The MCP server {name!r} {verb}: {reason}.{tail.quote()}"
