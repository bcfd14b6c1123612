"""Tools of an MCP server as the studio's own, and the environment that calls them."""

import base64
import binascii
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

from tapes_app.engine.environment.actions import PendingAction, UnknownActionError
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.tool_context import ToolContext
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import AnyTool, Tool, ToolArgumentsError
from tapes_app.engine.errors import AgentRunError
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.schema_fit import find_misfit
from tapes_app.engine.tape.media import Audio, Image, result_parts
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.mcp.allowed import AllowedTool
from tapes_app.environments.mcp.connection import connect, list_offered
from tapes_app.environments.mcp.server import McpServer

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

PREFIX = "mcp."
LONGEST_RESULT = 1_000_000
"""Characters of the text of one answer."""

_SOUNDS: dict[str, Literal["wav", "mp3"]] = {
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}


class ToolsChangedError(AgentRunError):
    """A server no longer offers a tool as it was when it was allowed."""

    code = "mcp_tools_changed"


class ServerToolError(Exception):
    """A server could not do what it was asked; the model reads why."""


class McpSource:
    """A server whose tools agents use; opened with the environment of the run."""

    def __init__(self, name: str, server: McpServer) -> None:
        self.name = name
        self.server = server

    def build_environment(self, offered: Sequence[AnyTool]) -> Environment:
        return McpEnvironment(self, offered)


class McpTool(Tool[..., Any]):
    """An allowed tool of a server. Only one of an open environment can be called."""

    source: McpSource

    def __init__(
        self, source: McpSource, allowed: AllowedTool, client: "Client | None" = None
    ) -> None:
        self.source = source
        self.allowed = allowed
        self.name = self.__name__ = self.__qualname__ = allowed.name
        self.__module__ = f"{PREFIX}{source.name}"
        self.seconds = source.server.timeout_seconds
        self.is_irreversible = allowed.is_irreversible
        self._client = client
        self._offered = {
            "type": "function",
            "function": {
                "name": allowed.name,
                "description": allowed.description,
                "parameters": {"properties": {}, **allowed.parameters},
            },
        }

    def through(self, client: "Client") -> "McpTool":
        return McpTool(self.source, self.allowed, client)

    @property
    def description(self) -> str:
        return self.allowed.description

    @property
    def can_be_stopped(self) -> bool:
        return not self.is_irreversible  # the server is told, but may have begun

    @property
    def uses_state(self) -> bool:
        return False

    def check(self) -> None:
        """Nothing to check: its schema is data."""

    def schema(self) -> dict[str, Any]:
        return self._offered

    def result_schema(self) -> dict[str, Any] | None:
        return self.allowed.result

    async def call(self, arguments: dict[str, Any], context: ToolContext | None = None) -> Any:
        """Call it, and return its answer as text, or as parts where it holds images or sound.

        Raises:
            ToolArgumentsError: the arguments do not fit the schema that was allowed.
            ServerToolError: the server says that it failed, or what it sends cannot be used.
            Exception: whatever the client raises, also for an answer that does not fit its schema.
        """
        del context
        if self._client is None:
            raise ServerToolError(f"the MCP server {self.source.name!r} is not open")
        misfit = find_misfit(self.allowed.parameters, arguments)
        if misfit is not None:
            raise ToolArgumentsError(misfit[1])
        result = await self._client.call_tool(self.allowed.served_as, arguments)
        content = _read_content(result)
        if result.is_error:
            raise ServerToolError(content if isinstance(content, str) else json.dumps(content))
        return content


class McpEnvironment(ToolEnvironment):
    """Answers calls of a server's tools, and leaves all others to the next environment."""

    def __init__(self, source: McpSource, offered: Sequence[AnyTool]) -> None:
        super().__init__(offered)
        self.name = f"mcp {source.name}"
        self.source = source
        self.lifetime = source.server.lifetime
        schemas = [tool.schema() for tool in offered]
        self.identity = digest_json([source.name, source.server.model_dump(), schemas]).hex()

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        """Yield the tools with a connection.

        Raises:
            McpServerError: there is none.
            ToolsChangedError: a tool is another one than was allowed.
        """
        server = self.source.server.with_secrets(run.read_secret)
        async with connect(self.source.name, server, notes=run.process_notes) as client:
            own = [tool for tool in self.tools if isinstance(tool, McpTool)]
            offered = await list_offered(self.source.name, server, client)
            for tool in own:
                changes = tool.allowed.list_changes(offered.get(tool.allowed.served_as))
                if changes:
                    raise ToolsChangedError(
                        f"The tool {tool.name!r} of the MCP server {self.source.name!r} has "
                        f"changed since it was allowed: {'; '.join(changes)}. If that is right, "
                        "allow it again on the page Environments, or with "
                        f"`manage.py mcp allow {self.source.name} {tool.name}`, and resume.",
                        server=self.source.name,
                        tool=tool.name,
                        changes=changes,
                    )
            yield McpEnvironment(self.source, [tool.through(client) for tool in own])

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if self._find(pending) is None:
            raise UnknownActionError(
                f"The MCP server {self.source.name!r} has no tool {pending.name!r}.",
                kind=pending.action.kind,
            )
        return await super().observe(pending, tape)


def _read_content(result: "CallToolResult") -> Any:
    """Return an answer as text or parts.

    Raises:
        ServerToolError: it is too long, or an image or recording cannot be shown.
    """
    pieces = [_read_block(block) for block in result.content]
    if not any(pieces) and result.structured_content is not None:
        pieces = [json.dumps(result.structured_content, ensure_ascii=False)]
    length = sum(len(piece) for piece in pieces if isinstance(piece, str))
    if length > LONGEST_RESULT:
        raise ServerToolError(
            f"its answer has {length:,} characters; at most {LONGEST_RESULT:,} are kept"
        )
    texts = [piece for piece in pieces if isinstance(piece, str)]
    return "\n".join(texts) if len(texts) == len(pieces) else result_parts(pieces)


def _read_block(block: Any) -> str | Image | Audio:
    match block.type:
        case "text":
            return str(block.text)
        case "image":
            return Image(_decode(block.data))
        case "audio" if block.mime_type in _SOUNDS:
            return Audio(_decode(block.data), _SOUNDS[block.mime_type])
        case "resource" if getattr(block.resource, "text", None) is not None:
            return str(block.resource.text)
        case "resource":
            return f"Resource {block.resource.uri} ({block.resource.mime_type or 'binary data'})"
        case "resource_link":
            return f"Resource {block.uri}: {block.title or block.name}"
        case other:
            return f"Content of type {other!r}, which cannot be shown"


def _decode(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ServerToolError("it sent an image or a recording that is not base64") from error
