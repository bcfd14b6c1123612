"""An upload is imported by a worker, told in the job's log, and leaves the disk as it was."""

import asyncio
import threading
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings

from tapes_app.exchange.services import imports as import_service
from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import ImportFile, collect_files
from tapes_app.jobs.domain.protocol import JobProgress
from tapes_app.jobs.services.host import Host
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import create_job, load_job
from tapes_app.models import JobRecord, TapeLintRecord, TapeRecord
from tests.interchange.builders import build_row, build_tape_fields, store_json, store_rows
from tests.interchange.test_imports import lose_worker, store_files
from tests.jobs.builders import read_log

pytestmark = pytest.mark.django_db(transaction=True)


def work_on_jobs() -> None:
    asyncio.run(Host("agents", concurrency=2, stopping=threading.Event()).work())


def queue_import(project: UUID, files: list[ImportFile], *, batch: str = "my run") -> UUID:
    request = {"files": [file.model_dump(mode="json") for file in files], "batch": batch}
    return create_job(project, import_service.IMPORT_KIND, request=request).id


def store_upload(name: str = "one") -> list[ImportFile]:
    folder = Path(settings.STUDIO_DATA_DIR) / "uploads" / name
    tape = store_json(folder / "00000.json", build_tape_fields("task", "note"))
    rows = store_rows(folder / "00001.sqlite", build_row(prompt_id="p1"))
    broken = folder / "00002.json"
    broken.write_text('{"steps": [', encoding="utf-8")
    names = {tape: "tapes/one.json", rows: "tapedata.sqlite", broken: "tapes/two.json"}
    return [ImportFile(path=path, name=shown) for path, shown in names.items()]


def test_a_worker_imports_what_was_uploaded(project: UUID) -> None:
    files = store_upload()
    job_id = queue_import(project, files)

    work_on_jobs()

    job = load_job(project, job_id)
    assert job.state == "succeeded"
    assert job.result is not None
    assert (job.result["imported"], job.result["llm_calls"]) == (1, 1)
    (refused,) = job.result["refused"]
    assert refused["file"] == "tapes/two.json"
    assert refused["position"] == "line 1, column 12"
    assert "cut off" in refused["reason"]
    assert TapeRecord.objects.get().batch_id == UUID(job.result["batch_id"])
    assert job.message.startswith("1 tape and 1 LLM call imported into 'my run'; 1 file rejected")


def test_progress_is_in_the_log_of_the_job(project: UUID) -> None:
    job_id = queue_import(project, store_upload())

    work_on_jobs()

    told = [event.payload for event in read_log(job_id) if "job.progress" in event.payload]
    assert len(told) == 5
    assert JobProgress.model_validate_json(told[-2]).done == 3
    assert JobProgress.model_validate_json(told[-1]).message == "Linting"


def test_what_is_imported_is_linted(project: UUID) -> None:
    queue_import(project, store_upload())

    work_on_jobs()

    assert TapeLintRecord.objects.get().tape_id == TapeRecord.objects.get().id


def test_the_uploaded_files_are_removed_and_no_others(project: UUID, tmp_path: Path) -> None:
    files = store_upload()
    elsewhere = store_json(tmp_path / "other" / "tape.json", build_tape_fields(id="other"))
    queue_import(project, [*files, ImportFile(path=elsewhere, name="tape.json")])

    work_on_jobs()

    assert not files[0].path.parent.exists()
    assert elsewhere.exists()


def test_a_job_that_is_done_again_imports_nothing_twice(project: UUID, tmp_path: Path) -> None:
    tape = store_json(tmp_path / "tape.json", build_tape_fields())
    first, second = (
        queue_import(project, [ImportFile(path=tape, name="tape.json")]) for _ in range(2)
    )

    work_on_jobs()

    results = [load_job(project, job_id).result for job_id in (first, second)]
    assert sorted((r["imported"], r["already_there"]) for r in results if r) == [(0, 1), (1, 0)]
    assert TapeRecord.objects.count() == 1


def test_a_job_that_a_second_worker_took_over_says_what_it_imported(project: UUID) -> None:
    files = store_upload("lost")
    job_id = queue_import(project, files)
    import_files(project, files, batch_name="my run", import_id=job_id)

    work_on_jobs()

    result = load_job(project, job_id).result
    assert result is not None
    assert (result["imported"], result["already_there"], result["llm_calls"]) == (1, 0, 1)


def test_a_worker_that_takes_an_import_over_whose_uploads_are_removed_loses_nothing(
    project: UUID,
) -> None:
    job_id = queue_import(project, store_upload("removed"))
    work_on_jobs()
    ended = load_job(project, job_id)
    # As if the worker had been killed before it could say so.
    JobRecord.objects.filter(id=job_id).update(
        state="queued", finished_at=None, message="", result=None
    )

    work_on_jobs()

    again = load_job(project, job_id)
    assert (again.state, again.message, again.result) == ("succeeded", ended.message, ended.result)
    assert again.result is not None
    assert again.result["imported"] == 1
    assert TapeRecord.objects.count() == 1


def test_a_cancelled_import_is_not_begun(project: UUID) -> None:
    job_id = queue_import(project, store_upload("cancelled"))
    request_cancel(project, job_id, person="Ada")

    work_on_jobs()

    assert load_job(project, job_id).state == "cancelled"
    assert not TapeRecord.objects.exists()


def test_an_import_that_is_cancelled_between_two_workers_leaves_no_piece_of_a_file(
    project: UUID, tmp_path: Path
) -> None:
    store_files(tmp_path)
    job_id = queue_import(project, collect_files(tmp_path), batch="b")
    lose_worker(project, tmp_path, job_id, after=3)
    stored = TapeRecord.objects.count()

    request_cancel(project, job_id, person="Ada")

    assert stored > 1
    assert [tape.source_id for tape in TapeRecord.objects.all()] == ["a"]


def test_an_import_that_was_complete_when_it_was_cancelled_stays(project: UUID) -> None:
    job_id = queue_import(project, store_upload("complete"))
    work_on_jobs()
    JobRecord.objects.filter(id=job_id).update(state="queued", finished_at=None)

    request_cancel(project, job_id, person="Ada")

    assert TapeRecord.objects.count() == 1
