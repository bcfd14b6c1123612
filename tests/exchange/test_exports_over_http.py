"""Exports over HTTP: a job writes the file, and a download goes on where it broke off."""

import io
import json
import os
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connections
from django.test import AsyncClient, Client

from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services import export_jobs
from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.models import MembershipRecord, ProjectRecord, TapeRecord
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.calls import save_calls
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call
from tests.http.worlds import World, fill_project
from tests.interchange.builders import build_tape_fields, store_json
from tests.jobs.builders import read_row
from tests.runs.browsers import work

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Place:
    """A world, and its owner's browser."""

    client: Client
    world: World

    def export(self, **body: Any) -> UUID:
        started = call(self.client, "POST", "exports", body, expect=202)
        work()
        return UUID(started["id"])


@pytest.fixture
def place(transactional_db: None) -> Place:
    owner = User.objects.create_user("ada", password="x")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    client = Client()
    client.force_login(owner)
    world = fill_project(project.id, owner.pk)
    request_cancel(project.id, world.job, person="ada")
    request_cancel(project.id, world.question, person="ada")
    return Place(client, world)


async def fetch(place: Place, job_id: UUID, **headers: str) -> tuple[Any, bytes]:
    client = AsyncClient()
    await sync_to_async(client.force_login)(await User.objects.aget(username="ada"))
    answer = await client.get(f"/api/v1/exports/{job_id}/file", headers=headers)
    pieces = getattr(answer, "streaming_content", None)
    content = b"".join([piece async for piece in pieces]) if pieces else answer.content
    await sync_to_async(connections.close_all)()
    return answer, content


def lines_of(content: bytes) -> list[Any]:
    return [json.loads(line) for line in content.decode().splitlines()]


async def test_a_job_writes_the_file_and_says_what_is_in_it(place: Place) -> None:
    job_id = await sync_to_async(place.export)(format="openai", tape_ids=[str(place.world.tape)])
    told = await sync_to_async(call)(place.client, "GET", f"exports/{job_id}")

    answer, content = await fetch(place, job_id)
    again, same = await fetch(place, job_id)

    (line,) = lines_of(content)
    assert [message["role"] for message in line["messages"]] == ["user", "assistant"] * 2
    assert (told["tapes"], told["lines"], told["size_bytes"]) == (1, 1, len(content))
    assert told["file_name"] in answer["Content-Disposition"]
    assert (answer.status_code, answer["Accept-Ranges"]) == (200, "bytes")
    assert (same, again["ETag"]) == (content, answer["ETag"])


async def test_a_list_comes_out_as_tapeagents_files_that_import_again(place: Place) -> None:
    job_id = await sync_to_async(place.export)(format="tapeagents", q="steps>0")
    told = await sync_to_async(call)(place.client, "GET", f"exports/{job_id}")

    answer, content = await fetch(place, job_id)
    _, rest = await fetch(place, job_id, Range="bytes=100-")

    assert (told["tapes"], answer["Content-Type"]) == (1, "application/zip")
    assert rest == content[100:]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        assert told["lines"] == len(names)
        [tape] = [json.loads(archive.read(name)) for name in names if name.endswith(".json")]
    assert tape["metadata"]["id"] == str(place.world.tape)
    assert names[-1] == "tapedata.sqlite"


def test_files_come_with_what_was_said_of_their_tapes_and_import_again(
    place: Place, tmp_path: Path
) -> None:
    project = ProjectRecord.objects.get(name="Ours").id
    fields = build_tape_fields(id="from-a-file")
    store_json(tmp_path / "in" / "tape.json", fields)
    import_files(project, collect_files(tmp_path / "in"), batch_name="said of")
    imported = TapeRecord.objects.get(source_id="from-a-file")
    note = {"kind": "note", "text": "A good one."}
    call(place.client, "POST", f"tapes/{imported.id}/annotations", note, expect=201)

    def names(**body: Any) -> list[str]:
        file = export_jobs.folder_of(place.export(format="tapeagents", **body)) / "file"
        with zipfile.ZipFile(file) as archive:
            archive.extractall(tmp_path / "out")
            return archive.namelist()

    batch = f"batch:{imported.batch_id}"
    assert names(q=batch) == ["tape.json"]
    assert names(q=batch, with_annotations=True) == ["tape.json", "annotations.jsonl"]
    [line] = lines_of((tmp_path / "out" / "annotations.jsonl").read_bytes())
    assert line["tape_id"] == "from-a-file"
    assert [one["text"] for one in line["annotations"]] == ["A good one."]
    again = import_files(project, collect_files(tmp_path / "out"), batch_name="said of")
    assert again.already_there == 1
    assert not any(file.is_mistake for file in again.refused)


def test_a_whole_batch_brings_its_calls_of_no_step_and_a_part_of_it_does_not(place: Place) -> None:
    project = ProjectRecord.objects.get(name="Ours").id
    batch = ensure_batch(project, "calls alone").id
    stray = LLMCall(prompt=Prompt(id="stray"), output=LLMOutput(content="Nobody kept me."))
    save_calls(project, [stray], batch_id=batch)

    def databases(**body: str) -> list[str]:
        file = export_jobs.folder_of(place.export(format="tapeagents", **body)) / "file"
        with zipfile.ZipFile(file) as archive:
            return [name for name in archive.namelist() if name.endswith(".sqlite")]

    assert databases(q=f"batch:{batch}") == ["tapedata.sqlite"]
    assert databases(q=f"batch:{batch} (is:archived OR -is:archived)") == ["tapedata.sqlite"]
    for part in ("errors>0", "seq: error", "-is:pinned"):
        assert databases(q=f"batch:{batch} {part}") == []


