"""Examples of files over HTTP: looked at, previewed, imported into a dataset, or refused whole."""

import io
import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.exchange.domain.example_mapping import ExampleMapping
from tapes_app.exchange.services.example_files import find_kept
from tapes_app.exchange.services.example_imports import ExampleImport, import_examples
from tapes_app.models import BatchRecord, DatasetRecord, JobRecord, TapeRecord
from tapes_app.projects.services.people import identify_owner
from tests.commands.running import fail, run, run_json, run_lines
from tests.http.asking import call
from tests.http.worlds import World
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROWS: list[dict[str, Any]] = [
    {
        "item": {
            "id": f"q{number}",
            "question": f"{number} + 1 =",
            "answer": number + 1,
            "hard": True,
        }
    }
    for number in range(5)
]
MAPPING: dict[str, Any] = {"message": "item.question", "expected": "item.answer", "id": "item.id"}


def lines(rows: list[Any]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def send(client: Client, content: bytes, name: str = "rows.jsonl", expect: int = 201) -> Any:
    answer = client.post("/api/v1/example-files", {"file": SimpleUploadedFile(name, content)})
    assert answer.status_code == expect, answer.content
    return answer.json()


def preview(client: Client, file: Any, *, expect: int = 200, **mapping: Any) -> Any:
    return call(client, "POST", f"example-files/{file['id']}/preview", mapping, expect)


def import_rows(client: Client, file: Any, dataset: str, **mapping: Any) -> Any:
    """Import a file and return the job when it is over."""
    body = {"dataset": dataset, "mapping": mapping}
    job = call(client, "POST", f"example-files/{file['id']}/import", body, 202)
    with host_beside("agents"):
        wait_until(lambda: JobRecord.objects.get(id=job["id"]).finished_at, "the import to end")
    return call(client, "GET", f"jobs/{job['id']}")


def result_of(client: Client, job: Any) -> Any:
    return call(client, "GET", f"example-files/imports/{job['id']}")


def tapes_of(client: Client, dataset: str) -> dict[str, Any]:
    found = client.get("/api/v1/tapes", {"q": f'dataset:"{dataset}"'}).json()["items"]
    return {row["task"]: row for row in found}


def test_rows_become_start_tapes_of_a_dataset(studio: Client) -> None:
    file = send(studio, lines(ROWS))

    shown = preview(studio, file, **MAPPING, metadata=["item.hard"], all_in="test")
    before = TapeRecord.objects.count(), DatasetRecord.objects.count()
    job = import_rows(studio, file, "sums", **MAPPING, metadata=["item.hard"], all_in="test")

    assert [column["name"] for column in file["columns"]] == [
        "item.id", "item.question", "item.answer", "item.hard",
    ]  # fmt: skip
    assert (file["format"], file["suggested"]["message"]) == ("jsonl", "item.question")
    assert file["suggested"]["expected"] == "item.answer"
    assert shown["rows"][0] == {
        "row": 1, "message": "0 + 1 =", "expected": "1", "id": "q0", "task": "q0",
        "split": "test", "metadata": {"item.hard": "True"}, "check": "", "state": "",
            "attack": "",
    }  # fmt: skip
    assert (shown["looked_at"], shown["example_count"], before) == (5, 5, (0, 0))
    assert (job["state"], job["message"]) == ("succeeded", "5 examples made in dataset 'sums'.")
    tapes = tapes_of(studio, "sums")
    assert {task: (row["title"], row["expected"]) for task, row in tapes.items()} == {
        f"q{number}": (f"{number} + 1 =", str(number + 1)) for number in range(5)
    }
    (dataset,) = call(studio, "GET", "datasets")["items"]
    assert (dataset["tape_count"], dataset["test_count"]) == (5, 5)
    tape = call(studio, "GET", f"tapes/{tapes['q0']['id']}")
    assert tape["metadata"]["example"] == {"id": "q0", "item.hard": True}
    assert BatchRecord.objects.get().name == "rows.jsonl"


def test_what_is_left_out_is_counted_with_its_reason_and_its_first_row(studio: Client) -> None:
    content = b"\n".join([
        lines(ROWS[:2]),
        lines([{"item": {"id": "q1", "question": "again?", "answer": 1}}]),
        lines([{"item": {"id": "q9", "answer": 1}}]),
        b"{broken",
        b'{"item": {"id": "q8", "question": "\xff"}}',
        json.dumps({"item": {"id": "q7", "question": "x" * 1_100_000}}).encode(),
        lines([{"item": {"question": "no id"}}]),
        lines([{"item": {"id": "q5", "question": "two?", "answer": ["one", "two"]}}]),
    ])  # fmt: skip
    file = send(studio, content)

    shown = preview(studio, file, **MAPPING)
    result = result_of(studio, import_rows(studio, file, "sums", **MAPPING))

    told = {one["why"]: (one["count"], one["first_row"]) for one in result["left_out"]}
    assert told == {
        "an id that an earlier row has": (1, 3),
        "nothing in column 'item.question'": (1, 4),
        "it is not valid JSON: expecting property name enclosed in double quotes": (1, 5),
        "it is not UTF-8 text": (1, 6),
        "it is larger than 1,048,576 bytes": (1, 7),
        "no id in column 'item.id'": (1, 8),
    }
    assert shown["left_out"] == result["left_out"]
    assert [(one["count"], one["first_row"]) for one in result["lost"]] == [(1, 9)]
    assert (result["rows"], result["made"]) == (9, 3)
    assert tapes_of(studio, "sums")["q5"]["expected"] == ""


def test_a_worker_that_takes_an_import_over_counts_what_the_first_one_made(
    studio: Client, world: World
) -> None:
    file = send(studio, lines(ROWS))
    kept = find_kept(world.project, UUID(file["id"]))
    request = ExampleImport(dataset="sums", mapping=ExampleMapping.model_validate(MAPPING))
    person, batch = identify_owner(User.objects.get().pk, world.project), (uuid4(), "rows")
    import_examples(person, kept, request, batch=batch)

    again = import_examples(person, kept, request, batch=batch)
    other = import_examples(person, kept, request)

    assert (again.made, again.already_there, again.batch_id) == (5, 0, batch[0])
    assert (other.made, other.already_there, other.batch_id) == (0, 5, None)


def test_a_file_is_imported_once_and_what_it_put_in_is_taken_out_again(studio: Client) -> None:
    file = send(studio, lines(ROWS))
    first = result_of(studio, import_rows(studio, file, "sums", **MAPPING))

    again = result_of(studio, import_rows(studio, file, "others", **MAPPING))
    call(studio, "POST", f"datasets/changes/{first['undo']}/undo")

    assert (first["made"], first["already_there"]) == (5, 0)
    assert (again["made"], again["already_there"], again["batch_id"]) == (0, 5, None)
    assert TapeRecord.objects.count() == 5
    assert (len(tapes_of(studio, "sums")), len(tapes_of(studio, "others"))) == (0, 5)


CSV = 'id,question,split\n1,"What,\nthen?",train\n2,Why?,dev\n3,How?,elsewhere\n4,a,test,more\n'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.csv", b"\xef\xbb\xbf" + CSV.encode()),
        ("rows.csv", CSV.replace(",", ";").replace('"What;', '"What,').encode()),
    ],
)
def test_csv_says_splits_and_leaves_out_what_does_not_fit(
    studio: Client, name: str, content: bytes
) -> None:
    file = send(studio, content, name)

    job = import_rows(studio, file, "words", message="question", id="id", split="split")

    assert (file["format"], file["columns"][1]) == (
        "csv", {"name": "question", "first": "What, then?"},
    )  # fmt: skip
    splits = {row.task: row.split for row in TapeRecord.objects.all()}
    assert splits == {"1": "train", "2": "validation"}
    told = {one["why"]: one["first_row"] for one in result_of(studio, job)["left_out"]}
    assert told == {
        "a split that is neither train, nor validation, nor test": 3,
        "it has more cells than the header, which has 3": 4,
    }


