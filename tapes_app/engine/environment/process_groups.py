"""Processes of environments: each is a group with a note, so that none outlives its worker.

A note holds the id of the group and is locked by the process that started it. When that process is
gone, however it ended, the lock is too, and the next one that looks ends the group.
"""

import asyncio
import fcntl
import logging
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

GRACE_SECONDS = 2.0
"""How long a program may take to end when it is asked to."""

_START = 'echo $$ > "$0" && exec "$@"'
"""Writes the note itself: whenever its parent is killed, there is a note of what it started."""

_CLOCK_SECONDS = 2.0
"""By how much the clocks of files and of processes may differ."""

logger = logging.getLogger(__name__)


@asynccontextmanager
async def process_group(
    command: Sequence[str], *, notes: Path | None, **options: Any
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a program, and end it afterwards with everything that it started.

    `notes` is `RunContext.process_notes`; `options` are those of `create_subprocess_exec`.
    """
    with noted(command, notes=notes) as started:
        process = await asyncio.create_subprocess_exec(*started, start_new_session=True, **options)
        noted_at = time.time()
        try:
            yield process
        finally:
            try:
                await _stop(process)
            finally:
                _kill_group(process.pid, noted_at)


@contextmanager
def noted(command: Sequence[str], *, notes: Path | None) -> Iterator[list[str]]:
    """Yield a command that notes its process id and then is `command`.

    Whoever starts it makes it the first of its own group, and ends that before the block ends.
    """
    with _hold_note(notes) as note:
        yield ["/bin/sh", "-c", _START, str(note), *command]


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE_SECONDS)


@contextmanager
def _hold_note(folder: Path | None) -> Iterator[Path]:
    if folder is None:
        yield Path(os.devnull)
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_machine()}.{uuid4().hex}"
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def end_left_groups(folder: Path) -> list[int]:
    """End the groups on this machine that killed processes left; return their ids."""
    ended: list[int] = []
    for path in folder.glob(f"{_machine()}.*"):
        try:
            with path.open() as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                noted_at, text = path.stat().st_mtime, file.read().strip()
                if text.isdigit() and _kill_group(int(text), noted_at):
                    ended.append(int(text))
                path.unlink(missing_ok=True)
        except (BlockingIOError, FileNotFoundError):
            continue  # whoever started it lives, or has just ended it
    if ended:
        logger.warning("Ended what a killed worker had left running: process groups %s", ended)
    return ended


def _kill_group(group_id: int, noted_at: float) -> bool:
    """Kill a group, unless its id is that of a process that started after the note was written."""
    started_at = _find_start(group_id)
    if started_at is not None and started_at > noted_at + _CLOCK_SECONDS:
        return False
    try:
        os.killpg(group_id, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _find_start(pid: int) -> float | None:
    """Return when a process started; `None` if it has ended, or the system does not say."""
    try:
        ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
        uptime = float(Path("/proc/uptime").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return time.time() - uptime + ticks / os.sysconf("SC_CLK_TCK")


def _machine() -> str:
    """Return the name of this machine since it was started: process ids mean nothing beyond it."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        boot = "unknown"
    return f"{socket.gethostname()}.{boot}"
