"""What was imported is exported into the same files, equal as data; the rest into new ones."""

import gzip
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import yaml

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services import exports
from tapes_app.exchange.services.export_targets import FolderTarget, ZipTarget
from tapes_app.exchange.services.exports import ExportReport, export_tapes
from tapes_app.exchange.services.exports import export_batch as export_stored_batch
from tapes_app.exchange.services.import_files import import_files
from tapes_app.exchange.services.import_report import ImportReport
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.tapedata import SourceRow
from tapes_app.models import TapeRecord
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import save_tape
from tests.interchange.builders import build_row, build_tape_fields, store_json, store_rows
from tests.recordings import EACH_FOLDER


def run_import(project: UUID, path: Path) -> ImportReport:
    return import_files(project, collect_files(path), batch_name="batch")


def export_batch(project: UUID, report: ImportReport, out: Path) -> ExportReport:
    assert report.batch_id is not None
    return export_stored_batch(project, report.batch_id, FolderTarget(out))


def rows_of(path: Path, scratch: Path) -> list[dict[str, Any]]:
    content = path.read_bytes()
    plain = scratch / "rows.sqlite"
    plain.write_bytes(gzip.decompress(content) if path.suffix == ".gz" else content)
    with closing(sqlite3.connect(plain)) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM LLMCalls")]
    for row in rows:
        row.update({name: json.loads(row[name]) for name in ("prompt", "output", "llm_info")})
    return sorted(rows, key=lambda row: str(row["prompt_id"]))


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("folder", EACH_FOLDER)
def test_a_recorded_folder_comes_out_of_the_store_as_it_went_in(
    folder: Path, project: UUID, tmp_path: Path
) -> None:
    report = run_import(project, folder)
    out = tmp_path / "out"

    export_batch(project, report, out)

    refused = {file.file for file in report.refused}
    before = {file.name: file.path for file in collect_files(folder)}
    expected = {file.removesuffix(".gz") for file in set(before) - refused}
    assert names_in(out) == expected
    for file in set(before) - refused:
        written = out / file.removesuffix(".gz")
        if ".sqlite" in file:
            assert rows_of(written, tmp_path) == rows_of(before[file], tmp_path)
        elif file.endswith(".yaml"):
            assert list(yaml.safe_load_all(written.read_text("utf-8"))) == list(
                yaml.safe_load_all(before[file].read_text("utf-8"))
            )
        else:
            assert json.loads(written.read_text("utf-8")) == json.loads(
                before[file].read_text("utf-8")
            )


def test_lists_documents_and_tables_of_tapes_keep_their_form(project: UUID, tmp_path: Path) -> None:
    tapes = [build_tape_fields(id=f"t{i}") for i in range(3)]
    store_json(tmp_path / "in" / "list.json", tapes)
    documents = "---\n".join(json.dumps(build_tape_fields(id=f"y{i}")) + "\n" for i in range(2))
    (tmp_path / "in" / "tapes.yaml").write_text(f"# two tapes\n---\n{documents}", encoding="utf-8")
    row = SourceRow(
        table="Tapes",
        number=1,
        columns={"tape_id": "r", "timestamp": "2025", "length": 2, **build_tape_fields(id="r")},
    )
    store_rows(tmp_path / "in" / "runs.sqlite", build_row(), row)
    report = run_import(project, tmp_path / "in")

    exported = export_batch(project, report, tmp_path / "out")

    assert exported.tapes == 6
    assert names_in(tmp_path / "out") == {"list.json", "tapes.yaml", "runs.sqlite"}
    assert json.loads((tmp_path / "out" / "list.json").read_text("utf-8")) == tapes
    read = list(yaml.safe_load_all((tmp_path / "out" / "tapes.yaml").read_text("utf-8")))
    assert [tape["metadata"]["id"] for tape in read] == ["y0", "y1"]
    with closing(sqlite3.connect(tmp_path / "out" / "runs.sqlite")) as connection:
        (stored,) = connection.execute("SELECT tape_id, timestamp, length, steps FROM Tapes")
    assert stored[:3] == ("r", "2025", 2)
    assert json.loads(stored[3]) == build_tape_fields()["steps"]


