"""Databases of older migration levels, made and then opened; a program for a separate process.

`make FOLDER`: a tape with two steps and a queued job are put into the tables of the first level,
and a copy is kept at chosen levels on the way to the newest. Not at each, because a database at a
level in between goes through the same steps from there on as those from earlier levels.
`open FOLDER`: each copy is opened as a start of the studio does it; what HTTP requests find in it
is printed as a line of JSON.
"""

import json
import shutil
import sys
from pathlib import Path
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.db.migrations.state import StateApps  # noqa: E402
from django.test import Client  # noqa: E402

from studio.backups.upgrading import prepare_upgrade  # noqa: E402
from studio.logins import load_owner  # noqa: E402
from tests.studio.levels import list_levels, one_by_one  # noqa: E402

TAPE = UUID("0190a5c4-0000-7000-8000-000000000001")
JOB = UUID("0190a5c4-0000-7000-8000-000000000002")


def make(folder: Path) -> None:
    for level in list_levels():
        executor = one_by_one(connection)
        places = [("tapes_app", level), *_newest_of("auth", "sessions", "admin")]
        state = executor.migrate(places)
        if level == list_levels()[0]:
            put_rows(state.apps)
        keep(folder, level)
    executor = one_by_one(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    keep(folder, "newest")


def keep(folder: Path, level: str) -> None:
    connection.close()
    shutil.copy(connection.settings_dict["NAME"], folder / f"{level}.sqlite3")


def _newest_of(*apps: str) -> list[tuple[str, str]]:
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    return [(app, name) for app, name in leaves if app in apps]


def put_rows(apps: StateApps) -> None:
    """Insert rows as the first version wrote them."""
    owner = apps.get_model("auth", "User").objects.create(
        username=settings.STUDIO_OWNER_NAME, is_staff=True, is_superuser=True, password="!"
    )
    project = apps.get_model("tapes_app", "ProjectRecord").objects.create(name="My project")
    apps.get_model("tapes_app", "MembershipRecord").objects.create(
        user=owner, project=project, role="owner"
    )
    tape = apps.get_model("tapes_app", "TapeRecord").objects.create(
        id=TAPE,
        project=project,
        owner=owner,
        title="A tape of long ago",
        spans=[[str(TAPE), 0, 2]],
        step_count=2,
        own_step_count=2,
    )
    steps = apps.get_model("tapes_app", "StepRecord").objects
    for position, (kind, family, said) in enumerate(
        [("user", "observation", "How far is 10 km?"), ("assistant", "action", "6.2 miles.")]
    ):
        body = {"kind": kind, "content": said}
        steps.create(
            log=tape, position=position, kind=kind, family=family, text=said, gist=said, body=body
        )
    apps.get_model("tapes_app", "JobRecord").objects.create(
        id=JOB, project=project, owner=owner, kind="import", title="An import of long ago"
    )


def open_all(folder: Path) -> None:
    for path in sorted(folder.glob("*.sqlite3")):
        connection.close()
        shutil.copy(path, connection.settings_dict["NAME"])
        said: list[str] = []
        prepare_upgrade(said.append)
        call_command("migrate", verbosity=0)
        browser = Client(SERVER_NAME="127.0.0.1")
        browser.force_login(load_owner())
        steps = browser.get(f"/api/v1/tapes/{TAPE}/steps").json()
        found = browser.get("/api/v1/tapes", {"q": "miles"}).json()
        job = browser.get(f"/api/v1/jobs/{JOB}").json()
        told = {
            "level": path.stem,
            "said": said,
            "steps": [row.get("gist") for row in steps.get("items", [])],
            "found": [row["title"] for row in found.get("items", [])],
            "job": job.get("title"),
        }
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    {"make": make, "open": open_all}[sys.argv[1]](Path(sys.argv[2]))