RANGES = [
    ("bytes=0-9", 206, slice(0, 10)),
    ("bytes=10-", 206, slice(10, None)),
    ("bytes=-5", 206, slice(-5, None)),
    ("bytes=5-99999999", 206, slice(5, None)),
    ("bytes=9-5", 200, slice(None)),
    ("bytes=0-1,3-4", 200, slice(None)),
    ("bytes=-", 200, slice(None)),
    ("lines=0-1", 200, slice(None)),
]


async def test_a_download_goes_on_where_it_broke_off(place: Place) -> None:
    job_id = await sync_to_async(place.export)(format="csv")
    whole, content = await fetch(place, job_id)

    for wanted, status, part in RANGES:
        answer, found = await fetch(place, job_id, Range=wanted)
        assert (answer.status_code, found) == (status, content[part]), wanted
        assert int(answer["Content-Length"]) == len(found)
    same, rest = await fetch(place, job_id, **{"Range": "bytes=7-", "If-Range": whole["ETag"]})
    other, all_of_it = await fetch(place, job_id, **{"Range": "bytes=7-", "If-Range": '"old"'})
    behind, _ = await fetch(place, job_id, Range=f"bytes={len(content)}-")

    assert (same.status_code, rest) == (206, content[7:])
    assert same["Content-Range"] == f"bytes 7-{len(content) - 1}/{len(content)}"
    assert (other.status_code, all_of_it) == (200, content)
    assert (behind.status_code, behind["Content-Range"]) == (416, f"bytes */{len(content)}")


def test_a_labelled_pair_comes_out_unless_one_side_is_kept_from_training(place: Place) -> None:
    tape = str(place.world.tape)
    job_id = place.export(format="preferences", tape_ids=[tape])

    told = call(place.client, "GET", f"exports/{job_id}")

    assert (told["tapes"], told["lines"]) == (0, 0)
    assert told["left_out"] == [{"why": "not the better tape of any pair", "tape_count": 1}]


def test_a_cancelled_export_leaves_no_file(place: Place) -> None:
    started = call(place.client, "POST", "exports", {"format": "csv"}, expect=202)
    call(place.client, "POST", f"jobs/{started['id']}/cancel")
    work()

    refused = call(place.client, "GET", f"exports/{started['id']}/file", expect=409)

    assert read_row(UUID(started["id"])).state == "cancelled"
    assert refused["message"] == "This export has no file: it is cancelled."


def test_files_are_removed_after_a_day(place: Place) -> None:
    job_id = place.export(format="csv")
    folder = export_jobs.folder_of(job_id)
    yesterday = time.time() - 25 * 3600
    os.utime(folder, (yesterday, yesterday))

    place.export(format="csv")

    refused = call(place.client, "GET", f"exports/{job_id}/file", expect=404)
    assert "deleted after a day" in refused["message"]


@pytest.mark.parametrize(
    "body",
    [
        {"format": "orc"},
        {"format": "csv", "tape_ids": []},
        {"format": "csv", "columns": ["password"]},
        {"format": "openai", "split": "all"},
        {"format": "csv", "colour": "red"},
    ],
)
def test_an_export_that_makes_no_sense_is_refused(place: Place, body: dict[str, Any]) -> None:
    call(place.client, "POST", "exports", body, expect=422)


def test_a_tape_that_a_format_cannot_hold_is_named(place: Place) -> None:
    asked = Tape(steps=(UserStep(content="Is anybody there?"),))
    unanswered = save_tape(place.world.project, asked)

    job_id = place.export(format="sharegpt", tape_ids=[str(unanswered)])

    told = call(place.client, "GET", f"exports/{job_id}")
    why = "the model writes nothing in it"
    assert told["left_out"] == [{"why": why, "tape_count": 1}]
    assert told["unfit"] == [{"tape_id": str(unanswered), "why": why}]


def test_nothing_of_others_comes_out(place: Place) -> None:
    stranger = User.objects.create_user("sam", password="x")
    project = ProjectRecord.objects.create(name="Theirs")
    MembershipRecord.objects.create(project=project, user=stranger, role="owner")
    theirs = fill_project(project.id, stranger.pk)

    job_id = place.export(format="openai")

    assert call(place.client, "GET", f"exports/{job_id}")["tapes"] == 1
    ids = [str(theirs.tape), str(place.world.tape)]
    refused = call(place.client, "POST", "exports", {"format": "csv", "tape_ids": ids}, expect=404)
    assert refused["message"] == "Only 1 of 2 tapes are in this project."
    unknown = {"format": "csv", "q": f"batch:{uuid4()} has:error"}
    call(place.client, "POST", "exports", unknown, expect=404)
    other = Client()
    other.force_login(stranger)
    call(other, "GET", f"exports/{job_id}/file", expect=404)
