"""Which addresses a browser may reach: pages of the hosts that its settings name.

A host that is named is trusted to be where its name leads, also inside the own network. One that
only a pattern fits must be public, and so must every host on a server with accounts that its
administrator has not named.
"""

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from pydantic import StringConstraints

from tapes_app.llms.addresses import AddressRefusedError, find_place, refuse_inner_host

_HOST = r"\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,253}"
_PATTERN = re.compile(rf"^(?:\*|(?:\*\.)?(?:{_HOST})(?::[0-9]{{1,5}})?)$")

HostPattern = Annotated[str, StringConstraints(pattern=_PATTERN.pattern, max_length=300)]
"""`example.org`, `example.org:8080`, `*.example.org` for what is below it, or `*`."""

LONGEST_ADDRESS = 2_000
"""Characters; a longer one is neither opened by a tool nor kept with a step."""

_LONGEST_SHOWN = 300
EMPTY_PAGE = "about:blank"
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_PAGES = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The hosts that a browser may reach."""

    patterns: tuple[str, ...]
    inner_hosts: tuple[str, ...] | None = None
    """Hosts that may be inside the own network even though others must not; `None`: all that
    `patterns` name."""

    def explain_refusal(self, address: str) -> str:
        """Return why an address may not be opened, as a sentence; empty if it may."""
        parts = _split(address)
        if parts is None or not parts.hostname:
            return f"{_quote(address)} is not a web address; give a whole one, with http or https."
        if parts.scheme not in _PAGES:
            return (
                f"{_quote(address)} cannot be opened: only addresses with http and https can, not "
                f"{parts.scheme}."
            )
        if parts.username or parts.password:
            return "An address with a user's name or password in it cannot be opened."
        if len(address) > LONGEST_ADDRESS:
            return f"An address can have at most {LONGEST_ADDRESS:,} characters."
        if not any(_fits(pattern, parts) for pattern in self.patterns):
            return f"{_quote(parts.netloc)} cannot be opened: {self.describe()}."
        if not self._may_be_inner(parts):
            try:
                refuse_inner_host(address, self.inner_hosts or ())
            except AddressRefusedError:
                return f"{_quote(parts.netloc)} cannot be opened: it is not public."
        return ""

    async def find_target(self, scheme: str, netloc: str) -> tuple[str, int]:
        """Return the address and port to connect to for a host, which was resolved only once.

        Raises:
            HostRefusedError: it may not be reached.
            OSError: its name cannot be resolved.
        """
        url = f"{scheme}://{netloc}/"
        reason = self.explain_refusal(url)
        parts = _split(url)
        if reason or parts is None:
            raise HostRefusedError(reason)
        host, port = parts.hostname or "", parts.port or _PORTS[scheme]
        if self._may_be_inner(parts):
            return host, port
        try:
            place = await find_place(url, self.inner_hosts or ())
        except AddressRefusedError as error:
            refusal = f"{_quote(netloc)} cannot be opened: it is not public."
            raise HostRefusedError(refusal) from error
        return (place.address if place else host), port

    def describe(self) -> str:
        return f"the agent's browser may open {', '.join(self.patterns)}"

    def _may_be_inner(self, parts: SplitResult) -> bool:
        named = (one for one in self.patterns if "*" not in one)
        trusted = named if self.inner_hosts is None else self.inner_hosts
        return any(_fits(one, parts) for one in trusted)


class HostRefusedError(Exception):
    """A host may not be reached; the message is a sentence for the model."""


def _fits(pattern: str, parts: SplitResult) -> bool:
    if pattern == "*":
        return True
    wanted = _split(f"//{pattern.lower()}")
    host = (parts.hostname or "").rstrip(".")
    if wanted is None or (wanted.port and wanted.port != (parts.port or _PORTS[parts.scheme])):
        return False
    name = wanted.hostname or ""
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.port, parts.hostname
    except ValueError:
        return None
    return parts


def shorten(address: str) -> str:
    """Return an address, or its beginning if it is too long to be read."""
    return address if len(address) <= _LONGEST_SHOWN else f"{address[:_LONGEST_SHOWN]}…"


def _quote(address: str) -> str:
    return repr(shorten(address))
