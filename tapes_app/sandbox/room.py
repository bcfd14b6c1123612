"""What a room lets its process read, and how a process enters it."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from tapes_app.sandbox import calls, landlock, namespace

Wall = Literal["landlock", "namespace"]
"""What hides files; what changes them is refused by seccomp in any case."""

WALLS: tuple[Wall, ...] = ("landlock", "namespace")
"""All of them, the cheapest first."""

_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone"),
    *("/etc/mime.types", "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"),
    "/sys/devices/system/cpu",  # libraries that compute in threads count the cores here
)


class WallError(OSError):
    """This system cannot wall a process in; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Room:
    """What can be read in a room."""

    readable: tuple[str, ...]
    """Absolute paths of files and folders."""

    @classmethod
    def for_python(cls, path: Iterable[str], hidden: Iterable[str]) -> Self:
        """Return a room in which this Python can import what lies at `path`, a `sys.path`.

        What is at `hidden` or below it cannot be read. Nor can names that begin with a dot, such as
        `.env` or `.ssh`, directly in a folder of `path`: no module is called so.
        """
        python = [sys.prefix, sys.base_prefix, sys.exec_prefix]
        roots = [_absolute(place) for place in (*_SYSTEM, *python) if place != "/"]
        for folder in path:
            if not _is_below(_absolute(folder), roots):
                roots += _list_visible(_absolute(folder))
        unseen = {os.path.realpath(place) for place in hidden}
        return cls(tuple(one for root in roots for one in _leave_out(root, unseen)))


def enter(room: Room, walls: Iterable[Wall] = WALLS, *, must: bool = True) -> Wall | None:
    """Wall this process in for good with the first of `walls` that the system has; return it.

    The process must have one thread. What it has open stays open. Unless it `must` be walled in, it
    goes on with as much as there is.

    Raises:
        WallError: the system has none of the walls, or no seccomp.
    """
    wall = None
    try:
        wall = _hide(room, walls)
        calls.keep_few_calls()
    except WallError:
        if must:
            raise
        with suppress(OSError):
            calls.keep_few_calls()
    except OSError as error:
        if must:
            raise WallError(f"This system cannot wall code in: no seccomp ({error}).") from error
    return wall


def find_wall() -> Wall | None:
    """Return the wall that this system has, found by a child process that tries; `None`: none."""
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            wall = enter(Room(()))
            os._exit(WALLS.index(wall) if wall else len(WALLS))
        os._exit(len(WALLS))
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return WALLS[code] if 0 <= code < len(WALLS) else None


def _hide(room: Room, walls: Iterable[Wall]) -> Wall:
    reasons = []
    for wall in walls:
        try:
            if wall == "landlock":
                landlock.allow_reading_only(room.readable)
            else:
                namespace.show_only(room.readable)
        except OSError as error:
            reasons.append(f"{wall}: {error.strerror or error}")
        else:
            return wall
    raise WallError(
        "This system cannot wall code in: it needs Linux 5.13 or newer with Landlock, or user "
        f"namespaces for this user ({'; '.join(reasons)})."
    )


def _absolute(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100 - without `..`, and links stay as they are


def _list_visible(folder: str) -> list[str]:
    try:
        return [str(one) for one in sorted(Path(folder).iterdir()) if one.name[0] != "."]
    except NotADirectoryError:
        return [folder]  # an archive of modules
    except OSError:
        return []


def _leave_out(root: str, hidden: Iterable[str]) -> Iterator[str]:
    """Yield what lies at `root` without what is hidden, in as few paths as can be."""
    real = os.path.realpath(root)
    if _is_below(real, hidden):
        return
    if not any(_is_below(place, [real]) for place in hidden):
        yield root
        return
    with suppress(OSError):
        for one in sorted(Path(root).iterdir()):
            yield from _leave_out(str(one), hidden)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
