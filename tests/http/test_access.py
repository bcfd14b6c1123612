"""Who may do what, on every route: signed-in people, viewers, and people of another project."""

import json
import shutil
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from optimize_app.base_models import models_folder
from optimize_app.finetune.base_recipe import BASE_KIND
from optimize_app.finetune.store import token_files
from tapes_app.jobs.store.job import create_job
from tapes_app.models import JobRecord, ProjectRecord
from tests.http.asking import call
from tests.http.kept_rows import elsewhere, kept_rows, owner, project, world
from tests.http.routes import READING, Route, ask, list_routes
from tests.http.rows import store_training_set
from tests.http.worlds import World

__all__ = ["elsewhere", "kept_rows", "owner", "project", "world"]

pytestmark = pytest.mark.django_db
ROUTES = list_routes()
OF_NO_PROJECT = {
    "GET scorer-functions",
    "GET transforms",
    "GET session",
    "GET step-kinds",
    "GET step-kinds/{kind}/schema",
    "GET gallery",
    "GET agents/environments",
    "GET agents/node-types",
    "GET agents/spec-schema",
    "GET agents/tools",
    "GET rubrics/presets",
}
"""Routes that show no row of a project."""


def by_name(route: Route) -> str:
    return route.name


@pytest.mark.parametrize("route", ROUTES, ids=by_name)
def test_nobody_gets_in_without_signing_in(route: Route, elsewhere: World) -> None:
    answer = ask(Client(), route, elsewhere)

    assert answer.status_code == 401
    assert answer.json()["code"] == "not_signed_in"


@pytest.mark.parametrize("route", [r for r in ROUTES if r.takes_ids], ids=by_name)
def test_another_projects_rows_do_not_exist(route: Route, studio: Client, elsewhere: World) -> None:
    answer = ask(studio, route, elsewhere)

    assert answer.status_code == 404, answer.content
    assert answer.json()["code"] == "not_found"


ASK_BY_ID = {
    "GET exports",
    "GET agents/diff",
    "GET agents/versions/outcomes",
    "GET batches/diff",
    "GET batches/matrix",
    "GET batches/alignment",
}
"""Routes that name rows in the query."""

REFUSED = {
    "DELETE membership": 409,
    "POST openai/chat/completions": 404,
    "POST openai/responses": 404,
    "POST environments/servers": 403,
    "DELETE environments/servers/{server}": 403,
    "GET environments/servers/{server}/tools": 404,
    "PUT environments/servers/{server}/tools": 403,
}
"""The only owner of a project cannot leave it; nobody waits here for an agent's answer;
MCP servers are for operators, and there is none."""


@pytest.mark.parametrize(
    "route", [r for r in ROUTES if not r.takes_ids and r.name not in OF_NO_PROJECT], ids=by_name
)
def test_lists_and_bodies_reach_no_other_project(
    route: Route, studio: Client, elsewhere: World, settings: Settings
) -> None:
    settings.STUDIO_ACCOUNTS = True

    answer = ask(studio, route, elsewhere)

    names_rows = "_id" in json.dumps(route.body(elsewhere)) or route.name in ASK_BY_ID
    if names_rows:
        assert answer.status_code == 404
    elif route.name in REFUSED:
        assert answer.status_code == REFUSED[route.name]
    else:
        assert answer.status_code < 300
        assert not any(row in answer.content.decode() for row in elsewhere.texts())


@pytest.mark.parametrize("route", [r for r in ROUTES if r.takes_ids], ids=by_name)
def test_naming_another_project_does_not_help(
    route: Route, studio: Client, elsewhere: World
) -> None:
    answer = ask(studio, route, elsewhere, **{"X-Project": str(elsewhere.project)})

    assert answer.status_code == 404


@pytest.fixture
def bases() -> Iterator[None]:
    """No base models before and after a test."""
    shutil.rmtree(models_folder(), ignore_errors=True)
    yield
    shutil.rmtree(models_folder())


def put_base(name: str, *makers: UUID, is_old: bool = False) -> None:
    """Put a base model into the data folder, made in these projects or by nobody.

    Of an old one, only the jobs tell who made it.
    """
    folder = models_folder() / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"model_type": "llama"}')
    unknown: dict[str, object] = {
        "problem": "",
        "template": None,
        "template_problem": "",
        "examples": [],
    }
    with token_files.one_at_a_time():
        token_files.save(token_files.key_of(folder), unknown)
    if makers:
        made = {} if is_old else {"projects": [str(maker) for maker in makers]}
        (folder / "recipe.json").write_text(json.dumps(made))
    for maker in makers if is_old else ():
        job = create_job(maker, BASE_KIND, request={"name": name})
        JobRecord.objects.filter(id=job.id).update(state="succeeded", result={"base": name})