def test_lines_behind_a_byte_order_mark_all_come_in(studio: Client) -> None:
    rows = [{"id": "a", "input": "first", "hard": float("nan")}, {"id": "b", "input": "second"}]

    file = send(studio, b"\xef\xbb\xbf" + lines(rows))
    shown = preview(studio, file, message="input", id="id", metadata=["hard"])

    assert ([row["id"] for row in shown["rows"]], shown["left_out"]) == (["a", "b"], [])


def test_utf_16_is_refused_with_what_to_do(studio: Client) -> None:
    for encoding in ("utf-16", "utf-16-le"):
        refused = send(studio, "id,input\n1,Hi\n".encode(encoding), "rows.csv", expect=422)
        assert "it is UTF-16 text; save it as UTF-8" in refused["message"]


def test_a_cell_without_a_number_is_an_empty_one(studio: Client) -> None:
    written = io.BytesIO()
    table = {"id": ["a", "b"], "input": ["1 + 1", "1 / 0"], "ideal": [2.0, float("nan")]}
    pq.write_table(pa.table(table), written)
    file = send(studio, written.getvalue(), "rows.parquet")

    shown = preview(studio, file, message="input", id="id", expected="ideal")

    assert [one["expected"] for one in shown["rows"]] == ["2.0", ""]


