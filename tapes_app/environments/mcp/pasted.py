"""What is kept of servers that somebody adds in the browser: no key, and nothing unlisted."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tapes_app.engine.errors import InvalidInputError, NotAllowedError
from tapes_app.engine.redaction import redact
from tapes_app.environments.mcp.server import McpServer, read_servers

_REFERENCE = re.compile(r"((?:Bearer|Basic|Token) +)?\$\{[A-Z][A-Z0-9_]{0,99}\}")
_SCHEME = re.compile(r"((?:Bearer|Basic|Token) +)\S")
_ELSEWHERE = re.compile(r"\$\{env:([A-Z][A-Z0-9_]{0,99})\}")
"""How Cursor and VS Code write a reference."""

_SECRET_NAME = re.compile(r"key|token|secret|passw|auth|credential", re.IGNORECASE)
_NAMED_VALUE = re.compile(r"-{0,2}([\w-]{1,100})\s*[:=]\s*(\S.*)", re.DOTALL)
_FLAG = re.compile(r"--?([A-Za-z][\w-]{0,100})")


class Pasted(NamedTuple):
    """Servers to be added, and the variables that stand for values that are not kept."""

    servers: dict[str, Any]
    """In the form of the file of servers."""

    variables: tuple[str, ...]


def read_pasted(data: Any) -> Pasted:
    """Return the servers of a pasted object, with references for all values of `env` and `headers`.

    Such a value may be a key, and nothing tells for certain that it is none.

    Raises:
        InvalidInputError: it has another form, or an argument or an address holds a key.
    """
    entries: dict[str, Any] = {}
    variables: list[str] = []
    for name, given in read_servers(data).items():
        server = given.with_texts(lambda text: _ELSEWHERE.sub(r"${\1}", text))
        _refuse_keys(name, server)
        env = {key: _refer(value, _variable(key)) for key, value in server.env.items()}
        headers = {
            key: _refer(value, _variable(f"{name}_{key}")) for key, value in server.headers.items()
        }
        variables += [_variable(key) for key in env if env[key] != server.env[key]]
        variables += [
            _variable(f"{name}_{key}") for key in headers if headers[key] != server.headers[key]
        ]
        kept = server.model_copy(update={"env": env, "headers": headers})
        entries[name] = kept.model_dump(mode="json", exclude_defaults=True)
    return Pasted({"mcpServers": entries}, tuple(dict.fromkeys(variables)))


def refuse_unlisted(name: str, server: McpServer, listed: Sequence[str]) -> None:
    """Refuse a server whose command or address is not listed.

    A command is listed by its first words, an address by its scheme and host.

    Raises:
        NotAllowedError: it is not, or it starts in a folder of its own.
    """
    if server.url:
        origin = urlsplit(server.url)[:2]
        is_listed = any(urlsplit(one)[:2] == origin for one in listed)
    else:
        words = [server.command, *server.args]
        beginnings = [one.split() for one in listed]
        is_listed = any(one and words[: len(one)] == one for one in beginnings) and not server.cwd
    if not is_listed:
        raise NotAllowedError(
            f"In a studio with accounts, the MCP server {name!r} can be added here only if "
            f"STUDIO_MCP_SERVERS lists how its command begins, or its address, and it has no "
            f"folder of its own; listed are: {', '.join(listed) or 'none'}. Otherwise add it in a "
            "shell, with `manage.py mcp add`.",
            server=name,
        )


def _refer(value: str, variable: str) -> str:
    """Return a value without what may be a key; the word before it says how it is used."""
    if not value or _REFERENCE.fullmatch(value):
        return value
    scheme = _SCHEME.match(value)
    return f"{scheme[1] if scheme else ''}${{{variable}}}"


def _variable(name: str) -> str:
    """Return the variable that stands for a value of this name."""
    variable = re.sub(r"[^A-Z0-9_]", "_", name.upper())[:90]
    return variable if re.match(r"[A-Z]", variable) else f"MCP_{variable}"


def _refuse_keys(name: str, server: McpServer) -> None:
    words = [server.command, *server.args]
    pairs = [
        (flag[1], value)
        for word, value in pairwise(words)
        if (flag := _FLAG.fullmatch(word)) and not value.startswith("-")
    ]
    pairs += [(found[1], found[2]) for word in words if (found := _NAMED_VALUE.fullmatch(word))]
    pairs += _list_named_parts(server.url)
    has_key = any(
        _SECRET_NAME.search(key) and value and "${" not in value for key, value in pairs
    ) or any(redact(word) != word for word in [*words, server.url])
    if has_key:
        what = "The address" if server.url else "The command"
        raise InvalidInputError(
            f"{what} of the MCP server {name!r} seems to hold a key, which is not kept. Set a "
            "variable in the studio's environment, and write ${NAME}, with its name, in place of "
            "the key.",
            server=name,
        )


def _list_named_parts(url: str) -> list[tuple[str, str]]:
    """Return the parts of an address that have names; what stands before its host is a password."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise InvalidInputError("The address of an MCP server is not a web address.") from error
    before, is_named, _ = parts.netloc.rpartition("@")
    return parse_qsl(parts.query) + ([("password", before)] if is_named else [])
