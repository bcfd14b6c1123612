"""The files with the MCP servers of a studio and their allowed tools.

`mcp.json` lists the servers as other programs do, and belongs to the operator: it names programs
that workers start. `mcp-tools.json` lists what was allowed, `mcp-offered.json` what servers offered
when they were last asked. Agents name a tool `mcp.SERVER.TOOL`.
"""

import fcntl
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from tapes_app.engine.environment.tool_functions import AnyTool, tools
from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.environments.mcp.allowed import AllowedTool, OfferedTool
from tapes_app.environments.mcp.server import McpServer, list_entries, read_servers
from tapes_app.environments.mcp.tools import PREFIX, McpSource, McpTool

_Stamp = tuple[tuple[int, int], ...]
_OfServer = Sequence[AllowedTool] | Sequence[OfferedTool]
_Tools = TypeVar("_Tools")
_ALLOWED = TypeAdapter(dict[str, tuple[AllowedTool, ...]])
_OFFERED = TypeAdapter(dict[str, tuple[OfferedTool, ...]])


class McpFiles:
    """The files of a folder. Whoever changes one holds a lock, so that no change is lost."""

    def __init__(self, folder: Path) -> None:
        self.servers_file = folder / "mcp.json"
        self.tools_file = folder / "mcp-tools.json"
        self.offered_file = folder / "mcp-offered.json"
        self._lock_file = folder / "mcp.lock"

    def read_servers(self) -> dict[str, McpServer]:
        """Return all servers by name.

        Raises:
            InvalidInputError: the file cannot be read.
        """
        data = self._read(self.servers_file)
        return read_servers(data) if data else {}

    def find_server(self, name: str) -> McpServer:
        """Return a server.

        Raises:
            NotFoundError: there is none of this name.
        """
        servers = self.read_servers()
        if name not in servers:
            raise NotFoundError(
                f"There is no MCP server {name!r}; there are {sorted(servers)}.", server=name
            )
        return servers[name]

    def read_allowed(self) -> dict[str, tuple[AllowedTool, ...]]:
        """Return the allowed tools of each server."""
        return self._read_tools(self.tools_file, _ALLOWED)

    def read_offered(self) -> dict[str, tuple[OfferedTool, ...]]:
        """Return what each server offered, of those that were asked since they were added."""
        return self._read_tools(self.offered_file, _OFFERED)

    def add_servers(self, data: Any, *, replaces: bool = True) -> list[str]:
        """Add the servers of an `mcpServers` object, perhaps in place of those of their names.

        Raises:
            InvalidInputError: one is invalid, or there is none; nothing is added.
            ConflictError: one is there already and is not to be replaced; nothing is added.
        """
        added = list(read_servers(data))
        if not added:
            raise InvalidInputError("There is no MCP server in it.")
        with self._locked():
            kept = self._read(self.servers_file)
            present = kept.get("mcpServers", {})
            taken = [name for name in added if name in present]
            if taken and not replaces:
                raise ConflictError(
                    f"There is an MCP server {taken[0]!r} already: remove it first, or give the "
                    "new one another name.",
                    server=taken[0],
                )
            self._keep(self.offered_file, self.read_offered(), dict.fromkeys(taken))
            _write(self.servers_file, {**kept, "mcpServers": {**present, **list_entries(data)}})
        return added

    def remove_server(self, name: str) -> None:
        """Remove a server and what was allowed of it.

        Raises:
            NotFoundError: there is none of this name.
        """
        with self._locked():
            self.find_server(name)
            kept = self._read(self.servers_file)
            del kept["mcpServers"][name]
            self._keep(self.tools_file, self.read_allowed(), {name: None})
            self._keep(self.offered_file, self.read_offered(), {name: None})
            _write(self.servers_file, kept)

    def allow(self, name: str, allowed: Iterable[AllowedTool]) -> None:
        """Let agents use these tools of a server, and no others of it."""
        with self._locked():
            self._keep(self.tools_file, self.read_allowed(), {name: tuple(allowed) or None})

    def keep_offered(self, name: str, server: McpServer, offered: Iterable[OfferedTool]) -> None:
        """Remember what a server offered, unless another one has its name by now."""
        with self._locked():
            if self.read_servers().get(name) == server:
                self._keep(self.offered_file, self.read_offered(), {name: tuple(offered)})

    def stamp(self) -> _Stamp:
        """Return what is another one after a change of the files."""
        return tuple(map(_stamp, (self.servers_file, self.tools_file)))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._lock_file.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _read_tools(self, path: Path, adapter: TypeAdapter[_Tools]) -> _Tools:
        try:
            return adapter.validate_python(self._read(path))
        except ValidationError as error:
            raise InvalidInputError(f"{path}: {first_reason(error)}") from error

    def _keep(
        self, path: Path, before: Mapping[str, _OfServer], now: Mapping[str, _OfServer | None]
    ) -> None:
        """Write the tools of servers, `now` in place of those before; `None` = it is gone."""
        data = {
            server: [tool.model_dump(mode="json") for tool in of_server]
            for server, of_server in {**before, **now}.items()
            if of_server is not None
        }
        if data or before:
            _write(path, data)

    def _read(self, path: Path) -> dict[str, Any]:
        try:
            data = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise InvalidInputError(f"{path} cannot be read: {error}") from error
        if not isinstance(data, Mapping):
            raise InvalidInputError(f"{path} must contain a JSON object.")
        return dict(data)


class McpShelf:
    """The allowed tools by the names that agents use, read again after a change of the files."""

    def __init__(self, files: McpFiles) -> None:
        self._files = files
        self._stamp: _Stamp | None = None
        self._tools: dict[str, AnyTool] = {}
        self._lock = threading.Lock()

    def find(self, name: str) -> AnyTool | None:
        return self._read().get(name)

    def list_names(self) -> Iterable[str]:
        with suppress(InvalidInputError):  # using one says what is wrong with the files
            return list(self._read())
        return ()

    def explain_missing(self) -> str:
        return (
            "There is no such MCP server here (any more), or agents may not use this tool of it: "
            "whoever runs the studio allows it (on the page Environments, or with "
            "`manage.py mcp allow`); or take it out of the node's tools."
        )

    def _read(self) -> dict[str, AnyTool]:
        with self._lock:
            stamp = self._files.stamp()
            if stamp != self._stamp:
                self._tools = {tool.type_name: tool for tool in self._make()}
                self._stamp = stamp
            return self._tools

    def _make(self) -> Iterable[AnyTool]:
        servers = self._files.read_servers()
        for name, allowed in self._files.read_allowed().items():
            if name in servers:
                source = McpSource(name, servers[name])
                yield from (McpTool(source, tool) for tool in allowed)


def use_folder(folder: Path) -> None:
    """Let agents name the tools that the files of a folder allow."""
    tools.add_shelf(PREFIX, McpShelf(McpFiles(folder)))


def _write(path: Path, data: Mapping[str, Any]) -> None:
    """Replace a file at once; it may contain secrets, so only its owner can read it."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.touch(0o600)
    fresh.write_text(json.dumps(data, indent=2), "utf-8")
    fresh.replace(path)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
