"""Names for everything that an agent stored as data may refer to.

Data from the network never names an import path: it names an entry here. Entries come from the
gallery and from plugins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Generic, Protocol, TypeVar

from tapes_app.engine.errors import AgentConfigError

Entry = TypeVar("Entry")
Found_co = TypeVar("Found_co", covariant=True)


class Shelf(Protocol[Found_co]):
    """Entries that are looked up each time, because a file or a server may change them."""

    def find(self, name: str) -> Found_co | None:
        """Return an entry; `None` if there is none of this name."""

    def list_names(self) -> Iterable[str]:
        """Return the names of all entries."""

    def explain_missing(self) -> str:
        """Return what to do about a name that it does not have, as a sentence."""


class Registry(Generic[Entry]):
    """Named entries of one sort; each name can be used once."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._entries: dict[str, Entry] = {}
        self._shelves: dict[str, Shelf[Entry]] = {}

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

    def add_shelf(self, prefix: str, shelf: Shelf[Entry]) -> None:
        """Look up all names with this prefix on a shelf; another one of the prefix goes."""
        self._shelves[prefix] = shelf

    def get(self, name: str) -> Entry:
        """Return an entry.

        Raises:
            AgentConfigError: there is no such name; the message lists the ones there are, or says
                what to do about one that a shelf could have.
        """
        found = self._find(name)
        if found is not None:
            return found
        lack = f"There is no {self._what} named {name!r}"
        shelf = self._find_shelf(name)
        if shelf is not None:
            raise AgentConfigError(f"{lack}. {shelf.explain_missing()}", name=name)
        raise AgentConfigError(f"{lack}; available: {list(self)}.", name=name)

    def _find(self, name: str) -> Entry | None:
        shelf = self._find_shelf(name)
        return self._entries.get(name) if shelf is None else shelf.find(name)

    def _find_shelf(self, name: str) -> Shelf[Entry] | None:
        shelves = self._shelves.items()
        return next((shelf for prefix, shelf in shelves if name.startswith(prefix)), None)

    def __iter__(self) -> Iterator[str]:
        on_shelves = (name for shelf in self._shelves.values() for name in shelf.list_names())
        return iter(sorted([*self._entries, *on_shelves]))

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None
