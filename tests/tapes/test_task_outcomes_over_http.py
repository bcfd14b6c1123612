"""A tape says which task it did and whether it passed: imported, judged, or said by a person."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tapes_app.models import ProjectRecord
from tests.experiments.lab import Lab
from tests.http.worlds import World
from tests.recordings import RECORDINGS, SHARED

SAYS_42 = {"kind": "contains", "text": "42"}
COLUMNS = ("task", "expected", "actual", "outcome", "score")


@pytest.fixture
def lab() -> Lab:
    return Lab()


def patch(client: Client, path: str, **body: Any) -> Any:
    return client.patch(path, body, content_type="application/json")


def said(client: Client, tape_id: object) -> tuple[Any, ...]:
    tape = client.get(f"/api/v1/tapes/{tape_id}").json()
    return tuple(tape[name] for name in COLUMNS)


@pytest.mark.django_db
def test_imported_tapes_say_what_their_files_say(studio: Client, project: ProjectRecord) -> None:
    for recordings in RECORDINGS:
        files = collect_files(recordings / "gaia_agent" / "tapes")
        import_files(project.id, files, batch_name=str(recordings))

    ids = [row["id"] for row in studio.get("/api/v1/tapes?limit=200").json()["items"]]
    found = {tape[0]: tape[1:] for tape in (said(studio, tape_id) for tape_id in ids)}
    assert found["own-0"] == ("212", "212", "pass", None)
    assert found["own-1"] == ("1931", "1930", "fail", None)
    if SHARED not in RECORDINGS:
        return
    assert found["8e867cd7-cff9-4e6c-867a-ff5ddc2550be"] == ("3", "3", "pass", None)
    assert found["ec09fa32-d03f-4bf8-84b0-1f16922c3ae4"] == ("3", "2", "fail", None)


@pytest.mark.django_db
def test_hostile_values_are_kept_as_far_as_columns_hold_them(
    studio: Client, project: ProjectRecord, tmp_path: Path
) -> None:
    metadata = {"id": "x", "task": "a\x00b\nc" * 100, "expected": "\ud800", "score": 10**400}
    steps = [{"kind": "user", "content": "hi"}]
    path = tmp_path / "tape.json"
    path.write_text(json.dumps({"metadata": metadata, "context": None, "steps": steps}))

    report = import_files(project.id, collect_files(path), batch_name="odd")
    assert report.imported, report

    [row] = studio.get("/api/v1/tapes").json()["items"]
    task, expected, _, outcome, score = said(studio, row["id"])
    assert (len(task), expected, outcome, score) == (200, "\ufffd", "", None)


@pytest.mark.django_db
def test_a_person_says_it_and_takes_it_back(studio: Client, world: World) -> None:
    address = f"/api/v1/tapes/{world.tape}"

    marked = patch(studio, address, task="t7", expected="4", outcome="fail", score=0.25)

    assert marked.status_code == 200
    assert said(studio, world.tape) == ("t7", "4", "answer 1", "fail", 0.25)
    patch(studio, address, task="", expected="", outcome="", score=None)
    assert said(studio, world.tape) == ("", "", "answer 1", "", None)
    patch(studio, address, outcome="pass")
    patch(studio, address, title="only a name", outcome=None, task=None)
    assert said(studio, world.tape)[3] == "pass"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body", [{"outcome": "maybe"}, {"score": "NaN"}, {"task": "x" * 201}, {"expected": 4}]
)
def test_what_is_no_verdict_is_refused(studio: Client, world: World, body: Any) -> None:
    assert patch(studio, f"/api/v1/tapes/{world.tape}", **body).status_code == 422


@pytest.mark.django_db
def test_a_child_has_the_task_and_not_the_verdict(studio: Client, world: World) -> None:
    studio.post(f"/api/v1/jobs/{world.job}/cancel")
    address = f"/api/v1/tapes/{world.tape}"
    patch(studio, address, task="t7", expected="4", outcome="fail", score=0.25)

    fork = studio.post(f"{address}/fork", {"at": 1}, content_type="application/json").json()

    assert said(studio, fork["tape_id"]) == ("t7", "4", "", "", None)


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_run_is_compared_with_what_was_expected(lab: Lab) -> None:
    lab.ask("PATCH", f"tapes/{lab.tape}", {"task": "t", "expected": "42"})

    experiment = lab.run(repeats=2, check=None)

    [first, _] = [branch["tape_id"] for branch in experiment["branches"]]
    tape = lab.ask("GET", f"tapes/{first}")
    assert (tape["task"], tape["expected"]) == ("t", "42")
    assert (tape["actual"], tape["outcome"]) == ("It is 24.", "fail")


@pytest.mark.django_db(transaction=True)
def test_a_judged_branch_says_so_on_its_tape(lab: Lab) -> None:
    experiment = lab.run(repeats=1, check=SAYS_42)
    branch = experiment["branches"][0]
    path = f"experiments/{experiment['row']['id']}"

    def verdict() -> tuple[Any, Any]:
        tape = lab.ask("GET", f"tapes/{branch['tape_id']}")
        return tape["outcome"], tape["score"]

    assert verdict() == ("pass" if branch["passed"] else "fail", branch["score"])
    lab.ask("PATCH", f"{path}/branches/0", {"passed": False, "score": 0.25})
    assert verdict() == ("fail", 0.25)
    lab.ask("PATCH", f"{path}/branches/0", {"passed": None})
    assert verdict() == ("", None)