def test_an_old_database_is_written_without_the_new_columns(project: UUID, tmp_path: Path) -> None:
    columns = build_row().columns
    old = {name: columns[name] for name in list(columns)[:7]}
    row = SourceRow(table="LLMCalls", number=1, columns=old)
    store_rows(tmp_path / "in" / "tapedata.sqlite", row)
    report = run_import(project, tmp_path / "in")

    export_batch(project, report, tmp_path / "out")

    with closing(sqlite3.connect(tmp_path / "out" / "tapedata.sqlite")) as connection:
        cursor = connection.execute("SELECT * FROM LLMCalls")
        assert [column[0] for column in cursor.description] == list(old)


def test_a_tape_made_here_becomes_a_file_of_its_own_with_its_calls(
    project: UUID, tmp_path: Path
) -> None:
    said = UserStep(content="What is up?").with_metadata(id="s1", prompt_id="p1")
    call = LLMCall(
        prompt=Prompt(id="p1", messages=(user_message("What is up?"),)),
        output=LLMOutput(content="The sky."),
        llm={"model_name": "tiny", "api_key": "abcd-very-secret"},
    )
    tape_id = save_tape(project, Tape(steps=(said,)), calls=[call])

    report = export_tapes(project, [tape_id], FolderTarget(tmp_path))

    assert (report.tapes, report.llm_calls) == (1, 1)
    (tape_file,) = tmp_path.glob("*.json")
    assert json.loads(tape_file.read_text("utf-8"))["metadata"]["id"] == str(tape_id)
    (row,) = rows_of(tmp_path / "tapedata.sqlite", tmp_path)
    assert row["prompt_length_tokens"] == -1
    assert row["llm_info"]["model_name"] == "tiny"
    assert "abcd-very-secret" not in json.dumps(row)


def test_a_fork_of_an_imported_tape_is_not_put_into_the_file_of_its_parent(
    project: UUID, tmp_path: Path
) -> None:
    store_json(tmp_path / "in" / "tapes.json", [build_tape_fields()])
    report = run_import(project, tmp_path / "in")
    (parent,) = _tape_ids(project)
    child = fork_tape(parent, project=project, at=1)

    exported = export_tapes(project, [parent, child], FolderTarget(tmp_path / "out"))

    assert report.imported == 1
    assert len(exported.files) == 2
    assert json.loads((tmp_path / "out" / "tapes.json").read_text("utf-8")) == [build_tape_fields()]


def _tape_ids(project: UUID) -> list[UUID]:
    return list(TapeRecord.objects.filter(project_id=project).values_list("id", flat=True))


def test_nothing_is_overwritten(project: UUID, tmp_path: Path) -> None:
    store_json(tmp_path / "in" / "tape.json", build_tape_fields())
    report = run_import(project, tmp_path / "in")
    export_batch(project, report, tmp_path / "out")

    with pytest.raises(ConflictError, match="empty folder"):
        export_batch(project, report, tmp_path / "out")


def test_names_of_imported_files_never_lead_out_of_the_folder(
    project: UUID, tmp_path: Path
) -> None:
    fields = build_tape_fields()
    evil = {"file": "../../evil.json", "form": "json_list", "tape_id": "tape-1"}
    fields["metadata"]["tape_studio_source"] = evil
    store_json(tmp_path / "in" / "tape.json", fields)
    report = run_import(project, tmp_path / "in")

    export_batch(project, report, tmp_path / "out")

    assert names_in(tmp_path / "out") == {"tape.json"}
    assert json.loads((tmp_path / "out" / "tape.json").read_text("utf-8")) == fields


