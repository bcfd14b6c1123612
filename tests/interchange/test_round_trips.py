"""Whatever JSON a tape or a call holds, reading and writing gives it back."""

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.model.llm import CallTokens
from tapes_app.engine.model.messages import canonical_json
from tapes_app.interchange.call_codec import decode_call, encode_call
from tapes_app.interchange.json_reader import read_json_items
from tapes_app.interchange.openai_chat import is_message
from tapes_app.interchange.refusals import DEFAULT_LIMITS
from tapes_app.interchange.tape_codec import TapeSource, decode_tape, encode_tape
from tapes_app.interchange.tapeagents import write_json, write_yaml
from tapes_app.interchange.tapedata import SourceRow, append_rows, read_rows
from tapes_app.interchange.yaml_reader import read_yaml_documents
from tests.interchange.builders import (
    build_row,
    build_row_columns,
    build_tape_fields,
    read_calls,
    read_tapes,
    reader_of,
    store_json,
    store_rows,
)

TEXTS = st.text(max_size=30)
ANY_TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS


def json_values(leaves: st.SearchStrategy[Any] = LEAVES) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
        max_leaves=10,
    )


KINDS = st.sampled_from(
    ["user", "assistant", "tool", "call", "respond", "set_next_node", "final_step"]
) | st.text(min_size=1, max_size=20)
STEP_METADATA = st.fixed_dictionaries(
    {},
    optional={
        "id": TEXTS,
        "agent": TEXTS,
        "node": TEXTS,
        "prompt_id": TEXTS,
        "other": st.dictionaries(TEXTS, json_values(), max_size=3),
        "own key": json_values(),
    },
)
STEPS = st.builds(
    lambda kind, metadata, fields: {"kind": kind, **metadata, **fields},
    KINDS,
    st.just({}) | st.builds(lambda m: {"metadata": m}, STEP_METADATA),
    st.dictionaries(
        TEXTS.filter(lambda name: name not in ("kind", "metadata"))
        | st.sampled_from(["content", "next_node", "copy_output", "tool_calls", "to", "reason"]),
        json_values(),
        max_size=4,
    ),
)
TAPE_METADATA = st.fixed_dictionaries(
    {},
    optional={
        "id": TEXTS,
        "parent_id": st.none() | TEXTS,
        "author": st.none() | TEXTS,
        "n_added_steps": st.integers(0, 50),
        "error": json_values(),
        "result": json_values(),
        "task": json_values(),
        "tape_studio_source": json_values(),
    },
)
TAPES = st.fixed_dictionaries(
    {"steps": st.lists(STEPS, max_size=5)},
    optional={
        "metadata": TAPE_METADATA,
        "context": json_values() | st.fixed_dictionaries({"steps": st.lists(STEPS, max_size=2)}),
        "own field": json_values(),
    },
)


def decode(fields: dict[str, Any]) -> Any:
    source = TapeSource(file="tape.json", form="json")
    return decode_tape(fields, source, DEFAULT_LIMITS)


@given(TAPES)
def test_any_tape_comes_back_as_it_was(fields: dict[str, Any]) -> None:
    tape = decode(fields).tape

    assert canonical_json(encode_tape(tape)) == canonical_json(fields)


@given(TAPES)
def test_any_tape_survives_a_json_file(fields: dict[str, Any]) -> None:
    written = io.StringIO()

    write_json(written, [decode(fields).tape], as_list=True)

    content = written.getvalue().encode()
    (read,) = read_json_items(reader_of(content), DEFAULT_LIMITS, is_part=is_message)
    assert canonical_json(read.value) == canonical_json(fields)


@given(st.lists(TAPES, min_size=1, max_size=3))
def test_any_tapes_survive_a_yaml_file_read_by_us_and_by_pyyaml(
    tapes: list[dict[str, Any]],
) -> None:
    written = io.StringIO()

    write_yaml(written, [decode(fields).tape for fields in tapes])

    read = list(read_yaml_documents(reader_of(written.getvalue().encode()), DEFAULT_LIMITS))
    assert canonical_json(read) == canonical_json(tapes)
    assert canonical_json(list(yaml.safe_load_all(written.getvalue()))) == canonical_json(tapes)


@given(json_values(LEAVES | ANY_TEXTS))
def test_any_text_of_a_context_is_kept(context: Any) -> None:
    fields = build_tape_fields() | {"context": context}
    written = io.StringIO()

    write_json(written, [decode(fields).tape], as_list=False)

    written.getvalue().encode()
    content = written.getvalue().encode()
    (read,) = read_json_items(reader_of(content), DEFAULT_LIMITS, is_part=is_message)
    assert read.value == json.loads(json.dumps(fields))


