"""Studies as the page starts and shows them; the command goes on in the same folder."""

import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from optimize_app.case_study.services.growing import grow_trees
from optimize_app.case_study.services.study import ARMS
from optimize_app.case_study.services.study_jobs import folder_of
from optimize_app.case_study.settings import SIZES, StudySettings
from optimize_app.case_study.study_folder import write_piece
from optimize_app.finetune.base_recipe import BASE_KIND
from optimize_app.finetune.services.base_jobs import start_base_model
from tapes_app.jobs.store.granting import store_checkpoint
from tapes_app.jobs.store.job import list_jobs, load_job
from tapes_app.management.named import find_operator
from tapes_app.tapes.store.batches import ensure_batch
from tests.commands.running import fail, run_json, run_lines
from tests.http.asking import call
from tests.jobs.hosting import workers_beside
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SMALLEST = {**SIZES["tiny"], "train_width": 2, "openings": 1, "test_width": 4, "depth": 1}


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=find_operator("").user_id))
    return client


def _start(client: Client, **changed: Any) -> str:
    started = call(client, "POST", "studies", {**SMALLEST, **changed}, expect=202)
    return str(started["id"])


def _words_of(study: dict[str, Any], piece: str) -> str:
    (words,) = (one["words"] for one in study["pieces"] if one["name"] == piece)
    return str(words)


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.slow
def test_a_study_ends_with_a_report_and_does_no_piece_twice(client: Client) -> None:
    job = _start(client)
    project = find_operator("").project_id
    base = start_base_model(find_operator(""), StudySettings.model_validate(SMALLEST).base)
    store_checkpoint(UUID(job), {"base": str(base.id)})  # by a worker that was killed then

    def look() -> Any:
        return call(client, "GET", f"studies/{job}")

    with workers_beside():
        wait_until(
            lambda: look()["study"]["finished_at"],
            progress=lambda: look()["study"]["message"],
            pause_seconds=0.2,
        )

    seen = look()
    assert seen["study"]["state"] == "succeeded", seen["study"]["message"]
    assert all(piece["is_done"] and piece["words"] for piece in seen["pieces"])
    assert [one.id for one in list_jobs(project, kinds=(BASE_KIND,), limit=9)] == [base.id]
    started = load_job(project, UUID(job)).checkpoint
    assert started == {
        piece["name"]: piece["job_id"] for piece in seen["pieces"] if piece["job_id"] is not None
    }
    arms = {arm["name"]: arm for arm in seen["arms"]}
    assert arms.keys() == set(ARMS) == seen["study"]["greadth"].keys()
    assert arms["teacher"]["report"]["greadth"] > 0.5
    assert arms["untuned student"]["report"]["greadth"] < 0.5
    assert arms["student"]["times_cheaper"] > 50
    assert arms["student"]["against_teacher"]["difference"] < 0
    assert arms["teacher"]["whole"]["ends"] == {"submitted": 3}
    assert arms["student"]["whole"]["success"] == 0
    lessons = call(client, "GET", f"tapes?q=batch:{json.dumps(seen['lessons'])}")
    assert lessons["items"]
    made = call(client, "GET", f"training-sets/{seen['training_set_id']}")
    (turns,) = re.findall(r"of (\d+) turns", _words_of(seen, "lessons"))
    assert 0 < made["train_count"] <= int(turns) * 2  # which form, and its first slot

    folder = folder_of(seen["study"]["job_id"])
    assert "| teacher |" in (folder / "report.md").read_text()
    exam = folder / "exam" / "teacher.jsonl"
    answered = _read(exam)
    for arm in arms.values():
        query = f'batch:"{arm["batch"]}" outcome:pass'
        passed = run_json("list_tapes", "-q", query)["tapes"]
        assert len(passed) == round(arm["report"]["greadth"] * len(answered))

    exam.write_text("".join(json.dumps(line) + "\n" for line in answered[:2]) + '{"key": "cut')
    (folder / "report.json").unlink()
    settings = [f"{name}={json.dumps(value)}" for name, value in SMALLEST.items()]
    size = ("--size", "tiny", "--set", *settings)
    lines = run_lines("form_study", str(folder), *size)

    assert [line for line in lines if line.startswith("Growing")] == []
    assert sum("of" in line and "turns" in line for line in lines) < len(answered)
    again = _read(exam)
    assert [(one["key"], one["score"]) for one in again] == [
        (one["key"], one["score"]) for one in answered
    ]
    refusal = fail("form_study", str(folder), *size, "--seed", "1")
    assert "other settings (seed)" in refusal


def test_trees_show_their_balance_and_open_as_tapes(client: Client) -> None:
    job = _start(client)
    settings = StudySettings.model_validate(SMALLEST)
    grow_trees(find_operator(""), settings.asked_trees, folder_of(UUID(job)) / "test")
    trees = f"studies/{job}/trees/test"

    assert call(client, "GET", trees)["balance"] is None  # they may still be growing
    write_piece(folder_of(UUID(job)), "test-trees", {"DriveCorp": 4})
    shown = call(client, "GET", trees)
    assert shown["companies"] == ["DriveCorp", "LuxuryCorp", "ShopCorp"]
    assert shown["balance"]["count"] == 12 == sum(shown["balance"]["behaviours"].values())

    rows = call(client, "GET", f"{trees}/DriveCorp")
    behaviour = rows[0]["behaviour"]
    assert len(rows) == 4
    assert rows[0]["message"]
    alike = call(client, "GET", f"{trees}/DriveCorp?behaviour={behaviour}")
    assert alike == [row for row in rows if row["behaviour"] == behaviour]
    place = f"{trees}/DriveCorp/{rows[0]['key']}/open"
    tape = call(client, "POST", place)["tape_id"]
    assert call(client, "POST", place)["tape_id"] == tape
    steps = call(client, "GET", f"tapes/{tape}/steps")["items"]
    assert rows[0]["message"] in [step["body"].get("content") for step in steps]

    for missing in (
        f"{trees}/NoCorp", f"{trees}/..", f"studies/{uuid4()}", f"studies/{uuid4()}/trees/test",
    ):  # fmt: skip
        call(client, "GET", missing, expect=404)
    call(client, "POST", f"{trees}/DriveCorp/nothing/open", expect=404)
    call(client, "GET", f"studies/{job}/trees/other", expect=422)


def test_what_would_fail_is_refused_before_it_starts(client: Client) -> None:
    sizes = call(client, "GET", "studies/sizes")
    checked = call(client, "POST", "studies/check", sizes["whole"])
    assert "1,520 more" in checked["forecast"][0]

    ensure_batch(find_operator("").project_id, "taken student")
    for changed, status, said in (
        ({"name": "taken"}, 409, "A batch 'taken student' already exists"),
        ({"teacher": "nobody"}, 422, "There is no model 'nobody'"),
        ({"student": "no/../where"}, 422, "no/../where"),
        ({"base_width": 33}, 422, "base_width"),
        ({"options": {"steps": -1}}, 422, "Option steps"),
        ({"options": {"no_such": 1}}, 422, "no_such"),
        ({"preset": "preference", "options": {}}, 422, "learns answers, not preferences"),
        ({"nonsense": 1}, 422, "nonsense"),
    ):
        refused = call(client, "POST", "studies/check", {**SMALLEST, **changed}, expect=status)
        assert said in json.dumps(refused), refused

    _start(client)
    again = call(client, "POST", "studies", SMALLEST, expect=409)
    assert "is under way" in json.dumps(again)
