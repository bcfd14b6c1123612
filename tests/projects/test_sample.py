"""The sample project: something finished for every page, which is there and gone by one click."""

import json
import zipfile
from collections import Counter
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tapes_app.models import ProjectRecord
from tapes_app.projects.services.forgetting import forget_project
from tapes_app.projects.services.sample import SAMPLE_FILE, SAMPLE_ID
from tapes_app.projects.store import kept_rows
from tests.http.asking import call
from tests.http.people import owner, project, studio, viewer, world

__all__ = ["owner", "project", "studio", "viewer", "world"]
pytestmark = pytest.mark.django_db

MOST_BYTES = 1_000_000


class Visitor:
    """A person in the sample project."""

    def __init__(self, client: Client) -> None:
        self.opened = call(client, "POST", "projects/sample")
        self._client = client

    def get(self, path: str) -> Any:
        answer = self._client.get(f"/api/v1/{path}", headers={"X-Project": str(SAMPLE_ID)})
        assert answer.status_code == 200, answer.content
        return answer.json()

    def items(self, path: str) -> list[Any]:
        found = self.get(path)
        return list(found if isinstance(found, list) else found["items"])


def count_rows() -> dict[str, int]:
    return {model.__name__: model._base_manager.count() for model in apps.get_models()}


def test_every_page_has_something_finished_to_show(studio: Client) -> None:
    visitor = Visitor(studio)

    lists = (
        "tapes", "batches/summaries", "agents", "datasets", "sweeps", "suites", "queues",
        "rubrics", "models", "training-sets", "finetunes", "adapters", "base-models", "jobs",
    )  # fmt: skip
    assert [name for name in lists if not visitor.items(name)] == []
    found = urlencode({"q": 'lint:"rule:A count below zero"'})
    assert visitor.items(f"tapes?{found}")
    assert {job["state"] for job in visitor.items("jobs?limit=200")} == {"succeeded"}


def test_two_versions_of_an_agent_have_a_winner_and_a_judge_was_measured(studio: Client) -> None:
    visitor = Visitor(studio)

    (row,) = (one for one in visitor.items("sweeps") if one["name"] == "Two versions")
    sweep = visitor.get(f"sweeps/{row['job_id']}")
    careless, careful = (one["passed_count"] for one in sweep["variants"])
    (scoring,) = (one for one in sweep["scorings"] if one["scoring_id"])
    bench = visitor.get(f"sweeps/{row['job_id']}/scorings/{scoring['scoring_id']}/bench")

    assert careful > careless
    assert bench["bench"]["confusion"]["only_judge"] > 0
    assert bench["labelled_count"] == 30


def test_a_failure_has_a_fix_that_passes_and_a_test_that_tells_the_versions_apart(
    studio: Client,
) -> None:
    visitor = Visitor(studio)

    (suite,) = visitor.items("suites")
    shown = visitor.get(f"suites/{suite['id']}")
    (test,) = shown["tests"]
    failed = visitor.get(f"tapes/{test['tape_id']}")["parent_id"]
    experiments = visitor.items(f"tapes/{failed}/experiments")

    (experiment,) = experiments
    summary = visitor.get(f"experiments/{experiment['id']}")["summary"]
    assert summary["best"] == "A"
    came = {run["agent"]: (run["passed_count"], run["failed_count"]) for run in shown["runs"]}
    assert came == {"solver v1": (0, 1), "solver v2": (1, 0)}


def test_a_queue_is_half_answered_by_people_who_mostly_agree(studio: Client) -> None:
    visitor = Visitor(studio)

    (queue,) = (one for one in visitor.items("queues") if one["name"] == "Read the reasoning")

    assert 0 < queue["done_count"] < queue["item_count"]
    assert 0 < queue["agreeing_count"] < queue["pair_count"]
    assert not User.objects.filter(username__contains="(sample)", is_active=True).exists()


def test_what_was_learnt_can_be_read(studio: Client) -> None:
    visitor = Visitor(studio)

    (made,) = visitor.items("training-sets")
    (finetune,) = visitor.items("finetunes")
    examples = visitor.items(f"training-sets/{made['id']}/examples?side=train")
    events = visitor.get(f"finetunes/{finetune['job_id']}/metrics")["events"]

    assert made["held_out_count"] > 0
    assert examples
    assert len([one for one in events if one["event"] == "step"]) > 5


def test_it_is_copied_once_and_others_join(studio: Client, viewer: Client) -> None:
    first = Visitor(studio).opened
    rows = count_rows()
    second = Visitor(viewer).opened

    assert (first["name"], first["role"], second["role"]) == ("Sample", "owner", "member")
    assert second["id"] == first["id"] == str(SAMPLE_ID)
    assert Counter(count_rows()) - Counter(rows) == {"MembershipRecord": 1}


def test_opening_it_again_brings_it_back(studio: Client) -> None:
    Visitor(studio)
    call(studio, "PATCH", f"projects/{SAMPLE_ID}", {"is_archived": True})

    assert Visitor(studio).opened["archived_at"] is None


def test_another_project_keeps_its_name(studio: Client) -> None:
    ProjectRecord.objects.create(name="Sample")

    assert Visitor(studio).opened["name"] == "Sample 2"


def test_nothing_of_it_is_left_when_it_is_forgotten(studio: Client, world: Any) -> None:
    before = count_rows()
    Visitor(studio)

    forget_project(SAMPLE_ID)
    connection.check_constraints()

    more = {name for name, count in count_rows().items() if count != before[name]}
    assert more <= {"User", "BudgetRecord", "Session"}


def test_what_is_copied_is_what_was_kept(studio: Client) -> None:
    """Kept again, the copy is the file: no table, column or reference was lost on the way."""
    Visitor(studio)

    with zipfile.ZipFile(SAMPLE_FILE) as archive:
        text = archive.read("rows.jsonl").decode()
    kept = text.replace("{STUDIO_DATA_DIR}", str(settings.STUDIO_DATA_DIR)).splitlines()
    again = kept_rows.write_lines(SAMPLE_ID)

    assert _plain(again) == _plain(kept)
    assert SAMPLE_FILE.stat().st_size < MOST_BYTES


def _plain(lines: Any) -> dict[str, Any]:
    """Return rows without what a copy counts anew: ids of the database, and people."""
    tables: dict[str, Any] = {}
    for line in map(json.loads, lines):
        model = apps.get_model(line["table"])
        anew = {
            at
            for at, name in enumerate(line["columns"])
            if (name == "id" or name.endswith("_id"))
            and any(isinstance(row[at], int) for row in line["rows"])
        }
        rows = [[v for at, v in enumerate(row) if at not in anew] for row in line["rows"]]
        tables[model.__name__] = sorted(json.dumps(row) for row in rows)
    return tables
