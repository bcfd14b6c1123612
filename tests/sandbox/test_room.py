"""Code in a room changes nothing, reads only what it needs, and reaches no one."""

import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from tapes_app.sandbox import Room, Wall, WallError, enter, find_wall
from tests.sandbox import deeds
from tests.sandbox.apart import run_apart

Told = dict[str, dict[str, str]]


@pytest.fixture(scope="module", params=get_args(Wall))
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What became of each deed in a room with one of the walls."""
    place, outside = tmp_path_factory.mktemp("place"), tmp_path_factory.mktemp("outside")
    _furnish(place, outside)
    before = _describe(place), _describe(outside)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(outside / "listener"))
        listener.listen()
        (outside / "listener").chmod(0o777)
        found: Told = run_apart(lambda: _try_all(place, outside, request.param))
        (outside / "listener").unlink()
    if "no wall" in found:
        pytest.skip(str(found["no wall"]))
    assert (_describe(place), _describe(outside)) == before
    return found


def _furnish(place: Path, outside: Path) -> None:
    for folder in (place / "data", place / "package", place / "empty", outside / "empty"):
        folder.mkdir()
    for file in ("module.py", "package/words.txt", "data/secret_key", ".env"):
        (place / file).write_text("'kept'", encoding="utf-8")
    (place / "shortcut").symlink_to(place / "data")
    (outside / "note").write_text("'kept'", encoding="utf-8")


def _describe(folder: Path) -> list[Any]:
    return [
        (str(path), path.stat().st_mode, path.stat().st_uid, path.stat().st_mtime_ns)
        + ((path.read_bytes(),) if path.is_file() else ())
        for path in sorted(folder.rglob("*"))
    ]


def _try_all(place: Path, outside: Path, wall: Wall) -> Any:
    room = Room.for_python([*sys.path, str(place)], hidden=[str(place / "data")])
    escapes, work = deeds.list_escapes(place, outside), deeds.list_work(place)
    try:
        enter(room, [wall])
    except WallError as error:
        return {"no wall": str(error)}
    return {"escapes": deeds.attempt(escapes), "work": deeds.attempt(work)}


_PLACE = Path("/place")


@pytest.mark.parametrize("escape", deeds.list_escapes(_PLACE, _PLACE))
def test_no_escape_succeeds(told: Told, escape: str) -> None:
    assert told["escapes"][escape]


@pytest.mark.parametrize("work", deeds.list_work(_PLACE))
def test_honest_code_works(told: Told, work: str) -> None:
    assert told["work"][work] == ""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only x86_64 has two sets of numbers")
def test_calls_under_other_numbers_end_the_process() -> None:
    def fork_as_x32() -> None:
        enter(Room(()))
        deeds.call("syscall", 0x40000000 | 57)

    assert run_apart(fork_as_x32) == -signal.SIGSYS


def test_a_system_without_walls_is_told_what_it_lacks() -> None:
    with pytest.raises(WallError, match="with Landlock, or user namespaces"):
        enter(Room(()), [])


def test_this_system_has_a_wall() -> None:
    assert find_wall() in get_args(Wall)
