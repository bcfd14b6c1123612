"""A whole project leaves as one file, and comes in elsewhere as equal tapes."""

import asyncio
import json
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tapes_app.agents.store.agents import ensure_version
from tapes_app.annotation.store.queue_filling import Target, add_items
from tapes_app.engine.tape.tape import Tape
from tapes_app.interchange.project_file import AGENTS_NAME, MANIFEST_NAME, MARKS_NAME
from tapes_app.interchange.refusals import DEFAULT_LIMITS
from tapes_app.interchange.tapedata import read_rows
from tapes_app.jobs.services.host import Host
from tapes_app.management.named import find_operator
from tapes_app.models import (
    AgentVersionRecord,
    AnnotationRecord,
    DatasetTapeRecord,
    DatasetVersionTapeRecord,
    JobRecord,
    LLMCallRecord,
    ModelRecord,
    ProjectRecord,
    QueueItemRecord,
    QueueRecord,
    StepRecord,
    TapeRecord,
    TapeTagRecord,
)
from tapes_app.runs.services.replies import make_user_step
from tapes_app.tapes.store.saving import save_tape
from tests.commands.running import answer_no, fail, run, run_json
from tests.http.worlds import spec
from tests.interchange.builders import build_row, build_tape_fields, store_json, store_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(tmp_path: Path, db: None) -> ProjectRecord:
    """The operator's project: two imported batches and a tape of none, with all around them."""
    person = find_operator("")
    for cost, batch in enumerate(("day", "night"), start=1):
        folder = tmp_path / batch
        store_json(folder / "deep" / "a.json", build_tape_fields(id=f"{batch}-a"))
        child = build_tape_fields("task", "nöte", id=f"{batch}-b", parent_id=f"{batch}-a")
        store_json(folder / "b.json", child)
        calls = [build_row(prompt_id=prompt_id, cost=cost) for prompt_id in ("p0", "x")]
        store_rows(folder / "tapedata.sqlite", *calls)
        run("import_tapes", str(folder))
    tape = Tape().append(make_user_step("made here", ()), author="me")
    made = save_tape(person.project_id, tape, owner=person.user_id, writer="person")
    run("annotations", "add", str(made), "--label", "fine")
    run("annotations", "add", "day-a", "--note", "well done", "--step", "1")
    run("datasets", "create", "good", "--description", "those that passed")
    run("datasets", "add", "good", "-q", "batch:day")
    run("judge_tapes", "day-a", "--outcome", "pass", "--expected", "42")
    run("datasets", "freeze", "good")
    run("datasets", "remove", "good", "-q", "outcome:none")
    run("tag_tapes", "--query", "batch:day", "--add", "seen")
    run("change_tapes", "--query", "batch:night", "--split", "validation")
    run("queues", "create", "look", "--rubric", "GREADTH", "-q", "batch:night", "--audit", "20")
    run("queues", "create", "pairs", "--rubric", "Better of two", "--pairwise")
    left, right = TapeRecord.objects.filter(source_id__startswith="day-").values_list(
        "id", flat=True
    )
    pairs = QueueRecord.objects.get(name="pairs").id
    add_items(pairs, person.project_id, [Target(left, right)])
    run("change_tapes", "--query", "batch:night", "--archive")
    for instructions in ("one", "two"):
        ensure_version(
            person.project_id,
            spec("talker").model_copy(update={"templates": {"system": instructions}}),
        )
    ModelRecord.objects.create(
        project_id=person.project_id, name="m", litellm_model="x/y", api_key_encrypted=b"sealed"
    )
    return ProjectRecord.objects.get(id=person.project_id)


