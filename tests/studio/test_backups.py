"""Backups made while a studio works, read again, refused if they are damaged, and restored."""

import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from pytest_django.fixtures import Settings

from tests.commands.running import answer_no, fail
from tests.studio.damaged_backups import DAMAGES, of_tomorrow
from tests.studio.managing import make_token, manage, manage_well, mode_of_all, refused
from tests.studio.new_databases import needs_pg_dump, new_databases
from tests.studio.running_studio import ROOT, RunningStudio, run_studio, studio_environment
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

_LINES = 4
_NUMBERS = itertools.count()


def write_tape() -> str:
    said = {"role": "user", "content": f"How far is {next(_NUMBERS)} km?"}
    return json.dumps({"messages": [said]}) + "\n"


class Writers:
    """Scripts that upload tapes continuously until the block ends."""

    def __init__(self, studio: RunningStudio) -> None:
        token = make_token(studio.data_dir)
        self._headers = {"Authorization": f"Bearer {token}"}
        self._url = f"{studio.url}/api/v1"
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._write) for _ in range(2)]
        self.sent: list[str] = []

    def __enter__(self) -> "Writers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _write(self) -> None:
        with httpx.Client(headers=self._headers, timeout=60) as script:
            while not self._stopping.is_set():
                file = {"files": ("many.jsonl", "".join(write_tape() for _ in range(_LINES)))}
                answer = script.post(f"{self._url}/uploads", files=file)
                assert answer.status_code == 202, answer.text
                self.sent.append(answer.json()["id"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a studio, made while scripts wrote to it."""
    folder = tmp_path_factory.mktemp("backup")
    with run_studio(folder / "data") as studio:
        studio.wait_until_ready()
        (studio.data_dir / "models").mkdir()
        (studio.data_dir / "models" / "weights").write_bytes(os.urandom(6 * 1024**2))
        (studio.data_dir / "models" / "elsewhere").symlink_to("/etc/hostname")
        with Writers(studio) as writers:
            wait_until(lambda: len(writers.sent) > 5, "uploads")
            said = manage_well(studio.data_dir, "backup", str(folder / "backup.tar.gz"))
            before = len(writers.sent)
            wait_until(lambda: len(writers.sent) > before, "uploads after the backup")
    assert said.startswith(f"{folder / 'backup.tar.gz'}: the database (SQLite) and ")
    return folder / "backup.tar.gz"


def test_a_backup_made_under_load_is_whole_and_private(made: Path) -> None:
    checked = json.loads(
        manage_well(made.parent / "none", "backup", "--check", str(made), "--json")
    )

    assert checked["is_whole"] is True
    assert checked["left_out"] == ["models/elsewhere"]
    assert made.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in made.parent.iterdir()} == {made.name, "data", "none"}
    with tarfile.open(made) as archive:
        names = archive.getnames()
    assert {"files/secret_key", "files/models/weights"} <= {*names}
    assert not [name for name in names if "broker" in name or name.endswith("/lock")]


def test_what_was_at_work_goes_on_after_a_restore(made: Path, tmp_path: Path) -> None:
    data_dir = tmp_path / "restored"

    manage_well(data_dir, "restore", str(made))

    with closing(sqlite3.connect(data_dir / "studio.sqlite3")) as rows:
        assert rows.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert rows.execute("PRAGMA foreign_key_check").fetchall() == []
        ((jobs,),) = rows.execute("SELECT count(*) FROM job WHERE kind = 'import'")
    assert jobs > 5
    assert (data_dir / "models" / "weights").stat().st_size == 6 * 1024**2
    with run_studio(data_dir) as studio:
        studio.wait_until_ready()
        wait_until(lambda: states_of_imports(data_dir) == {"succeeded": jobs}, "imports to end")
        assert count_tapes(data_dir) == jobs * _LINES
        said = refused(data_dir, "restore", str(made), "--replace")
    assert f"(process {studio.process.pid}) is using the data folder" in said
    assert mode_of_all(data_dir) <= {0o700, 0o600}


def states_of_imports(data_dir: Path) -> dict[str, int]:
    asked = "SELECT state, count(*) FROM job WHERE kind = 'import' GROUP BY state"
    with closing(sqlite3.connect(data_dir / "studio.sqlite3")) as rows:
        return dict(rows.execute(asked).fetchall())


def count_tapes(data_dir: Path) -> int:
    asked = (
        "SELECT count(*) FROM tape JOIN batch ON batch.id = batch_id WHERE name LIKE 'many.jsonl%'"
    )
    with closing(sqlite3.connect(data_dir / "studio.sqlite3")) as rows:
        return int(rows.execute(asked).fetchone()[0])


def test_a_folder_that_is_not_empty_is_left_alone(made: Path, tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    manage_well(data_dir, "restore", str(made))
    (data_dir / "blobs" / "mine").parent.mkdir(exist_ok=True)
    (data_dir / "blobs" / "mine").write_text("kept")

    said = refused(data_dir, "restore", str(made))
    manage_well(data_dir, "restore", str(made), "--replace")

    assert "is not empty" in said
    (kept,) = tmp_path.glob("data.before-restore-*")
    assert (kept / "blobs" / "mine").read_text() == "kept"
    assert not (data_dir / "blobs" / "mine").exists()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
def test_a_damaged_backup_is_refused_and_leaves_nothing(
    made: Path, tmp_path: Path, settings: Settings, damage: Callable[[bytes], bytes]
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path / "data"
    settings.STUDIO_DATA_DIR.mkdir()
    damaged = tmp_path / "damaged.tar.gz"
    damaged.write_bytes(damage(made.read_bytes()))

    checked = answer_no("backup", "--check", str(damaged))
    said = fail("restore", str(damaged))

    assert said == checked
    assert said.startswith(f"{damaged} is not a complete backup: ")
    assert {path.name for path in tmp_path.iterdir()} == {"damaged.tar.gz", "data"}
    assert not (tmp_path / "data" / "studio.sqlite3").exists()
    assert not Path("/tmp/taken").exists()


def test_a_backup_of_a_newer_version_is_refused(
    made: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path / "data"
    settings.STUDIO_DATA_DIR.mkdir()
    newer = tmp_path / "newer.tar.gz"
    newer.write_bytes(of_tomorrow(made.read_bytes()))

    said = fail("restore", str(newer))

    assert "was written by a newer version of the studio" in said
    assert "tapes_app.9999_of_tomorrow" in said
    assert not (tmp_path / "data" / "studio.sqlite3").exists()


def test_what_cannot_be_backed_up_is_said_and_nothing_is_left(made: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.tar.gz"
    empty = refused(tmp_path / "data", "backup", str(target))
    (tmp_path / "data" / "studio.sqlite3").write_bytes(b"no database " * 1000)
    corrupt = refused(tmp_path / "data", "backup", str(target))
    no_folder = refused(tmp_path / "data", "backup", str(tmp_path / "nope" / "b"))
    there = refused(made.parent / "data", "backup", str(made))

    assert empty == "No studio has been started here yet, so there is nothing to back up."
    assert "file is not a database" in corrupt
    assert no_folder == f"There is no folder {tmp_path / 'nope'}; make it first."
    assert there == f"{made} exists already; choose another name."
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_the_page_for_operators_works_as_it_is_written(made: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    first, second, third, *_ = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    (day,) = {*re.findall(r"studio-([\d-]+)\.tar", page)}
    restore = third.splitlines()[0]
    lines = f"{first}\n{second}\n{restore}".replace("$(date +%F)", day)
    for told, here in (
        ("/backups/", f"{tmp_path}/"),
        ("/srv/studio", f"{tmp_path}/restored"),
        (".venv/bin/python", sys.executable),
    ):
        assert told in lines
        lines = lines.replace(told, here)

    ran = subprocess.run(
        ["bash", "-ec", lines],
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(made.parent / "data")),
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert "is whole: the database (SQLite) and " in ran.stdout
    assert states_of_imports(tmp_path / "restored") == states_of_imports(made.parent / "data")


@pytest.fixture
def servers() -> Iterator[list[str]]:
    """Two empty PostgreSQL databases."""
    needs_pg_dump()
    with new_databases(2) as addresses:
        yield addresses


def test_a_database_of_postgresql_goes_with_its_key(tmp_path: Path, servers: list[str]) -> None:
    one, other = servers
    old, new, backup = tmp_path / "old", tmp_path / "new", str(tmp_path / "backup.tar.gz")
    assert manage(old, "migrate", "-v", "0", DATABASE_URL=one).returncode == 0
    manage_well(old, "make_problems", "--count", "3", "--split", "test", DATABASE_URL=one)

    said = manage_well(old, "backup", backup, DATABASE_URL=one)
    wrong = refused(new, "restore", backup)
    manage_well(new, "restore", backup, DATABASE_URL=other)
    full = refused(tmp_path / "third", "restore", backup, DATABASE_URL=other)
    manage_well(new, "restore", backup, "--replace", DATABASE_URL=other)

    assert "the database (PostgreSQL) and 1 file" in said
    assert "holds a database of postgresql; set DATABASE_URL" in wrong
    assert "is not empty" in full
    assert manage_well(new, "list_tapes", DATABASE_URL=other) == "3 tapes."
    assert (new / "secret_key").read_text() == (old / "secret_key").read_text()
    assert not (new / "studio.sqlite3").exists()
