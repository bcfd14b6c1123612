"""What an environment starts ends with it, also when nobody is left to end it."""

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tapes_app.engine.environment.process_groups import end_left_groups, process_group
from tests.waiting import wait_until

_PARENT_AND_CHILD = ["/bin/sh", "-c", "sleep 60 & echo $!; wait"]

_STARTER = """
import asyncio, sys
from pathlib import Path
from tapes_app.engine.environment.process_groups import process_group

async def start():
    command = ["/bin/sh", "-c", "sleep 60 & wait"]
    async with process_group(command, notes=Path(sys.argv[1])):
        await asyncio.Event().wait()

asyncio.run(start())
"""


def list_notes(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_the_whole_group_ends_and_the_note_goes(tmp_path: Path) -> None:
    async with process_group(_PARENT_AND_CHILD, notes=tmp_path, stdout=PIPE) as process:
        assert process.stdout is not None
        child = int(await process.stdout.readline())
        (note,) = list_notes(tmp_path)
        assert (int(note.read_text()), is_alive(child)) == (process.pid, True)

    wait_until(lambda: not is_alive(child))
    assert process.returncode == -signal.SIGTERM
    assert list_notes(tmp_path) == []


async def test_one_that_has_ended_by_itself_takes_what_it_started_along(tmp_path: Path) -> None:
    command = ["/bin/sh", "-c", "sleep 60 >/dev/null & echo $!"]

    async with process_group(command, notes=None, stdout=PIPE) as process:
        child = int((await process.communicate())[0])
        assert is_alive(child)

    wait_until(lambda: not is_alive(child))


async def test_what_belongs_to_a_living_process_is_left_alone(tmp_path: Path) -> None:
    async with process_group(["sleep", "60"], notes=tmp_path) as process:
        assert end_left_groups(tmp_path) == []
        assert process.returncode is None


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_what_a_killed_process_left_is_ended_by_the_next(tmp_path: Path) -> None:
    starter = subprocess.Popen([sys.executable, "-c", _STARTER, str(tmp_path)])
    wait_until(lambda: list_notes(tmp_path))
    (note,) = list_notes(tmp_path)
    wait_until(lambda: note.read_text().strip().isdigit())
    group = int(note.read_text())

    starter.kill()
    starter.wait()
    assert is_alive(group)
    ended = end_left_groups(tmp_path)

    assert (ended, list_notes(tmp_path)) == ([group], [])
    wait_until(lambda: not is_alive(group))


def test_a_process_that_was_given_an_old_id_is_left_alone(tmp_path: Path) -> None:
    async def start() -> Path:
        async with process_group(["true"], notes=tmp_path):
            (note,) = list_notes(tmp_path)
        return note

    note = asyncio.run(start())
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        note.write_text(str(stranger.pid))
        os.utime(note, (1, 1))

        ended = end_left_groups(tmp_path)

        assert (ended, stranger.poll(), note.exists()) == ([], None, False)
        stranger.kill()
