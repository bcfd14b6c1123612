"""Files in and out by workers on other machines, which share a store with the web and no folder."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as studio
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tapes_app.models import TapeRecord
from tests.artefacts.machines import MakeMachine, OtherMachine, make_machine
from tests.exchange.test_example_files_over_http import MAPPING, ROWS, lines, send
from tests.exchange.test_exports_over_http import Place, place
from tests.http.asking import call
from tests.interchange.builders import build_tape_fields
from tests.waiting import PATIENCE_SECONDS

__all__ = ["make_machine", "place"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other(make_machine: MakeMachine) -> OtherMachine:
    return make_machine("other")


def work_on(machine: OtherMachine) -> None:
    assert machine.start_worker("agents").wait(PATIENCE_SECONDS) == 0


def upload(client: Client, name: str) -> Any:
    content = json.dumps(build_tape_fields()).encode()
    answer = client.post(
        "/api/v1/uploads", {"files": SimpleUploadedFile("tape.json", content), "batch": name}
    )
    assert answer.status_code == 202, answer.content
    return answer.json()


def files_in(kind: str, *roots: Path) -> list[Path]:
    return [path for root in roots for path in (root / kind).glob("*/*")]


def store_of(settings: Any) -> Path:
    return Path(settings.STUDIO_ARTEFACTS.removeprefix("file://"))


def test_what_was_uploaded_is_imported_elsewhere_and_then_removed(
    place: Place, other: OtherMachine, settings: Any
) -> None:
    job = upload(place.client, "from here")

    work_on(other)

    told = call(place.client, "GET", f"uploads/{job['id']}")
    assert told["imported"] == 1, told
    assert TapeRecord.objects.filter(batch__name="from here").count() == 1
    assert not files_in("uploads", other.folder, store_of(settings))
    upload(place.client, "next")  # what was imported is removed here as well
    names = {path.parent.name for path in files_in("uploads", studio.STUDIO_DATA_DIR)}
    assert job["id"] not in names


def test_a_file_that_was_exported_elsewhere_is_downloaded_here(
    place: Place, other: OtherMachine, settings: Any
) -> None:
    job = call(place.client, "POST", "exports", {"format": "csv"}, expect=202)

    work_on(other)

    here = studio.STUDIO_DATA_DIR / "exports" / job["id"]
    assert not here.exists()
    answer = place.client.get(f"/api/v1/exports/{job['id']}/file")
    assert answer.status_code == 200
    content = (here / "file").read_bytes()
    assert content == (other.folder / "exports" / job["id"] / "file").read_bytes()
    assert content.startswith(b"id,")
    assert files_in("exports", store_of(settings))


def test_an_export_leaves_the_store_after_a_day(
    place: Place, other: OtherMachine, settings: Any
) -> None:
    job = call(place.client, "POST", "exports", {"format": "csv"}, expect=202)
    work_on(other)
    manifest = store_of(settings) / "exports" / job["id"] / "manifest.json"
    told = json.loads(manifest.read_text())
    yesterday = time.time() - 25 * 3600
    manifest.write_text(json.dumps({**told, "published_at": yesterday}))
    os.utime(other.folder / "exports" / job["id"], (yesterday, yesterday))

    call(place.client, "POST", "exports", {"format": "csv"}, expect=202)
    work_on(other)

    refused = call(place.client, "GET", f"exports/{job['id']}/file", expect=404)
    assert "deleted after a day" in refused["message"]
    assert not manifest.exists()


def test_examples_of_a_file_are_made_elsewhere(place: Place, other: OtherMachine) -> None:
    file = send(place.client, lines(ROWS))
    body = {"dataset": "sums", "mapping": MAPPING}
    job = call(place.client, "POST", f"example-files/{file['id']}/import", body, 202)

    work_on(other)

    done = call(place.client, "GET", f"jobs/{job['id']}")
    assert done["state"] == "succeeded", done["message"]
    assert done["result"]["made"] == len(ROWS)


def test_nothing_is_queued_when_the_store_is_away(
    place: Place, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    settings.STUDIO_ARTEFACTS = f"file://{tmp_path}/file/store"  # no folder can be made there
    before = files_in("uploads", studio.STUDIO_DATA_DIR)

    answer = place.client.post("/api/v1/uploads", {"files": SimpleUploadedFile("a.json", b"{}")})

    assert (answer.status_code, answer.json()["code"]) == (503, "artefacts")
    assert files_in("uploads", studio.STUDIO_DATA_DIR) == before
