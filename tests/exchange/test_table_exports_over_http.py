"""The table of tapes as Parquet and CSV: typed, whole, equal to what the list shows."""

import csv
import io
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.export_jobs import folder_of
from tapes_app.interchange import table_files
from tapes_app.tapes.store.saving import save_tape
from tests.exchange.test_exports_over_http import Place, place
from tests.http.asking import call

__all__ = ["place"]

pytestmark = pytest.mark.django_db(transaction=True)

TYPES = {
    "id": pa.string(),
    "steps": pa.int64(),
    "has_error": pa.bool_(),
    "cost_usd": pa.float64(),
    "score": pa.float64(),
    "created_at": pa.timestamp("us", tz="UTC"),
    "tags": pa.list_(pa.string()),
}


def export(place: Place, **body: Any) -> Path:
    return folder_of(place.export(**body)) / "file"


def listed(place: Place) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = call(place.client, "GET", "tapes?limit=200")["items"]
    return rows


def store(place: Place, count: int) -> None:
    for number in range(count):
        tape = Tape(steps=(UserStep(content=f"=half a pair \ud800 {number}"),))
        save_tape(place.world.project, tape)


def test_what_is_read_back_is_what_the_list_shows(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "ROWS_OF_GROUP", 2)
    store(place, 4)
    call(place.client, "PATCH", f"tapes/{place.world.tape}", {"score": 0.5, "split": "test"})

    file = export(place, format="parquet")

    stored = pq.ParquetFile(file)
    assert stored.metadata.num_row_groups == 3
    assert {name: stored.schema_arrow.field(name).type for name in TYPES} == TYPES
    shown = listed(place)
    for cells, row in zip(stored.read().to_pylist(), shown, strict=True):
        totals = row["totals"]
        has_calls = totals["llm_call_count"] > 0
        assert (cells["id"], cells["parent_id"]) == (row["id"], row["parent_id"])
        assert (cells["steps"], cells["errors"]) == (row["step_count"], row["error_count"])
        assert cells["title"] == row["title"].replace("\ud800", "?")
        assert (cells["agent"], cells["batch"]) == (row["agent_name"], row["batch_name"])
        moment = datetime.fromisoformat(row["created_at"])  # HTTP tells milliseconds
        assert abs(cells["created_at"] - moment) < timedelta(milliseconds=1)
        assert cells["cost_usd"] == (totals["cost_micro_usd"] / 1_000_000 if has_calls else None)
        assert cells["input_tokens"] == (totals["input_tokens"] if has_calls else None)
        for name in ("task", "outcome", "score", "tags", "split", "is_pinned"):
            assert cells[name] == row[name]


def test_both_tables_hold_the_same_tapes_and_columns(place: Place) -> None:
    columns = ["id", "tags", "cost_usd", "title"]
    chosen = {"columns": columns, "with_annotations": True}

    table = pq.read_table(export(place, format="parquet", **chosen))
    text = export(place, format="csv", **chosen).read_text()

    rows = list(csv.DictReader(io.StringIO(text)))
    assert table.column_names == list(rows[0]) == [*columns, "annotations"]
    assert table.column("id").to_pylist() == [row["id"] for row in rows]
    assert table.column("annotations").to_pylist() == [row["annotations"] for row in rows]
    assert [", ".join(tags) for tags in table.column("tags").to_pylist()] == [
        row["tags"] for row in rows
    ]


def test_answers_are_whole_in_a_file_and_cut_in_the_list(place: Place) -> None:
    long = "=1,\n" + "x" * 5000
    address = f"tapes/{place.world.tape}"
    call(place.client, "PATCH", address, {"expected": long})
    actual = call(place.client, "GET", address)["actual"]
    chosen = {"tape_ids": [str(place.world.tape)], "columns": ["actual", "expected"]}

    [cells] = pq.read_table(export(place, format="parquet", **chosen)).to_pylist()
    text = export(place, format="csv", **chosen).read_bytes().decode()

    assert cells == {"actual": actual, "expected": long}
    [row] = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["actual"], row["expected"]) == (actual, f"'{long}")
    [shown] = [row for row in listed(place) if row["id"] == str(place.world.tape)]
    assert shown["expected"] == long[:300]


def test_a_list_of_nothing_is_a_table_without_rows(place: Place) -> None:
    table = pq.read_table(export(place, format="parquet", q='title:"no such tape"'))
    assert (table.num_rows, table.column_names[0]) == (0, "id")


def test_the_command_line_writes_the_same_table(
    place: Place, tmp_path: Path, settings: Any
) -> None:
    settings.STUDIO_OWNER_NAME = "ada"
    call_command(
        "export_tapes", "--all", "--format", "parquet", "--out", str(tmp_path), "--project", "Ours"
    )
    [file] = tmp_path.glob("*.parquet")
    assert pq.read_table(file).equals(pq.read_table(export(place, format="parquet")))


def test_the_command_line_writes_the_columns_that_it_is_asked_for(
    place: Place, tmp_path: Path, settings: Any
) -> None:
    settings.STUDIO_OWNER_NAME = "ada"
    asked = ["export_tapes", "--all", "--format", "csv", "--out", str(tmp_path)]
    call_command(*asked, "--project", "Ours", "--columns", "task", "expected", "id")
    [file] = tmp_path.glob("*.csv")
    assert file.read_text().splitlines()[0] == "task,expected,id"