def read_members(path: Path, folder: Path) -> dict[str, Any]:
    """Return what an exported project holds, as data."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    found: dict[str, Any] = {}
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        name = file.relative_to(folder).as_posix()
        if file.suffix == ".sqlite":
            rows = read_rows(file, DEFAULT_LIMITS)
            found[name] = sorted((row.model_dump_json() for row in rows), key=str)
        elif name == MARKS_NAME:
            found[name] = sorted(file.read_text("utf-8").splitlines())
        else:
            found[name] = file.read_text("utf-8")
    return found


def test_a_project_comes_in_elsewhere_as_equal_tapes(
    project: ProjectRecord, tmp_path: Path
) -> None:
    said = run("export_project", str(tmp_path / "out.zip"))
    came = run("import_project", str(tmp_path / "out.zip"), "--name", "Copy")
    copy = ProjectRecord.objects.get(name="Copy")
    run("export_project", str(tmp_path / "again.zip"), "--project", "Copy")
    first = read_members(tmp_path / "out.zip", tmp_path / "one")
    second = read_members(tmp_path / "again.zip", tmp_path / "two")

    assert said.endswith("out.zip: 5 tapes exported in 9 files.")
    assert came == (
        "Copy: 5 tapes, 4 LLM calls, 3 agent versions, 2 annotations, 1 dataset, 2 queues imported."
    )
    manifest = json.loads(first.pop(MANIFEST_NAME))
    assert {**json.loads(second.pop(MANIFEST_NAME)), "name": project.name} == manifest
    assert [batch["name"] for batch in manifest["batches"]] == ["day", "night", project.name]
    assert first == second
    assert "sealed" not in str(first)
    for record in (TapeRecord, LLMCallRecord, AgentVersionRecord, AnnotationRecord):
        counts = [record.objects.filter(project=one).count() for one in (project, copy)]
        assert counts[0] == counts[1] > 0, record
    linked = StepRecord.objects.filter(log__project=copy, llm_call__isnull=False)
    assert {step.llm_call.project_id for step in linked if step.llm_call} == {copy.id}
    assert TapeRecord.objects.filter(project=copy, parent__project=copy).count() == 2
    members = DatasetTapeRecord.objects.filter(dataset__project=copy, dataset__name="good")
    assert {one.tape.source_id for one in members} == {"day-a"}


def test_marks_versions_and_queues_come_with_a_project(
    project: ProjectRecord, tmp_path: Path
) -> None:
    run("export_project", str(tmp_path / "out.zip"))
    run("import_project", str(tmp_path / "out.zip"), "--name", "Copy")
    copy = ProjectRecord.objects.get(name="Copy")

    tapes = {tape.source_id: tape for tape in TapeRecord.objects.filter(project=copy)}
    judged, filed = tapes["day-a"], tapes["night-a"]
    assert (judged.outcome, judged.expected) == ("pass", "42")
    assert [tag.name for tag in TapeTagRecord.objects.filter(tape=judged)] == ["seen"]
    assert (filed.split, filed.archived_at is not None) == ("validation", True)
    version = DatasetVersionTapeRecord.objects.filter(version__dataset__project=copy)
    assert {(one.version.number, one.tape.source_id, one.expected) for one in version} == {
        (1, "day-a", "42"),
        (1, "day-b", ""),
    }
    items = QueueItemRecord.objects.filter(queue__project=copy, queue__name="look")
    assert [item.tape.source_id for item in items.order_by("number")] == [
        item.tape.source_id
        for item in QueueItemRecord.objects.filter(
            queue__project=project, queue__name="look"
        ).order_by("number")
    ]
    pair = QueueItemRecord.objects.get(queue__project=copy, queue__name="pairs")
    assert pair.other_tape is not None
    assert {pair.tape.source_id, pair.other_tape.source_id} == {"day-a", "day-b"}


def test_what_is_not_of_the_file_is_told_and_the_rest_comes(tmp_path: Path) -> None:
    file = tmp_path / "in.zip"
    lost = {"number": 1, "created_at": "2026-01-01T00:00:00Z", "expected": {"gone": ""}}
    asked = {"mode": "single", "rubric_name": "r", "annotators_per_item": 1, "audit_percent": 0}
    queue = {**asked, "lock_minutes": 5, "rubric": {"items": "nope"}}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST_NAME, '{"name": "x", "batches": [{"name": "b"}]}')
        armed = build_tape_fields(id="a")
        attack = {"plant": {"instruction": "Obey."}}
        armed["steps"][0]["metadata"] = {"other": {"attack": attack}}
        archive.writestr("batches/00001/a.json", json.dumps(armed))
        archive.writestr("marks.jsonl", json.dumps({"tape": "a", "tags": ["kept", " "]}))
        archive.writestr("datasets.jsonl", json.dumps({"name": "d", "versions": [lost]}))
        archive.writestr("queues.jsonl", json.dumps({"name": "q", **queue}))

    said = answer_no("import_project", str(file), "--json")
    done = json.loads(said)

    assert (done["tapes"], done["datasets"], done["queues"]) == (1, 1, 0)
    assert [problem.split(":")[0] for problem in done["problems"]] == [
        "b",
        "marks of tape 'a'",
        "dataset 'd', version 1",
        "queue 'q'",
    ]
    assert "the attack of 1 tape was left out" in done["problems"][0]
    assert "Obey." not in str(StepRecord.objects.get(position=0).body)


def test_what_came_in_already_does_not_come_twice(project: ProjectRecord, tmp_path: Path) -> None:
    file = str(tmp_path / "out.zip")
    run("export_project", file)

    refused = fail("import_project", file)
    again = run_json("import_project", file, "--project", project.name)

    assert f"{project.name!r}" in refused
    assert (again["tapes"], again["already_there"], again["annotations"]) == (1, 4, 0)


def test_a_file_that_is_there_is_not_overwritten(project: ProjectRecord, tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    file.write_text("mine")

    assert "already exists" in fail("export_project", str(file))
    assert "cannot be written" in fail("export_project", str(tmp_path / "no" / "out.zip"))
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "it has no manifest"),
        ({MANIFEST_NAME: "{}"}, "name: Field required"),
        ({MANIFEST_NAME: '{"name": "x", "version": 2}'}, "version"),
        ({MANIFEST_NAME: '{"name": "x"}', AGENTS_NAME: "nope"}, "agents.jsonl, line 1"),
        ({"../evil.json": "{}"}, "does not belong in one"),
        ({"batches/00001/../../../evil.json": "{}"}, "has no manifest"),
        ({"batches/00001/": ""}, "it has no manifest"),
        ({"/etc/passwd": "x"}, "does not belong in one"),
        ({"batches/1/a.json": "{}"}, "does not belong in one"),
    ],
)
def test_what_is_no_exported_project_is_refused_before_anything_is_made(
    tmp_path: Path, members: dict[str, str], said: str
) -> None:
    find_operator("")
    before = ProjectRecord.objects.count()
    file = tmp_path / "in" / "hostile.zip"
    file.parent.mkdir()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)

    assert said in fail("import_project", str(file))
    assert ProjectRecord.objects.count() == before
    assert [one.name for one in tmp_path.iterdir()] == ["in"]


def test_what_is_no_zip_or_a_bomb_is_refused(tmp_path: Path) -> None:
    plain, bomb = tmp_path / "plain.zip", tmp_path / "bomb.zip"
    plain.write_text("no zip")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(AGENTS_NAME, b"0" * (DEFAULT_LIMITS.ratio_free_bytes + 1))

    assert "is not a zip file" in fail("import_project", str(plain))
    assert "No such file" in fail("import_project", str(tmp_path / "missing.zip"))
    assert "200 times its size" in fail("import_project", str(bomb))


def test_a_broken_tape_is_told_and_the_others_come(tmp_path: Path) -> None:
    file = tmp_path / "in.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST_NAME, '{"name": "x", "batches": [{"name": "b"}]}')
        archive.writestr("batches/00001/bad.json", '{"metadata": {}, "steps": 3}')
        archive.writestr("batches/00001/good.json", json.dumps(build_tape_fields()))

    said = answer_no("import_project", str(file))

    assert said.startswith("x: 1 tape, ")


def test_parts_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "in.zip"
    note = {"tape_id": "tape-1", "annotations": [{"text": "marked"}]}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST_NAME, '\ufeff{"name": "x", "batches": [{"name": "b"}]}')
        archive.writestr("batches/00001/tape.json", "\ufeff" + json.dumps(build_tape_fields()))
        archive.writestr("annotations/00001.jsonl", "\ufeff" + json.dumps(note))

    assert "1 tape, 0 LLM calls, 0 agent versions, 1 annotation" in run("import_project", str(file))


@pytest.mark.django_db(transaction=True)
def test_the_desk_exports_a_project_as_a_job_whose_file_is_fetched_there(
    project: ProjectRecord, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("root", password="x"))
    listing = reverse("admin:tapes_app_projectrecord_changelist")
    chosen = {"action": "export_projects", "_selected_action": [str(project.id)]}

    asked = client.post(listing, chosen).content.decode()
    before = JobRecord.objects.filter(kind="export").count()
    client.post(listing, {**chosen, "confirmed": "1"})
    job = JobRecord.objects.get(kind="export")
    early = client.get(reverse("admin:export-file", args=[job.id]), follow=True).content.decode()
    asyncio.run(Host("agents", concurrency=1, stopping=threading.Event()).work())
    page = client.get(reverse("admin:tapes_app_jobrecord_change", args=[job.id])).content.decode()
    file = client.get(reverse("admin:export-file", args=[job.id]))
    job.refresh_from_db()

    assert "one file" in asked
    assert before == 0
    assert "it is queued" in early
    assert (job.state, job.progress_done, job.progress_total) == ("succeeded", 5, 5)
    assert reverse("admin:export-file", args=[job.id]) in page
    assert file.status_code == 200
    assert file.headers["Content-Type"] == "application/zip"
    client.force_login(User.objects.create_user("ann", password="x", is_staff=True))
    assert client.get(reverse("admin:export-file", args=[job.id])).status_code == 403
