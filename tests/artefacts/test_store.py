"""The artefact store: two machines, each with a data folder of its own, and what is between."""

import json
import os
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem

from tapes_app.artefacts.artefact_store import Artefacts, open_artefacts
from tapes_app.artefacts.manifest import ArtefactError
from tapes_app.engine.errors import ConflictError

RUN = "finetunes/one"


class BreakingSystem(LocalFileSystem):  # type: ignore[misc]
    """A place that is lost after some files."""

    protocol = "breaking"
    moves_left = 0

    def mv(self, path1: str, path2: str, **options: Any) -> None:
        if type(self).moves_left == 0:
            raise OSError("Connection reset by peer")
        type(self).moves_left -= 1
        super().mv(path1, path2, **options)


fsspec.register_implementation("breaking", BreakingSystem, clobber=True)


class Machine:
    """A data folder, and the store as it is seen from there."""

    def __init__(self, root: Path, address: str) -> None:
        self.root = root
        root.mkdir()
        self.store: Artefacts = open_artefacts(address, root)

    def write(self, path: str, content: str) -> None:
        file = self.root / RUN / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)

    def read(self) -> dict[str, str]:
        folder = self.root / RUN
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


@pytest.fixture(params=["file", "memory"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"file://{tmp_path}/store" if request.param == "file" else f"memory://{uuid4()}"


@pytest.fixture
def here(tmp_path: Path, address: str) -> Machine:
    return Machine(tmp_path / "here", address)


@pytest.fixture
def there(tmp_path: Path, address: str) -> Machine:
    return Machine(tmp_path / "there", address)


def test_a_folder_arrives_as_it_is_and_as_it_becomes(here: Machine, there: Machine) -> None:
    here.write("config.json", "{}")
    here.write("checkpoints/step-1/weights", "one")
    here.write("lock", "123")  # of a process of this machine
    here.write(".metrics.jsonl.tmp", "half")
    there.store.fetch(RUN)
    assert there.read() == {}  # nothing was published yet

    here.store.publish(RUN)
    there.store.fetch(RUN)
    first = there.read()
    (here.root / RUN / "checkpoints" / "step-1" / "weights").unlink()
    here.write("checkpoints/step-2/weights", "two")
    here.store.publish(RUN)
    there.write("lock", "456")
    there.store.fetch(RUN)

    assert first == {"config.json": "{}", "checkpoints/step-1/weights": "one"}
    assert there.read() == {"config.json": "{}", "checkpoints/step-2/weights": "two", "lock": "456"}
    assert not (there.root / RUN / "checkpoints" / "step-1").exists()
    assert there.store.list_names("finetunes") == [RUN]
    assert not there.store.has("finetunes/other")


def test_chosen_files_come_alone(here: Machine, there: Machine) -> None:
    here.write("adapter/weights", "a")
    here.write("metrics.jsonl", "b")
    here.store.publish(RUN)
    there.write("mine", "c")

    there.store.fetch(RUN, lambda path, size: path.startswith("adapter/") and size == 1)

    assert there.read() == {"adapter/weights": "a", "mine": "c"}


def test_nobody_overwrites_what_was_published_from_here(here: Machine, there: Machine) -> None:
    here.write("metrics.jsonl", "one\n")
    here.store.publish(RUN)
    here.write("metrics.jsonl", "one\ntwo\n")

    here.store.fetch(RUN)

    assert here.read() == {"metrics.jsonl": "one\ntwo\n"}
    there.store.fetch(RUN)
    there.store.publish(RUN)  # it goes on there
    here.store.fetch(RUN)
    assert here.read() == {"metrics.jsonl": "one\n"}


def test_who_was_replaced_publishes_no_more(here: Machine, there: Machine) -> None:
    here.write("metrics.jsonl", "old")
    here.store.publish(RUN, attempt=1)
    there.store.fetch(RUN)
    there.write("metrics.jsonl", "new")
    there.store.publish(RUN, attempt=2)

    with pytest.raises(ConflictError, match="A later attempt continues"):
        here.store.publish(RUN, attempt=1)

    here.store.fetch(RUN)
    assert here.read() == {"metrics.jsonl": "new"}


def test_what_is_published_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    here = Machine(tmp_path / "here", f"breaking://{tmp_path}/store")
    there = Machine(tmp_path / "there", f"file://{tmp_path}/store")
    for name in ("a", "b"):
        here.write(name, f"old {name}")
    BreakingSystem.moves_left = 3  # two files and the manifest
    here.store.publish(RUN)
    for name in ("a", "b"):
        here.write(name, f"new {name}")

    for moves in (0, 1, 2):
        BreakingSystem.moves_left = moves
        with pytest.raises(ArtefactError, match="does not respond as expected: Connection reset"):
            here.store.publish(RUN)
        there.store.fetch(RUN)
        assert there.read() == {"a": "old a", "b": "old b"}
        assert not list((tmp_path / "store" / RUN).glob(".*"))
    BreakingSystem.moves_left = 3
    here.store.publish(RUN)
    there.store.fetch(RUN)

    assert there.read() == {"a": "new a", "b": "new b"}


def test_a_damaged_file_is_not_taken(tmp_path: Path) -> None:
    here = Machine(tmp_path / "here", f"file://{tmp_path}/store")
    there = Machine(tmp_path / "there", f"file://{tmp_path}/store")
    here.write("weights", "content")
    here.store.publish(RUN)
    (stored,) = (path for path in (tmp_path / "store" / RUN).iterdir() if path.suffix != ".json")
    stored.write_text("CONTENT")

    with pytest.raises(ArtefactError, match=f"weights of {RUN} is damaged"):
        there.store.fetch(RUN)

    assert there.read() == {}


@pytest.mark.parametrize("path", ["../../secret", "/etc/secret", "a/../../b", ".ssh/key", ""])
def test_a_manifest_leads_nowhere_else(tmp_path: Path, path: str) -> None:
    there = Machine(tmp_path / "there", f"file://{tmp_path}/store")
    (tmp_path / "store" / RUN).mkdir(parents=True)
    told = {"writer": "x", "attempt": 0, "files": {path: ["0" * 64, 1]}}
    (tmp_path / "store" / RUN / "manifest.json").write_text(json.dumps(told))

    with pytest.raises(ArtefactError, match="cannot be read"):
        there.store.fetch(RUN)


def test_an_address_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match=r"'nowhere://x' cannot be used: Protocol not known"):
        open_artefacts("nowhere://x", tmp_path)
    if find_spec("s3fs") is None:
        with pytest.raises(ArtefactError, match=r"'s3://bucket/x' cannot be used: Install s3fs"):
            open_artefacts("s3://bucket/x", tmp_path)


def test_what_is_removed_is_gone_here_and_for_others(here: Machine, there: Machine) -> None:
    here.write("weights", "content")
    here.store.publish(RUN)
    there.store.fetch(RUN)

    there.store.remove(RUN)
    there.store.remove(RUN)  # what is gone already is no error

    assert there.read() == {}
    assert not here.store.has(RUN)
    assert here.store.list_names("finetunes") == []
    assert here.read() == {"weights": "content"}


def test_what_is_old_is_removed_by_who_did_not_write_it(
    here: Machine, there: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.write("weights", "content")
    here.store.publish(RUN)
    there.store.remove_older("finetunes", 3600)
    assert here.store.has(RUN)

    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 7200)
    there.store.remove_older("finetunes", 3600)

    assert not here.store.has(RUN)
    assert here.read() == {"weights": "content"}
    here.store.remove_older("finetunes", 3600)
    assert here.read() == {}


def test_without_a_store_the_old_folders_go(tmp_path: Path) -> None:
    here = Machine(tmp_path / "here", "")
    here.write("weights", "content")
    yesterday = time.time() - 24 * 3600
    os.utime(here.root / RUN, (yesterday, yesterday))

    here.store.remove_older("finetunes", 48 * 3600)
    assert here.read() == {"weights": "content"}
    here.store.remove_older("finetunes", 3600)

    assert here.read() == {}
