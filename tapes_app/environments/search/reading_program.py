"""Reads documents in a separate process; `reading` starts it and talks to it.

Each line names a file, and is answered with its text. Every file is read in a forked process of its
own, which is walled in before it sees the first byte, so that a file that takes all memory or time,
or exploits a library, harms nothing else. The library is loaded outside.
"""

import importlib
import json
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import PurePath
from typing import Any

from tapes_app.environments.search.folders import MOST_FILE_BYTES
from tapes_app.environments.search.formats import LIBRARIES, read_document
from tapes_app.environments.search.pages import Unreadable
from tapes_app.sandbox import Room, WallError, enter
from tapes_app.sandbox.apart import Limits, run_apart
from tapes_app.sandbox.program import answer_lines

MOST_SECONDS = 20.0
"""Limit for one document, in wall-clock time."""

MOST_MEMORY_BYTES = 1024**3
"""Limit of address space."""

_LIMITS = Limits(MOST_SECONDS, MOST_MEMORY_BYTES, 64 * 1024**2, 1024**2)
_LONGEST_REASON = 300
_ADVICE = "Run the worker on such a system, or set STUDIO_UNWALLED_FUNCTIONS=1."


def main() -> None:
    """Answer each input line with one output line until the input ends."""
    answer_lines(_prepare)


def _prepare(place: dict[str, Any]) -> Callable[[str], dict[str, Any]]:
    sys.path[:] = place["path"]
    room = Room.for_python(sys.path, place["hidden"])
    wall_in = partial(enter, room, must=not place["may_be_unwalled"])
    return lambda line: _read_apart(json.loads(line)["path"], wall_in)


def _read_apart(path: str, wall_in: Callable[[], object]) -> dict[str, Any]:
    suffix = PurePath(path).suffix.lower()
    for library in LIBRARIES.get(suffix, ()):
        importlib.import_module(library)
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return {"problem": f"it cannot be opened: {error.strerror}"}
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return {"problem": "it is no file"}
        work = partial(_read_here, file, suffix, PurePath(path).stem, wall_in)
        ended = run_apart(work, _LIMITS, descriptors=(file,))
    finally:
        os.close(file)
    if ended.exceeded == "seconds":
        return {"problem": f"it took more than {MOST_SECONDS:g} seconds to read"}
    if ended.exceeded == "bytes":
        return {"problem": "it has too much text"}
    if ended.answer is None:
        return {"problem": f"its reader ended ({ended.end}), perhaps for lack of memory or time"}
    answer: dict[str, Any] = ended.answer
    return answer


def _read_here(file: int, suffix: str, name: str, wall_in: Callable[[], object]) -> dict[str, Any]:
    """Read a document in the process that it has for itself."""
    try:
        wall_in()
        with os.fdopen(file, "rb", closefd=False) as opened:
            data = opened.read(MOST_FILE_BYTES + 1)
        if len(data) > MOST_FILE_BYTES:
            return {"problem": f"it is larger than {MOST_FILE_BYTES // 1024**2} MiB"}
        return asdict(read_document(suffix, data, name))
    except Unreadable as error:
        return {"problem": str(error)}
    except WallError as error:
        return {"problem": f"it was not opened. {error} {_ADVICE}", "is_passing": True}
    except MemoryError:
        needed = MOST_MEMORY_BYTES // 1024**2
        return {"problem": f"it needs more than {needed:,} MiB of memory to read"}
    except Exception as error:  # noqa: BLE001 - libraries raise anything for a damaged file
        why = _describe(error)
        return {"problem": f"it is damaged, too large, or not what its name says ({why})"}


def _describe(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}"
    with suppress(UnicodeError):
        text = text.encode(errors="replace").decode()
    return " ".join(text.split()).rstrip(".")[:_LONGEST_REASON]


if __name__ == "__main__":
    main()
