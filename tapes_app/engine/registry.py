"""Names for everything that an agent stored as data may refer to.

Data from the network never names an import path: it names an entry here. Entries come from the
gallery and from plugins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from tapes_app.engine.errors import AgentConfigError

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Named entries of one sort; each name can be used once."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._entries: dict[str, Entry] = {}

    def add(self, name: str, entry: Entry) -> Entry:
        """Register an entry.

        Raises:
            AgentConfigError: another entry has the name.
        """
        taken = self._entries.get(name)
        if taken is not None and taken is not entry:
            raise AgentConfigError(f"There is already a {self._what} named {name!r}.")
        self._entries[name] = entry
        return entry

    def replace(self, name: str, entry: Entry) -> Entry:
        """Register an entry in place of the one with the same name: the same code, run again."""
        self._entries[name] = entry
        return entry

    def register(self, name: str) -> Callable[[Entry], Entry]:
        """Return a decorator that registers a function or class."""
        return partial(self.add, name)

    def get(self, name: str) -> Entry:
        """Return an entry.

        Raises:
            AgentConfigError: there is no such name; the message lists the ones there are.
        """
        try:
            return self._entries[name]
        except KeyError:
            raise AgentConfigError(
                f"There is no {self._what} named {name!r}; available: {sorted(self._entries)}.",
                name=name,
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __contains__(self, name: str) -> bool:
        return name in self._entries