def test_base_models_of_another_project_are_not_named(
    studio: Client, world: World, elsewhere: World, bases: None
) -> None:
    put_base("theirs", elsewhere.project)
    put_base("ours", world.project)
    put_base("of-both", elsewhere.project, world.project)
    put_base("old-theirs", elsewhere.project, is_old=True)
    put_base("old-ours", world.project, is_old=True)
    put_base("an-operators")

    listed = call(studio, "GET", "base-models")
    templates = call(studio, "GET", "base-models/templates")
    refused = call(
        studio,
        "POST",
        "training-sets",
        {"name": "a", "tape_ids": [str(world.tape)], "base": "nothing"},
        422,
    )

    assert [base["name"] for base in listed] == ["an-operators", "of-both", "old-ours", "ours"]
    assert [one["base"] for one in templates] == ["an-operators", "of-both", "old-ours", "ours"]
    assert "theirs" not in refused["message"]


PERSONAL = ("lenses", "tokens", "membership")
OWN_PROJECTS = ("POST projects", "POST projects/sample")
SHARED = [
    r
    for r in ROUTES
    if r.method not in READING and not r.path.startswith(PERSONAL) and r.name not in OWN_PROJECTS
]
"""Routes that change what others see; a lens, a token or a new project affects nobody else."""

FOR_OWNERS = {"GET invitations"}
"""Routes that show what only owners may see."""


@pytest.mark.parametrize("route", SHARED, ids=by_name)
def test_viewers_change_nothing(route: Route, viewer: Client, world: World) -> None:
    answer = ask(viewer, route, world)

    assert answer.status_code == 403
    assert answer.json()["code"] == "not_allowed"


@pytest.mark.parametrize("route", [r for r in ROUTES if r.method not in READING], ids=by_name)
def test_a_token_that_can_only_read_changes_nothing(
    route: Route, studio: Client, world: World
) -> None:
    made = call(studio, "POST", "tokens", {"name": "reader"}, 201)

    answer = ask(Client(), route, world, Authorization=f"Bearer {made['token']}")

    assert answer.status_code == 403
    assert "can only read" in answer.json()["message"]


@pytest.mark.parametrize("route", [r for r in ROUTES if r.method in READING], ids=by_name)
def test_viewers_see_everything(route: Route, viewer: Client, world: World) -> None:
    refused = {
        "GET uploads/{job_id}": 409,
        "GET experiments/{experiment_id}/preference-pair": 409,
        "GET sweeps/{job_id}/card": 409,
        "GET environments/servers/{server}/tools": 404,  # there is none
    }
    status = 403 if route.name in FOR_OWNERS else refused.get(route.name, 200)
    assert ask(viewer, route, world).status_code == status


@pytest.mark.parametrize("route", [r for r in ROUTES if r.method not in READING], ids=by_name)
def test_other_sites_cannot_write_for_a_person(route: Route, owner: User, world: World) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)

    answer = ask(browser, route, world)

    assert answer.status_code == 403
    assert answer.json()["code"] == "csrf_failed"


def test_a_person_of_two_projects_names_the_one(
    studio: Client, owner: User, world: World, elsewhere: World
) -> None:
    theirs = ProjectRecord.objects.get(id=elsewhere.project)
    theirs.memberships.create(user=owner, role="member")
    address = f"/api/v1/tapes/{elsewhere.tape}"

    assert studio.get(address).status_code == 404
    assert studio.get(f"{address}?project={elsewhere.project}").status_code == 200
    assert studio.get(address, headers={"X-Project": str(elsewhere.project)}).status_code == 200


def test_a_person_in_no_project_is_told_whom_to_ask(
    db: None, django_user_model: type[User], settings: object
) -> None:
    settings.STUDIO_ACCOUNTS = True  # type: ignore[attr-defined]
    browser = Client()
    browser.force_login(django_user_model.objects.create_user("nobody"))

    answer = browser.get("/api/v1/session")

    assert answer.status_code == 403
    assert "ask an owner" in answer.json()["message"]


def test_without_accounts_the_person_owns_the_default_project(
    db: None, django_user_model: type[User]
) -> None:
    browser = Client()
    browser.force_login(django_user_model.objects.create_user("me"))

    session = browser.get("/api/v1/session").json()

    assert session["role"] == "owner"
    assert [project["id"] for project in session["projects"]] == [session["project_id"]]


def test_a_base_model_of_another_project_is_as_unknown_as_one_that_is_not_there(
    studio: Client, world: World, elsewhere: World, bases: None
) -> None:
    put_base("theirs", elsewhere.project)
    wanted: dict[str, Any] = {"name": "a", "training_set_id": str(store_training_set(world))}
    served = {"adapter_id": None}

    def ask_for(base: str) -> list[str]:
        asked = [
            ("finetunes", {**wanted, "base": base}),
            ("served-models", {**served, "base": base}),
            ("training-sets", {"name": "b", "tape_ids": [str(world.tape)], "base": base}),
        ]
        answers = [call(studio, "POST", path, body, 422) for path, body in asked]
        return [answer["message"].replace(base, "BASE") for answer in answers]

    assert ask_for("theirs") == ask_for("nowhere")
    put_base("ours", world.project)
    call(studio, "POST", "finetunes", {**wanted, "base": "ours"}, 202)
