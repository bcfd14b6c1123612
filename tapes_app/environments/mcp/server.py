"""One MCP server, as the file of servers describes it."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, ValidationError, model_validator

from tapes_app.engine.environment.environment import Lifetime
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import first_reason

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]{0,99})\}")
_REMOTE = ("http", "streamable-http", "streamableHttp")


class McpServer(FrozenModel):
    """How a server is reached: a program of this machine, or an address.

    The fields are those that other programs read, as `mcpServers` lists them. What they have beside
    these, such as their own lists of allowed tools, is ignored. `${NAME}` stands for the variable
    NAME of the studio, so that the file need not contain a secret.
    """

    model_config = ConfigDict(extra="ignore")

    type: Literal["", "stdio", "http", "streamable-http", "streamableHttp"] = ""
    command: str = Field("", max_length=4_000)
    args: tuple[str, ...] = Field((), max_length=200)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str | None = None
    url: str = Field("", max_length=4_000, pattern=r"^(https?://.+)?$")
    headers: dict[str, str] = Field(default_factory=dict)
    timeout_seconds: float = Field(60.0, gt=0, le=86_400)
    """How long one call may take."""

    lifetime: Lifetime = "run"
    """`run`: each run starts the program anew. `studio`: the runs of a project share one."""

    @model_validator(mode="after")
    def _check_address(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("give it either a command or a url")
        if self.type and bool(self.url) != (self.type in _REMOTE):
            raise ValueError(f"type {self.type!r} does not go with what is given")
        return self

    @property
    def address(self) -> str:
        """The command line or the address, as it is written in the file."""
        return self.url or " ".join([self.command, *self.args])

    @property
    def host(self) -> str:
        """Where it is, of one with an address: without what else is in it, which may be secret."""
        with suppress(ValueError):  # an address that cannot be one
            return urlsplit(self.url).hostname or ""
        return ""

    def with_secrets(self, read_secret: Callable[[str], str]) -> Self:
        """Return the server with the values of the variables that it names."""
        return self.with_texts(
            lambda text: _VARIABLE.sub(lambda found: read_secret(found[1]), text)
        )

    def with_texts(self, change: Callable[[str], str]) -> Self:
        """Return the server with each text that may name a variable changed."""
        return self.model_copy(
            update={
                "args": tuple(map(change, self.args)),
                "env": {name: change(value) for name, value in self.env.items()},
                "url": change(self.url),
                "headers": {name: change(value) for name, value in self.headers.items()},
            }
        )


def read_servers(data: Any) -> dict[str, McpServer]:
    """Return the servers of a file in the form `{"mcpServers": {NAME: {...}}}`.

    Raises:
        InvalidInputError: it has another form, or one server cannot be read; nothing is returned.
    """
    servers = {}
    for name, fields in list_entries(data).items():
        if not _NAME.fullmatch(name):
            raise InvalidInputError(
                f"{name[:80]!r} cannot be the name of an MCP server: use letters, digits, - and _, "
                "at most 64."
            )
        try:
            servers[name] = McpServer.model_validate(fields)
        except ValidationError as error:
            reason = first_reason(error).rstrip(".")
            raise InvalidInputError(f"MCP server {name!r} is invalid: {reason}.") from error
    return servers


def list_entries(data: Any) -> Mapping[str, Any]:
    """Return the entries of a file by name; VS Code lists them as `servers`.

    Raises:
        InvalidInputError: it has another form.
    """
    listed = None
    if isinstance(data, Mapping):
        listed = data.get("mcpServers", data.get("servers"))
    if not isinstance(listed, Mapping):
        raise InvalidInputError('MCP servers are listed as {"mcpServers": {"NAME": {...}}}.')
    return listed
