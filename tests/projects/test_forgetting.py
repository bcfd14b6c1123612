"""A forgotten project leaves nothing behind, and takes nothing from others."""

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from tapes_app.artefacts.opening import artefacts
from tapes_app.exchange.services.example_files import keep_file
from tapes_app.jobs.store.job import create_job
from tapes_app.models import (
    ContentRecord,
    JobRecord,
    LLMCallRecord,
    ProjectRecord,
    PromptNodeRecord,
    StepRecord,
)
from tapes_app.projects.services.people import Person
from tests.http.people import elsewhere, owner, project, studio, world
from tests.http.rows import store_adapter, store_export, store_training_set
from tests.http.worlds import World

__all__ = ["elsewhere", "owner", "project", "studio", "world"]
pytestmark = pytest.mark.django_db

LISTING = "/admin/tapes_app/projectrecord/"


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


def end_jobs(world: World) -> None:
    JobRecord.objects.filter(project_id=world.project).update(state="succeeded")


def forget(staff: Client, world: World, **sent: str) -> Any:
    chosen = {"action": "forget_projects", "_selected_action": str(world.project)}
    return staff.post(LISTING, {**chosen, **sent}, follow=True)


def count_rows() -> dict[str, int]:
    kept = {"LogEntry", "Session", "User", "ContentType", "Permission"}
    return {
        model.__name__: model._base_manager.count()
        for model in apps.get_models()
        if model.__name__ not in kept
    }


def test_it_asks_first_and_says_what_would_go(staff: Client, world: World) -> None:
    end_jobs(world)

    page = forget(staff, world).content.decode()

    assert "deleted for good" in page
    assert "Steps" in page
    assert "LLM calls" in page
    assert ProjectRecord.objects.filter(id=world.project).exists()


def test_nothing_is_left_of_it_and_all_of_the_others(
    staff: Client, owner: User, world: World, elsewhere: World
) -> None:
    before_there_were_two = count_rows()
    end_jobs(world)
    export = Path(str(store_export_folder(world)))
    set_folder = store_training_set_folder(world)

    page = forget(staff, world, confirmed="1").content.decode()
    connection.check_constraints()

    after = count_rows()
    assert "Ours is forgotten" in page
    assert not ProjectRecord.objects.filter(id=world.project).exists()
    assert after["ProjectRecord"] == before_there_were_two["ProjectRecord"] - 1
    own = [name for name, count in after.items() if before_there_were_two[name] and not count]
    assert own == []  # the other project has a row of each sort still
    assert StepRecord.objects.filter(log=elsewhere.tape).exists()
    assert LLMCallRecord.objects.filter(id=elsewhere.call).exists()
    assert not export.exists()
    assert not set_folder.exists()
    assert User.objects.filter(username="ada").exists()


def test_what_was_said_in_it_alone_is_gone_too(staff: Client, world: World) -> None:
    end_jobs(world)
    assert PromptNodeRecord.objects.exists()
    assert ContentRecord.objects.exists()

    forget(staff, world, confirmed="1")

    assert not LLMCallRecord.objects.exists()
    assert not PromptNodeRecord.objects.exists()
    assert not ContentRecord.objects.exists()


def test_what_went_is_in_the_audit_log(staff: Client, world: World) -> None:
    end_jobs(world)

    forget(staff, world, confirmed="1")

    entry = LogEntry.objects.get(object_id=str(world.project))
    assert entry.object_repr == "Ours"
    assert entry.user.get_username() == "root"
    assert "Steps: " in entry.change_message
    listed = staff.get(reverse("admin:admin_logentry_changelist")).content.decode()
    assert "Forgotten, with" in listed


def test_it_is_refused_while_something_goes_on(staff: Client, world: World) -> None:
    end_jobs(world)
    create_job(world.project, "run", request={})

    page = forget(staff, world, confirmed="1").content.decode()

    assert "1 job of this project are not over" in page
    assert StepRecord.objects.filter(log=world.tape).exists()
    assert LogEntry.objects.count() == 0


def test_an_operator_without_the_right_cannot(world: World) -> None:
    end_jobs(world)
    user = User.objects.create_user("op", password="x", is_staff=True)
    client = Client()
    client.force_login(user)

    assert forget(client, world, confirmed="1").status_code == 403
    assert ProjectRecord.objects.filter(id=world.project).exists()


def test_the_store_of_artefacts_forgets_it_too(
    staff: Client, world: World, elsewhere: World, settings: Any, tmp_path: Path
) -> None:
    settings.STUDIO_ARTEFACTS = f"file://{tmp_path}/store"
    own = f"exports/{store_export(world)}"
    other = f"exports/{store_export(elsewhere)}"
    for name in (own, other):
        artefacts().publish(name)
    end_jobs(world)

    forget(staff, world, confirmed="1")

    assert artefacts().list_names("exports") == [other]


def test_files_of_examples_go_with_it_and_not_after_a_day(
    staff: Client, world: World, elsewhere: World, settings: Any, tmp_path: Path
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path / "data"
    settings.STUDIO_ARTEFACTS = f"file://{tmp_path}/store"
    send_examples(world)
    other = send_examples(elsewhere)
    end_jobs(world)

    forget(staff, world, confirmed="1")

    assert artefacts().list_names("example_files") == [f"example_files/{elsewhere.project}.{other}"]
    kept = [path.name for path in (tmp_path / "data/example_files").iterdir()]
    assert kept == [f"{elsewhere.project}.{other}"]


def test_nothing_is_forgotten_while_the_store_of_artefacts_is_away(
    staff: Client, world: World, settings: Any
) -> None:
    settings.STUDIO_ARTEFACTS = "nowhere://at/all"
    end_jobs(world)

    page = forget(staff, world, confirmed="1").content.decode()

    assert "cannot be used" in page
    assert ProjectRecord.objects.filter(id=world.project).exists()
    assert StepRecord.objects.filter(log=world.tape).exists()


def send_examples(world: World) -> str:
    """Send a file of examples, of which nothing is made, and return its id."""
    rows = SimpleUploadedFile("rows.jsonl", b'{"question": "1 + 1?", "answer": "2"}')
    return str(keep_file(Person(0, "ann", world.project, "Ours", "member"), rows).id)


def store_export_folder(world: World) -> Path:
    from django.conf import settings

    return Path(settings.STUDIO_DATA_DIR) / "exports" / str(store_export(world))


def store_training_set_folder(world: World) -> Path:
    from django.conf import settings

    from optimize_app.models import TrainingSetRecord

    record = TrainingSetRecord.objects.get(id=store_training_set(world))
    store_adapter(world)
    return Path(settings.STUDIO_DATA_DIR) / "training_sets" / record.content_hash
