"""Noticing that a person's own modules have changed."""

import os
from pathlib import Path

import pytest

from studio.plugin_files import PluginFiles


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which modules can be imported: a file, its neighbours, a package."""
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("studio_own.py", "beside.py", "studio_pack/__init__.py", "studio_pack/deep/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def save(path: Path, text: str, *, at: int) -> None:
    """Write a file with a distinct time, so that no test waits for a clock."""
    path.write_text(text)
    os.utime(path, (at, at))


def look(files: PluginFiles, times: int = 3) -> list[bool]:
    return [files.have_changed() for _ in range(times)]


@pytest.mark.parametrize("name", ["studio_own.py", "beside.py", "studio_pack/deep/a.py"])
def test_a_saved_file_is_told_once_and_as_soon_as_it_rests(folder: Path, name: str) -> None:
    files = PluginFiles(["studio_own", "studio_pack.deep"])

    before = look(files)
    save(folder / name, "x = 1", at=10)
    after = look(files)

    assert before == [False, False, False]
    assert after == [False, True, False]


def test_a_file_that_is_still_being_written_is_waited_for(folder: Path) -> None:
    files = PluginFiles(["studio_own"])
    told = []

    for second in range(3):
        save(folder / "studio_own.py", "x" * second, at=second)
        told.append(files.have_changed())

    assert told == [False, False, False]
    assert files.have_changed()


def test_a_change_that_is_taken_back_is_none(folder: Path) -> None:
    save(folder / "studio_own.py", "x", at=1)
    files = PluginFiles(["studio_own"])

    save(folder / "studio_own.py", "xy", at=2)
    first = files.have_changed()
    save(folder / "studio_own.py", "x", at=1)

    assert [first, *look(files)] == [False] * 4


def test_a_file_that_comes_or_goes_is_a_change(folder: Path) -> None:
    files = PluginFiles(["studio_own", "studio_late"])

    (folder / "studio_late.py").write_text("")
    came = look(files)
    (folder / "studio_late.py").unlink()
    went = look(files)

    assert came == went == [False, True, False]


def test_a_module_that_nobody_finds_is_waited_for(folder: Path) -> None:
    assert look(PluginFiles(["studio_never", "sys"])) == [False, False, False]
