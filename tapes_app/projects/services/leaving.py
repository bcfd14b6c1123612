"""Who wants to know when people leave a project: streams, which then end at once."""

from collections.abc import Callable

_listeners: list[Callable[[], None]] = []


def on_leaving(tell: Callable[[], None]) -> None:
    """Have `tell` called in this process after every time that somebody left a project."""
    _listeners.append(tell)


def tell_of_leaving() -> None:
    """Call after the commit."""
    for tell in _listeners:
        tell()
