"""Which addresses models may be called at: on a shared server, none inside its own network.

A name is resolved when the request is made, and the request goes to the address that was checked:
the name cannot resolve elsewhere in between.
"""

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from tapes_app.engine.errors import LLMError

_TRANSLATED = ip_network("64:ff9b::/96")
"""IPv4 in the last 32 bits, extracted by a gateway."""

_INNER_NAMES = (".localhost", ".local", ".internal", ".localdomain", ".home.arpa")


class AddressRefusedError(LLMError):
    """A model's address is inside the server's network and was not allowed."""

    code = "address_refused"
    status = 422


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request goes: the address, and the host that it names there."""

    address: str
    host: str
    netloc: str


def is_allowed(url: str, allowed: Sequence[str]) -> bool:
    """Return whether the server's settings name a host, with or without its port."""
    parts = _split(url)
    return bool({(parts.hostname or "").lower(), parts.netloc.lower()} & {*map(str.lower, allowed)})


def refuse_inner_host(url: str, allowed: Sequence[str]) -> None:
    """Refuse an address that is obviously internal, without resolving its name.

    Raises:
        AddressRefusedError: it is internal.
    """
    host = (_split(url).hostname or "").lower().rstrip(".")
    if is_allowed(url, allowed):
        return
    try:
        is_inner = not _is_public(ip_address(host))
    except ValueError:
        is_inner = "." not in host or host.endswith(_INNER_NAMES)
    if is_inner:
        raise _refusal(host)


async def find_place(url: str, allowed: Sequence[str]) -> Place | None:
    """Return the public address of a URL's host; `None` for a host that is allowed by name.

    Raises:
        AddressRefusedError: one of its addresses is not public.
        OSError: the name cannot be resolved.
    """
    if is_allowed(url, allowed):
        return None
    parts = _split(url)
    host = parts.hostname or ""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, parts.port or 443, type=socket.SOCK_STREAM)
    addresses = [ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    if not addresses or not all(map(_is_public, addresses)):
        raise _refusal(host)
    first = min(addresses, key=lambda address: address.version)  # IPv4 is reached everywhere
    return Place(str(first), host, parts.netloc.rpartition("@")[2])


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise AddressRefusedError("The base URL is not a web address.") from error
    return parts


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
    return address.is_global and not address.is_multicast


def _refusal(host: str) -> AddressRefusedError:
    return AddressRefusedError(
        f"The address {host!r} is not public, and on a server with accounts, models may not "
        "be called inside its network; the server's administrator can allow the host with "
        "STUDIO_MODEL_HOSTS.",
        host=host,
    )
