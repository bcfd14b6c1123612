"""Files that lie or attack are refused quickly, with file, position and reason."""

import gzip
import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.interchange.refusals import DEFAULT_LIMITS, ImportLimits
from tapes_app.interchange.tapeagents import read_file
from tests.interchange.builders import (
    build_row,
    build_row_columns,
    build_tape_fields,
    pack,
    read_calls,
    read_tapes,
    store_json,
    store_rows,
)

QUICK_SECONDS = 30.0
"""Of the processor, and many times what any takes: what grows with a bomb takes minutes."""
LAUGHS = b"a: &a [x, x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (sign, sign, b", ".join([b"*%c" % (sign - 1)] * 10))
    for sign in range(ord("b"), ord("l"))
)
LONG_LAUGHS = b"a: &a '" + b"x" * 1_000_000 + b"'\nsteps: [" + b"*a, " * 1000 + b"]\n"

HOSTILE = {
    "empty": (b"", "empty", ""),
    "blank": (b" \n \n", "empty", ""),
    "binary": (bytes(range(256)) * 20, "binary", ""),
    "image": (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "image", ""),
    "zip archive": (b"PK\x03\x04" + b"\x00" * 50, "zip archive", ""),
    "UTF-16": ('{"steps": []}'.encode("utf-16"), "UTF-16", ""),
    "UTF-16 without a mark": ('{"steps": []}'.encode("utf-16-be"), "UTF-16", ""),
    "UTF-16 in gzip": (gzip.compress('{"steps": []}'.encode("utf-16")), "UTF-16", ""),
    "Latin-1": (b'{"steps": [\n{"kind": "caf\xe9"}]}', "not UTF-8", "byte 25"),
    "Latin-1 in YAML": (b"steps:\n- kind: caf\xe9\n", "not UTF-8", "byte"),
    "cut JSON": (b'{"metadata": {},\n "steps": [', "cut off", "line 2, column 12"),
    "broken JSON": (b'{"metadata": {},\n "steps" []}', "not valid JSON", "line 2, column 10"),
    "lines of JSON": (b'{"steps": []}\n{"steps": []}', "JSON Lines", "line 2, column 1"),
    "list of numbers": (b"[1, 2]", "something other than tapes", "line 1, column 2"),
    "empty list": (b"[]", "the list is empty", ""),
    "tape without steps": (b'{"metadata": {}}', "no list 'steps'", ""),
    "second tape broken": (
        b'[{"steps": []},\n {"steps": 3}]', "'steps' is not a list", "tape 1"
    ),
    "step without kind": (
        b'{"steps": [{"kind": "a"}, {"content": "b"}]}', "'kind'", "step 1"
    ),
    "step that is a number": (b'{"steps": [7]}', "must be a JSON object", "step 0"),
    "metadata of a wrong type": (
        b'{"metadata": {"n_added_steps": "3"}, "steps": []}', "wrong type", "metadata"
    ),
    "step metadata of a wrong type": (
        b'{"steps": [{"kind": "a", "metadata": {"agent": 5}}]}', "metadata.agent", "step 0"
    ),
    "same field twice": (b'{"steps": [], "steps": []}', "same field twice", "line 1"),
    "huge number": (b'{"context": ' + b"9" * 100_000 + b"}", "too many digits", ""),
    "nested lists": (b"[" * 5_000_000, "something other than tapes", "line 1"),
    "nested objects": (b'{"a":' * 1_000_000, "nested", "line 1"),
    "nested in a step": (
        b'{"steps": [{"kind": "a", "x": ' + b"[" * 150 + b"]" * 150 + b"}]}", "nested", "steps.0.x"
    ),
    "half a character in a name": (
        b'{"steps": [], "context": {"\\ud800": 1}}', "unpaired UTF-16 surrogate", "context"
    ),
    "YAML nested": (b"steps: " + b"[" * 1_000_000, "nested", "line 1, column"),
    "a billion laughs": (LAUGHS, "aliases", "line"),
    "long laughs": (LONG_LAUGHS, "larger than", "line 2"),
    "alias to itself": (b"steps: &a [*a]", "alias", "line 1, column 12"),
    "YAML that builds objects": (
        b"steps: !!python/object/apply:os.system ['true']", "YAML tag", "line 1, column 8"
    ),
    "YAML tag": (b"steps: !mine []", "YAML tag", "line 1"),
    "merge keys": (b"x: &x {a: 1}\nsteps: [{kind: a, <<: *x}]", "merge keys", "line 2"),
    "YAML keys": (b"steps: []\n? [a]\n: 2", "not plain text", "line 2, column 3"),
    "YAML field twice": (b"steps: []\nsteps: []", "same field twice", "line 2"),
    "broken YAML": (b"steps: [\n", "not valid YAML", "line 2"),
    "second document broken": (
        b"steps: []\n---\nsteps: 5\n", "'steps' is not a list", "document 1, tape 1"
    ),
    "text": (b"just a note to myself", "not a tape", "document 0"),
    "cut gzip": (gzip.compress(os.urandom(5000))[:2000], "truncated", ""),
    "damaged gzip": (b"\x1f\x8b\x08\x00" + b"\xff" * 500, "gzip", ""),
    "compressed twice": (gzip.compress(gzip.compress(b"{}")), "compressed twice", ""),
    "damaged database": (b"SQLite format 3\x00" + b"\xff" * 5000, "corrupt", ""),
    "half a header": (b"SQLite format 3\x00", "corrupt", ""),
}  # fmt: skip