ROWS = st.fixed_dictionaries(
    {
        "prompt_id": TEXTS,
        "timestamp": st.none() | TEXTS,
        "prompt": st.fixed_dictionaries(
            {}, optional={"id": json_values(), "tools": json_values(), "messages": json_values(),
                          "token_ids": json_values(), "response_format": json_values()}
        )
        | st.dictionaries(TEXTS, json_values(), max_size=3),
        "output": st.fixed_dictionaries(
            {}, optional={"content": json_values(), "role": json_values(),
                          "tool_calls": json_values(), "refusal": json_values()}
        ),
        "prompt_length_tokens": st.none() | st.integers(-1, 2**40),
        "output_length_tokens": st.none() | st.integers(-1, 2**40),
        "cached": st.none() | st.integers(0, 1),
    },
    optional={"llm_info": json_values(), "cost": st.none() | st.floats(0, 10)},
)  # fmt: skip


@given(ROWS)
def test_any_call_comes_back_with_every_column(columns: dict[str, Any]) -> None:
    item = decode_call(SourceRow(table="LLMCalls", number=1, columns=columns))
    stored = json.loads(json.dumps(item.source))

    row = encode_call(item.call, stored, number=1)

    assert canonical_json(row.columns) == canonical_json(columns)


@given(st.lists(ROWS, max_size=3, unique_by=lambda row: str(row["prompt_id"])))
def test_any_rows_survive_a_database(rows: list[dict[str, Any]]) -> None:
    complete = [{"llm_info": {}, "cost": 0.0, **columns} for columns in rows]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tapedata.sqlite"
        doubled = append_rows(
            path, [SourceRow(table="LLMCalls", number=1, columns=columns) for columns in complete]
        )

        read = [row.columns for row in read_rows(path, DEFAULT_LIMITS)]

    assert doubled == []
    assert canonical_json(read) == canonical_json(complete)


def test_minus_one_means_unknown_and_comes_back_as_minus_one(tmp_path: Path) -> None:
    row = build_row(prompt_length_tokens=-1, output_length_tokens=-1, cost=0.0)

    (item,) = read_calls(store_rows(tmp_path / "tapedata.sqlite", row))

    assert item.call.usage.input_tokens is None
    assert item.call.cost_micro_usd is None
    assert encode_call(item.call, item.source, number=1).columns == row.columns


def test_recorded_tokens_go_out_and_come_in_with_the_answer(tmp_path: Path) -> None:
    tokens = CallTokens(prompt_ids=(1, 2), ids=(3,), texts=("a",), logprobs=(-0.5,))
    (item,) = read_calls(store_rows(tmp_path / "one.sqlite", build_row()))
    row = encode_call(item.call.model_copy(update={"tokens": tokens}), None, number=1)

    (again,) = read_calls(store_rows(tmp_path / "two.sqlite", row))

    assert again.call.tokens == tokens
    assert again.call.output == item.call.output
    assert encode_call(again.call, again.source, number=1).columns == row.columns


def test_a_naive_local_time_is_kept_exactly_and_never_called_a_moment(tmp_path: Path) -> None:
    (item,) = read_calls(store_rows(tmp_path / "tapedata.sqlite", build_row()))

    assert item.call.started_at is None
    assert item.source["columns"]["timestamp"] == "2024-09-25T20:37:02.405080"


def test_an_old_database_of_seven_columns_is_read_and_written(tmp_path: Path) -> None:
    columns = build_row_columns()
    del columns["llm_info"], columns["cost"]
    old = SourceRow(table="LLMCalls", number=1, columns=columns)
    path = store_rows(tmp_path / "old.sqlite", old)

    (item,) = read_calls(path)

    row = encode_call(item.call, item.source, number=1)
    assert row.columns == columns


def test_tapes_in_a_database_are_read_and_keep_their_row(tmp_path: Path) -> None:
    fields = build_tape_fields()
    row = SourceRow(
        table="Tapes",
        number=1,
        columns={"tape_id": "tape-1", "timestamp": "2025-01-01T10:00:00", "length": 2, **fields},
    )

    (item,) = read_tapes(store_rows(tmp_path / "tapedata.sqlite", row))

    assert encode_tape(item.tape) == fields
    assert item.source.row["timestamp"] == "2025-01-01T10:00:00"


def test_a_list_is_read_tape_by_tape(tmp_path: Path) -> None:
    tapes = [build_tape_fields("note", id=f"t{i}") for i in range(300)]

    items = read_tapes(store_json(tmp_path / "tapes.json", tapes))

    assert [item.tape.id for item in items] == [f"t{i}" for i in range(300)]
    assert [item.position for item in items[:2]] == ["tape 0", "tape 1"]
    assert len({item.digest for item in items}) == 300


def test_yaml_without_document_marks_and_with_dates_is_read_as_json_would_be() -> None:
    text = b"metadata: {id: a}\nsteps: []\ncontext: {date: 2024-12-04, on: yes, n: 0x10}\n"

    (document,) = read_yaml_documents(reader_of(text), DEFAULT_LIMITS)

    assert document["context"] == {"date": "2024-12-04", "on": True, "n": 16}
