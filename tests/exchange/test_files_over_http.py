"""Files in and out over HTTP: uploads become jobs, downloads are zips that import again."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import AsyncClient, Client

from tapes_app.exchange.services.import_files import import_files
from tapes_app.exchange.services.imports import ImportRequest, find_files
from tapes_app.jobs.store.job import load_job
from tapes_app.models import MembershipRecord, ProjectRecord
from tests.http.worlds import World, fill_project

pytestmark = pytest.mark.django_db


def a_file(name: str = "tape.json", content: bytes = b"{}") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def upload(client: Client, **data: Any) -> Any:
    return client.post("/api/v1/uploads", data)


def test_an_upload_is_stored_under_names_of_our_own_and_imported_by_a_job(
    studio: Client, project: ProjectRecord
) -> None:
    tape = {"metadata": {"id": "a"}, "context": None, "steps": [{"kind": "user", "content": "hi"}]}
    files = [a_file("../../evil.json", json.dumps(tape).encode()), a_file("b.yaml", b"- 1")]

    answer = upload(studio, files=files, batch="My batch")

    assert answer.status_code == 202
    job = load_job(project.id, answer.json()["id"])
    request = ImportRequest.model_validate(job.request)
    assert (job.kind, job.state, request.batch) == ("import", "queued", "My batch")
    assert [file.name for file in request.files] == ["b.yaml", "evil.json"]
    assert sorted(file.path.name for file in request.files) == ["00000.json", "00001.yaml"]
    assert all(file.path.parent.parent == Path("uploads") for file in request.files)
    report = import_files(project.id, find_files(request).files, batch_name=request.batch)
    assert report.imported == 1


def test_an_uploaded_folder_keeps_its_places_and_names_the_batch(
    studio: Client, project: ProjectRecord
) -> None:
    paths = ["gaia/tapes/one.json", "gaia/tapedata.sqlite"]

    answer = upload(studio, files=[a_file(), a_file("tapedata.sqlite")], paths=paths)

    request = ImportRequest.model_validate(load_job(project.id, answer.json()["id"]).request)
    assert request.batch == "gaia"
    assert [file.name for file in request.files] == paths[::-1]  # databases first


@pytest.mark.parametrize(
    ("data", "status"),
    [({}, 422), ({"files": [a_file()], "paths": ["a", "b"]}, 422), ({"batch": "x"}, 422)],
)
def test_an_upload_that_makes_no_sense_is_refused(
    studio: Client, project: ProjectRecord, data: dict[str, Any], status: int
) -> None:
    answer = upload(studio, **data)

    assert answer.status_code == status
    assert set(answer.json()) == {"code", "message", "details"}


def test_a_folder_of_somebody_else_among_the_uploads_is_left_alone(
    studio: Client, project: ProjectRecord, settings: Any
) -> None:
    stray = Path(settings.STUDIO_DATA_DIR) / "uploads" / "lost+found"
    stray.mkdir(parents=True)

    assert upload(studio, files=[a_file()]).status_code == 202

    assert stray.is_dir()
    stray.rmdir()


def test_too_large_an_upload_is_refused_and_leaves_nothing(
    studio: Client, project: ProjectRecord, settings: Any
) -> None:
    settings.STUDIO_MAX_UPLOAD_BYTES = 10
    before = set((Path(settings.STUDIO_DATA_DIR) / "uploads").glob("*"))

    answer = upload(studio, files=[a_file(content=b"x" * 11)])

    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"
    assert set((Path(settings.STUDIO_DATA_DIR) / "uploads").glob("*")) == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "path", ["tapes/{tape}/export", "batches/{batch}/export", "exports?tape={tape}"]
)
async def test_a_download_holds_the_tapes_and_is_gone_from_the_disk(path: str) -> None:
    world, client = await sync_to_async(_sign_in)()
    before = _downloads()

    answer = await client.get(f"/api/v1/{path.format(tape=world.tape, batch=world.batch)}")
    content = b"".join([piece async for piece in answer.streaming_content])  # type: ignore[attr-defined]

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        tape = json.loads(archive.read(next(name for name in names if name.endswith(".json"))))
    assert [step["kind"] for step in tape["steps"]] == ["user", "assistant", "set_next_node"] * 2
    assert "tapedata.sqlite" in names
    assert answer["Content-Disposition"].startswith("attachment")
    assert int(answer["Content-Length"]) == len(content)
    assert _downloads() == before
    await sync_to_async(connections.close_all)()  # those of the thread that answered


def _downloads() -> set[Path]:
    return set((Path(settings.STUDIO_DATA_DIR) / "downloads").glob("*"))


def _sign_in() -> tuple[World, AsyncClient]:
    owner = User.objects.create_user("ada")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    client = AsyncClient()
    client.force_login(owner)
    return fill_project(project.id, owner.pk), client
