"""A program that an earlier worker had asked to end, and that still works on its folder."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from optimize_app.programs import ProgramFolder
from tests.waiting import PATIENCE_SECONDS, wait_until

_PROGRAM = """
import sys, time
from pathlib import Path
from optimize_app.programs import ProgramFolder

folder = Path(sys.argv[1])
with ProgramFolder(folder).hold():
    while not (folder / "may-end").exists():
        time.sleep(0.02)
    if sys.argv[2]:
        (folder / "result.json").write_text(sys.argv[2])
    ProgramFolder(folder).stop_file.unlink()
"""


@contextmanager
def ending_program(
    folder: ProgramFolder, result: dict[str, Any] | None = None
) -> Iterator[Callable[[], None]]:
    """Have a program in a folder, until what is given is called or the body is over."""
    written = json.dumps(result) if result else ""
    process = folder.start([sys.executable, "-c", _PROGRAM, str(folder.path), written])

    def end() -> None:
        (folder.path / "may-end").touch()
        assert process.wait(PATIENCE_SECONDS) == 0

    try:
        wait_until(lambda: _holder(folder) == str(process.pid), "the program")
        folder.stop_file.touch()
        yield end
    finally:
        end()


def _holder(folder: ProgramFolder) -> str:
    return folder.lock_file.read_text() if folder.lock_file.exists() else ""


def wait_until_watched(folder: ProgramFolder) -> None:
    """Wait until a worker watches the program of a folder, and has looked at it repeatedly."""
    seen: set[int] = set()

    def is_watched() -> bool:
        if folder.watched_file.exists():
            seen.add(folder.watched_file.stat().st_mtime_ns)
        return len(seen) > 2  # the first may be from before the program was found

    wait_until(is_watched, "a worker that watches the program")
