"""The files of a person's own modules, and whether one has changed since the last check."""

import sys
from collections.abc import Iterator, Sequence
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple


class Stamp(NamedTuple):
    """What distinguishes one state of a file from the next."""

    changed_at_ns: int
    size: int


class PluginFiles:
    """Checks the Python files of modules: entire packages, or the folder of a single file.

    Polls the files' times instead of using the kernel's notifications, which do not cover network
    folders or changes by other machines.
    """

    def __init__(self, modules: Sequence[str]) -> None:
        self._roots = tuple(dict.fromkeys(name.partition(".")[0] for name in modules))
        self._loaded = self._look()
        self._latest = self._loaded

    def have_changed(self) -> bool:
        """Return, once for each change, whether files differ from those that were loaded.

        A change counts when two successive checks find the same state, as editors write in several
        steps.
        """
        before, self._latest = self._latest, self._look()
        if self._latest == self._loaded or self._latest != before:
            return False
        self._loaded = self._latest
        return True

    def _look(self) -> dict[Path, Stamp]:
        invalidate_caches()  # a module may have been added since
        found: dict[Path, Stamp] = {}
        for name in self._roots:
            for path in _list_files(name):
                try:
                    status = path.stat()
                except OSError:  # deleted since it was listed
                    continue
                found[path] = Stamp(status.st_mtime_ns, status.st_size)
        return found


def _list_files(name: str) -> Iterator[Path]:
    """Yield the files of a top-level module; none as long as it cannot be found."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return
    if spec is None:
        return
    if spec.submodule_search_locations is not None:
        for folder in spec.submodule_search_locations:
            yield from Path(folder).rglob("*.py")
    elif spec.origin is not None and name not in sys.builtin_module_names:
        yield from Path(spec.origin).parent.glob("*.py")  # files next to it may belong to it