def test_a_batch_goes_into_a_zip(project: UUID, tmp_path: Path) -> None:
    store_json(tmp_path / "in" / "tapes" / "tape.json", build_tape_fields())
    store_rows(tmp_path / "in" / "tapedata.sqlite", build_row())
    report = run_import(project, tmp_path / "in")
    packed = io.BytesIO()

    assert report.batch_id is not None
    with zipfile.ZipFile(packed, "w") as archive:
        export_stored_batch(project, report.batch_id, ZipTarget(archive))

    with zipfile.ZipFile(packed) as archive:
        assert sorted(archive.namelist()) == ["tapedata.sqlite", "tapes/tape.json"]
        assert json.loads(archive.read("tapes/tape.json")) == build_tape_fields()


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of two, so that a handful of tapes goes the way of a hundred thousand."""
    for name in ("TAPES_AT_ONCE", "_CALLS_AT_ONCE", "_ROWS_AT_ONCE"):
        monkeypatch.setattr(exports, name, 2)


def test_files_that_tapes_of_several_pages_share_are_whole(
    project: UUID, tmp_path: Path, few_at_once: None
) -> None:
    tapes = [build_tape_fields(id=f"t{i}") for i in range(5)]
    store_json(tmp_path / "in" / "list.json", tapes)
    rows = [build_row(prompt_id=f"p{i}") for i in range(5)]
    of_tapes = [
        SourceRow(
            table="Tapes",
            number=i,
            columns={"tape_id": f"r{i}", "timestamp": "", "length": 2, **build_tape_fields()},
        )
        for i in range(5)
    ]
    store_rows(tmp_path / "in" / "runs.sqlite", *rows, *of_tapes)
    report = run_import(project, tmp_path / "in")

    exported = export_batch(project, report, tmp_path / "out")

    assert (exported.tapes, exported.llm_calls) == (10, 5)
    assert names_in(tmp_path / "out") == {"list.json", "runs.sqlite"}
    assert json.loads((tmp_path / "out" / "list.json").read_text("utf-8")) == tapes
    assert rows_of(tmp_path / "out" / "runs.sqlite", tmp_path) == rows_of(
        tmp_path / "in" / "runs.sqlite", tmp_path
    )
    with closing(sqlite3.connect(tmp_path / "out" / "runs.sqlite")) as connection:
        ids = [tape_id for (tape_id,) in connection.execute("SELECT tape_id FROM Tapes")]
    assert ids == [f"r{i}" for i in range(5)]


def test_a_call_that_forks_share_is_written_once_and_a_doubled_id_apart(
    project: UUID, tmp_path: Path, few_at_once: None
) -> None:
    call = LLMCall(prompt=Prompt(id="p1"), output=LLMOutput(content="Same id."))
    said = UserStep(content="Hello").with_metadata(id="s1", prompt_id="p1")
    tapes = [save_tape(project, Tape(steps=(said,)), calls=[call]) for _ in range(3)]
    forks = [fork_tape(tape_id, project=project, at=1) for tape_id in tapes]

    exported = export_tapes(project, [*tapes, *forks], FolderTarget(tmp_path))

    assert (exported.tapes, exported.llm_calls) == (6, 3)
    databases = {name for name in exported.files if name.endswith(".sqlite")}
    assert databases == {"tapedata.sqlite", "tapedata-2.sqlite", "tapedata-3.sqlite"}
    assert all(len(rows_of(tmp_path / name, tmp_path)) == 1 for name in databases)


def test_files_of_one_name_that_came_with_two_batches_stay_two(
    project: UUID, tmp_path: Path
) -> None:
    for number in range(2):
        tapes = [build_tape_fields(id=f"{number}-{i}") for i in range(2)]
        store_json(tmp_path / str(number) / "tapes.json", tapes)
        import_files(project, collect_files(tmp_path / str(number)), batch_name=str(number))

    export_tapes(project, _tape_ids(project), FolderTarget(tmp_path / "out"))

    assert names_in(tmp_path / "out") == {"tapes.json", "tapes-2.json"}
    ids = [
        {tape["metadata"]["id"] for tape in json.loads(path.read_text("utf-8"))}
        for path in (tmp_path / "out").iterdir()
    ]
    assert sorted(map(sorted, ids)) == [["0-0", "0-1"], ["1-0", "1-1"]]


def test_a_batch_that_was_made_here_goes_out_with_the_calls_of_its_tapes(
    project: UUID, tmp_path: Path
) -> None:
    batch = ensure_batch(project, "made here").id
    call = LLMCall(prompt=Prompt(id="p1"), output=LLMOutput(content="Hi."))
    said = UserStep(content="Hello").with_metadata(id="s1", prompt_id="p1")
    save_tape(project, Tape(steps=(said,)), calls=[call], batch=batch)

    exported = export_stored_batch(project, batch, FolderTarget(tmp_path))

    assert (exported.tapes, exported.llm_calls) == (1, 1)


def test_what_is_exported_imports_again_as_already_there(project: UUID, tmp_path: Path) -> None:
    store_json(tmp_path / "in" / "tapes.json", [build_tape_fields(id=f"t{i}") for i in range(3)])
    store_rows(tmp_path / "in" / "tapedata.sqlite", build_row())
    report = run_import(project, tmp_path / "in")
    export_batch(project, report, tmp_path / "out")

    again = run_import(project, tmp_path / "out")

    assert (again.imported, again.already_there) == (0, 3)
    assert (again.llm_calls, again.llm_calls_already_there) == (0, 1)