def test_parquet_is_read_with_its_objects_and_lists(studio: Client) -> None:
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    answered = [*chat, {"role": "assistant", "content": "So."}]
    table = pa.table({
        "input": [chat, answered],
        "ideal": [["because"], ["so"]],
        "raw": pa.array([b"\xff", b"\xfe"], pa.binary()),
    })  # fmt: skip
    written = io.BytesIO()
    pq.write_table(table, written)
    file = send(studio, written.getvalue(), "rows.parquet")

    suggested = {name: said for name, said in file["suggested"].items() if said}
    result = result_of(studio, import_rows(studio, file, "chats", **suggested))

    assert (file["format"], suggested) == ("parquet", {"message": "input", "expected": "ideal"})
    assert result["made"] == 1
    assert "answers of an assistant" in result["left_out"][0]["why"]
    tape = call(studio, "GET", f"tapes/{TapeRecord.objects.get().id}")
    assert (tape["expected"], tape["step_count"]) == ("because", 2)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.jsonl", b"", "it is empty"),
        ("a.json", b'[{"a": 1}]', "write JSON Lines"),
        ("a.jsonl", b"{broken\n{too", "not valid JSON"),
        ("a.csv", b"a,a\n1,2\n", "two columns have the same name"),
        ("a.csv", b'a,b\n1,"open\n', "is a quotation mark not closed?"),
        ("a.csv", b"a\n" + b"x" * 1_100_000, "larger than 1,048,576 bytes"),
        ("a.parquet", b"PAR1 and nothing else", "not a readable Parquet file"),
        ("a.bin", b"\x00\x01", "neither JSON Lines, nor CSV, nor Parquet"),
    ],
)
def test_a_file_without_rows_is_refused_and_not_kept(
    studio: Client, settings: Any, name: str, content: bytes, why: str
) -> None:
    kept = Path(settings.STUDIO_DATA_DIR) / "example_files"
    before = set(kept.rglob("file"))

    refused = send(studio, content, name, expect=422)

    assert why in refused["message"]
    assert set(kept.rglob("file")) == before


def test_a_file_of_too_many_rows_is_refused_when_it_is_sent(studio: Client) -> None:
    many = b'{"q": "same"}\n' * 100_000

    send(studio, many)
    refused = send(studio, many + b'{"q": "same"}', expect=422)

    assert "it has more than 100,000 rows; split it" in refused["message"]


def test_columns_that_are_not_there_are_named(studio: Client) -> None:
    file = send(studio, lines(ROWS))

    refused = preview(studio, file, message="item.question", expected="gold", expect=422)

    assert refused["message"] == (
        "No row of the file has 'gold'; its columns are 'item.id', 'item.question', "
        "'item.answer', 'item.hard'."
    )
    body = {"dataset": "a", "mapping": {"message": "nowhere"}}
    call(studio, "POST", f"example-files/{file['id']}/import", body, 422)
    assert JobRecord.objects.count() == 0


def test_a_file_of_another_project_is_not_there(studio: Client, elsewhere: World) -> None:
    file = send(studio, lines(ROWS))

    stranger = Client()
    stranger.force_login(User.objects.get(username="sam"))

    call(stranger, "GET", f"example-files/{file['id']}", expect=404)
    preview(stranger, file, expect=404, message="item.question")


def test_the_command_finds_columns_by_their_names(studio: Client, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines([*ROWS, ROWS[0], {"item": {"id": "q6"}}]))

    said = run_lines("datasets", "import", "sums", str(path), "--all-in", "train")

    assert said == [
        "left out: an id that an earlier row has (1 row, first 6)",
        "left out: nothing in column 'item.question' (1 row, first 7)",
        "5 examples made in dataset 'sums'; 2 rows left out.",
    ]
    again = run_json("datasets", "import", "sums", str(path), "--message", "item.question")
    assert (again["made"], again["already_there"], again["undo"] is None) == (5, 0, False)
    assert "No row of the file has 'nowhere'" in fail(
        "datasets", "import", "a", str(path), "--message", "nowhere"
    )
    nothing = tmp_path / "odd.csv"
    nothing.write_text("a,b\n1,2\n")
    assert "No column looks like a message" in fail("datasets", "import", "a", str(nothing))
    assert run("datasets", "list").endswith("1 dataset.")
