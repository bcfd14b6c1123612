"""Numbers that JSON does not have come in: NaN is a missing value, infinity is its name."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interchange.builders import (
    build_row,
    build_tape_fields,
    read_calls,
    read_tapes,
    store_rows,
)

ODD = {"a": float("nan"), "b": [float("inf"), float("-inf")], "c": 0.5}
PLAIN = {"a": None, "b": ["Infinity", "-Infinity"], "c": 0.5}


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def odd_tape() -> dict[str, Any]:
    """Return a tape with such numbers in its metadata, its context and a step."""
    fields = build_tape_fields(notes=ODD)
    fields["context"] = ODD
    fields["steps"][0]["content"] = ODD
    return fields


@pytest.mark.parametrize("as_list", [False, True])
def test_in_a_tape(tmp_path: Path, as_list: bool) -> None:
    value = [odd_tape()] if as_list else odd_tape()
    (item,) = read_tapes(write(tmp_path / "a.json", json.dumps(value)))

    assert (item.tape.metadata.model_extra or {})["notes"] == PLAIN
    assert item.tape.context == PLAIN
    assert item.tape.steps[0].to_json()["content"] == PLAIN


def test_in_a_line_of_conversations(tmp_path: Path) -> None:
    message = {"role": "user", "content": "Hi", "logprob": float("-inf")}
    line = json.dumps({"messages": [message], "extra": ODD})
    first, second = read_tapes(write(tmp_path / "a.jsonl", f"{line}\n{line}\n"))

    assert first.tape.context == second.tape.context == {"chat_fields": {"extra": PLAIN}}
    assert first.digest == second.digest


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e999", "Infinity"), ("-1e999", "-Infinity"), ("1e308", 1e308), ("1e-999", 0.0)],
)
def test_a_number_beyond_what_is_kept_is_infinite(tmp_path: Path, text: str, value: Any) -> None:
    (item,) = read_tapes(write(tmp_path / "a.json", f'{{"steps": [], "context": {text}}}'))

    assert item.tape.context == value


@pytest.mark.parametrize(
    ("text", "value"),
    [(".nan", None), (".inf", "Infinity"), ("-.Inf", "-Infinity"), ("1.0e+999", "Infinity")],
)
def test_in_yaml(tmp_path: Path, text: str, value: Any) -> None:
    (item,) = read_tapes(write(tmp_path / "a.yaml", f"steps: []\ncontext: {text}\n"))

    assert item.tape.context == value


def test_in_a_database(tmp_path: Path) -> None:
    output = {"content": "Four.", "role": "assistant", "logprobs": ODD}
    row = build_row(output=output, cost=float("inf"))
    (item,) = read_calls(store_rows(tmp_path / "tapedata.sqlite", row))

    assert item.call.cost_micro_usd is None
    assert PLAIN["b"] == json.loads(item.model_dump_json())["call"]["output"]["logprobs"]["b"]