def refuse(path: Path, limits: ImportLimits = DEFAULT_LIMITS) -> ImportRefusedError:
    started = time.process_time()
    with pytest.raises(ImportRefusedError) as refused:
        list(read_file(path, limits=limits))
    assert time.process_time() - started < QUICK_SECONDS
    return refused.value


@pytest.mark.parametrize(("content", "reason", "position"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_refused_with_its_place_and_reason(
    content: bytes, reason: str, position: str, tmp_path: Path
) -> None:
    path = tmp_path / "tapes.json"
    path.write_bytes(content)

    error = refuse(path)

    assert error.details["file"] == "tapes.json"
    assert reason in error.details["reason"]
    assert position in error.details["position"]
    assert error.message.endswith(".")
    assert len(error.message) < 500


def test_a_file_is_read_as_what_it_is_whatever_its_name_says(tmp_path: Path) -> None:
    as_yaml = store_json(tmp_path / "tape.yaml", build_tape_fields())
    as_json = store_rows(tmp_path / "calls.json", build_row())

    assert len(read_tapes(as_yaml)) == 1
    assert len(read_calls(as_json)) == 1


def test_a_gzip_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    path = tmp_path / "tape.json.gz"
    with gzip.open(path, "wb") as file:
        file.write(b'{"steps": [], "context": "')
        for _ in range(100):
            file.write(b"x" * 1_000_000)

    assert "gzip bomb" in refuse(path).details["reason"]


def test_a_file_is_refused_when_it_unpacks_to_more_than_allowed(tmp_path: Path) -> None:
    limits = ImportLimits(max_unpacked_bytes=2000)
    path = pack(store_json(tmp_path / "tape.json", build_tape_fields(*["note"] * 50)))

    assert "2,000 bytes" in refuse(path, limits).details["reason"]


def test_a_tape_larger_than_allowed_is_refused(tmp_path: Path) -> None:
    limits = ImportLimits(max_tape_bytes=100_000)
    path = store_json(tmp_path / "tape.json", build_tape_fields(context="x" * 1_000_000))

    assert "larger than 100,000" in refuse(path, limits).details["reason"]


def test_five_megabytes_of_one_line_are_a_tape_like_any_other(tmp_path: Path) -> None:
    path = store_json(tmp_path / "tape.json", build_tape_fields() | {"context": "x" * 5_000_000})

    (item,) = read_tapes(path)

    assert len(item.tape.context) == 5_000_000


def test_nul_and_halves_of_surrogate_pairs_are_kept(tmp_path: Path) -> None:
    fields = build_tape_fields() | {"context": "a\x00b\ud800c"}

    (item,) = read_tapes(store_json(tmp_path / "tape.json", fields))

    assert item.tape.context == fields["context"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = store_json(tmp_path / "tape.json", build_tape_fields())
    link = tmp_path / "link.json"
    link.symlink_to(target)

    assert "a link" in refuse(link).details["reason"]


def test_a_pipe_is_refused_without_waiting_for_its_other_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tape.json")

    assert "not a regular file" in refuse(tmp_path / "tape.json").details["reason"]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("CREATE VIEW Answers AS SELECT 1", "view"),
        (
            "CREATE TRIGGER t AFTER INSERT ON LLMCalls BEGIN DELETE FROM LLMCalls; END",
            "trigger",
        ),
        ("CREATE VIRTUAL TABLE words USING fts5(text)", "virtual table"),
        ("ALTER TABLE LLMCalls DROP COLUMN cached", "is missing the column 'cached'"),
        ("ALTER TABLE LLMCalls RENAME TO Other", ""),
        ("UPDATE LLMCalls SET prompt = 'no JSON'", "not valid JSON"),
        ("UPDATE LLMCalls SET prompt = '[]'", "not a JSON object"),
        ("UPDATE LLMCalls SET output = x'ff00'", "bytes"),
        ("UPDATE LLMCalls SET output = CAST(x'ff' AS TEXT)", "corrupt"),
        ("UPDATE LLMCalls SET prompt_id = NULL", "prompt_id"),
    ],
)
def test_a_database_that_is_no_tapedata_is_refused(
    statement: str, reason: str, tmp_path: Path
) -> None:
    path = store_rows(tmp_path / "tapedata.sqlite", build_row())
    with closing(sqlite3.connect(path)) as connection, connection:
        if "RENAME" in statement:
            connection.execute("DROP TABLE Tapes")
            reason = "neither a table LLMCalls nor a table Tapes"
        connection.execute(statement)

    assert reason in refuse(path).details["reason"]


def test_a_broken_row_is_named_by_table_row_and_column(tmp_path: Path) -> None:
    rows = [build_row(prompt_id="p1"), build_row(prompt_id="p2", llm_info={})]
    path = store_rows(tmp_path / "tapedata.sqlite", *rows)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE LLMCalls SET llm_info = '{' WHERE prompt_id = 'p2'")

    position = refuse(path).details["position"]

    assert position.startswith("table LLMCalls, row 2, column llm_info, line 1")


def test_a_cut_database_is_refused(tmp_path: Path) -> None:
    path = store_rows(
        tmp_path / "tapedata.sqlite", *[build_row(prompt_id=f"p{i}") for i in range(200)]
    )
    path.write_bytes(path.read_bytes()[:20_000])

    assert "corrupt" in refuse(path).details["reason"]


def test_reading_a_database_writes_nothing_beside_it(tmp_path: Path) -> None:
    path = store_rows(tmp_path / "tapedata.sqlite", build_row())
    before = path.read_bytes()

    read_calls(path)

    assert [file.name for file in tmp_path.iterdir()] == ["tapedata.sqlite"]
    assert path.read_bytes() == before


def test_a_database_that_is_still_written_is_refused(tmp_path: Path) -> None:
    path = store_rows(tmp_path / "tapedata.sqlite", build_row())
    (tmp_path / "tapedata.sqlite-wal").write_bytes(b"pages that are not in the file yet")

    assert "still writing" in refuse(path).details["reason"]


def test_a_secret_in_the_description_of_an_llm_is_not_kept(tmp_path: Path) -> None:
    llm_info = {
        "model_name": "tiny",
        "api_token": "abcd-very-secret",
        "parameters": {"max_tokens": 5, "api_key": "abcd-very-secret"},
    }
    columns = build_row_columns(llm_info=llm_info)

    (item,) = read_calls(store_rows(tmp_path / "tapedata.sqlite", build_row(**columns)))

    assert "abcd-very-secret" not in item.model_dump_json()
    assert item.call.llm["parameters"]["max_tokens"] == 5


def test_the_text_of_a_refusal_holds_no_control_characters_of_the_file(tmp_path: Path) -> None:
    fields = build_tape_fields()
    fields["steps"][0]["kind\x1b[31m"] = 10**2000
    path = tmp_path / "tape.json"
    path.write_text(json.dumps(fields), encoding="utf-8")

    assert refuse(path).message.isprintable()
