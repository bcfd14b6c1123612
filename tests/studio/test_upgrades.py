"""Data folders of other versions: older ones are upgraded, newer ones refused."""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.studio.levels import list_all_levels, list_levels
from tests.studio.managing import manage
from tests.studio.new_databases import needs_pg_dump, new_databases
from tests.studio.running_studio import (
    ROOT,
    copy_tables,
    find_free_port,
    run_studio,
    studio_environment,
    up_command,
)

pytestmark = pytest.mark.slow


def run_program(data_dir: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(data_dir)),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def levels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases of older levels of our migrations."""
    folder = tmp_path_factory.mktemp("levels")
    made = run_program(folder / "data", "-m", "tests.studio.old_levels", "make", str(folder))
    assert made.returncode == 0, made.stderr
    return folder


def test_data_folders_of_older_levels_open_and_are_copied_before(
    levels: Path, tmp_path: Path
) -> None:
    opened = run_program(tmp_path, "-m", "tests.studio.old_levels", "open", str(levels))

    assert opened.returncode == 0, opened.stderr
    told = [json.loads(line) for line in opened.stdout.splitlines()]
    assert [one["level"] for one in told] == [*list_levels(), "newest"]
    for one in told:
        assert one["steps"] == ["How far is 10 km?", "6.2 miles."], one["level"]
        assert one["found"] == ["A tape of long ago"], one["level"]
        assert one["job"] == "An import of long ago", one["level"]
        is_older = one["level"] != "newest"
        assert any("first the database is copied" in line for line in one["said"]) == is_older
    copies = sorted((tmp_path / "backups").iterdir())
    assert len(copies) == 3
    assert copies[-1].stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copies[-1])) as rows:
        newest = "SELECT max(name) FROM django_migrations WHERE app = 'tapes_app'"
        assert rows.execute(newest).fetchone() == (list_all_levels()[-1],)
        assert rows.execute("SELECT title FROM tape").fetchall() == [("A tape of long ago",)]


def test_a_new_database_has_the_tables_that_an_upgraded_one_has(
    levels: Path, tmp_path: Path
) -> None:
    copy_tables(tmp_path / "new.sqlite3")

    upgraded, new = describe(levels / "newest.sqlite3"), describe(tmp_path / "new.sqlite3")

    assert len(new) > 200
    assert upgraded == new


def describe(database: Path) -> dict[str, list[str]]:
    """Return columns and constraints of each table, and what makes all else, without order."""
    found: dict[str, list[str]] = {}
    with closing(sqlite3.connect(database)) as rows:
        made = rows.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        for type_, name, sql in made.fetchall():
            if type_ != "table" or sql.startswith("CREATE VIRTUAL TABLE"):
                found[f"{type_} {name}"] = [sql]
                continue
            columns = rows.execute(f"SELECT * FROM pragma_table_xinfo('{name}')").fetchall()
            keys = rows.execute(f"SELECT * FROM pragma_foreign_key_list('{name}')").fetchall()
            rules = re.findall(r'CONSTRAINT "\w+" (?:UNIQUE|CHECK) \([^)]*\)', sql)
            # The place of a column or key is what both may differ in.
            parts = [*(str(column[1:]) for column in columns), *(str(key[2:]) for key in keys)]
            found[f"{type_} {name}"] = sorted([*parts, *rules])
    return found


def test_a_folder_that_a_newer_version_wrote_is_refused_and_not_touched(
    levels: Path, tmp_path: Path
) -> None:
    database = tmp_path / "data" / "studio.sqlite3"
    database.parent.mkdir()
    database.write_bytes((levels / "newest.sqlite3").read_bytes())
    with closing(sqlite3.connect(database)) as rows:
        rows.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('tapes_app', '9999_of_tomorrow', '2030-01-01')"
        )
        rows.commit()
        rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = database.read_bytes()

    started = subprocess.run(
        up_command(tmp_path / "data", find_free_port()),
        cwd=ROOT,
        env=studio_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    listed = run_program(tmp_path / "data", "manage.py", "list_tapes")

    said = f"The database {database} was written by a newer version of the studio"
    for ended in (started, listed):
        assert ended.returncode == 2
        (line,) = ended.stderr.splitlines()
        assert line.startswith(said)
        assert "tapes_app.9999_of_tomorrow" in line
    assert database.read_bytes() == before
    assert not (tmp_path / "data" / "backups").exists()


def test_tables_of_postgresql_are_dumped_before_they_are_changed(tmp_path: Path) -> None:
    needs_pg_dump()
    with new_databases(1) as (address,):
        begun = manage(tmp_path, "migrate", "auth", "-v", "0", DATABASE_URL=address)
        assert begun.returncode == 0, begun.stderr

        with run_studio(tmp_path, DATABASE_URL=address) as studio:
            studio.wait_until_ready()

        (dump,) = (tmp_path / "backups").iterdir()
        assert f"first the database is copied to {dump}" in studio.output
        listed = subprocess.run(
            ["pg_restore", "--list", str(dump)], capture_output=True, text=True, check=True
        )
    assert "TABLE DATA public django_migrations" in listed.stdout
