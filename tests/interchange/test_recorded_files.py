"""Every recorded file comes back equal as data, and what is no tape is refused with a reason."""

import gzip
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.interchange.call_codec import encode_call
from tapes_app.interchange.tapeagents import read_file, write_json, write_yaml
from tapes_app.interchange.tapedata import append_rows
from tests.interchange.builders import pack, read_calls, read_tapes
from tests.recordings import RECORDINGS, for_each

NO_TAPES = {
    "delegate_stack/llm.json": "a model",
    "form_filler/teacher_agent_test_config.yaml": "configuration",
    "gaia_agent/config.yaml": "configuration",
    "optimize/config.yaml": "not a tape",
    "gsm8k_tuning/training_samples.jsonl": "training samples",
    "LICENSE": "YAML",
    "NOTICE": "not a tape",
}


def recorded(*endings: str) -> list[Any]:
    def list_names(recordings: Path) -> list[str]:
        files = sorted(path for path in recordings.rglob("*") if path.is_file())
        names = [path.relative_to(recordings).as_posix() for path in files]
        return [name for name in names if name.endswith(endings) and name not in NO_TAPES]

    return for_each(list_names)


def _rows_of(path: Path, scratch: Path) -> list[dict[str, Any]]:
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    plain = scratch / "plain.sqlite"
    plain.write_bytes(content)
    with closing(sqlite3.connect(plain)) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM LLMCalls")]
    return [
        {key: json.loads(v) if key in ("prompt", "output", "llm_info") else v
         for key, v in row.items()}
        for row in rows
    ]  # fmt: skip


@pytest.mark.parametrize("path", recorded(".json"))
def test_a_recorded_json_tape_is_written_as_it_was(path: Path) -> None:
    tapes = read_tapes(path)
    written = io.StringIO()

    write_json(written, [item.tape for item in tapes], as_list=False)

    assert json.loads(written.getvalue()) == json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("path", recorded(".yaml"))
def test_a_recorded_yaml_file_is_written_as_it_was_with_its_order_of_fields(path: Path) -> None:
    tapes = read_tapes(path)
    written = io.StringIO()

    write_yaml(written, [item.tape for item in tapes])

    before = list(yaml.safe_load_all(path.read_text("utf-8")))
    after = list(yaml.safe_load_all(written.getvalue()))
    assert after == before
    assert [list(tape) for tape in after] == [list(tape) for tape in before]


@pytest.mark.parametrize("path", recorded(".sqlite", ".sqlite.gz"))
def test_every_column_of_every_recorded_call_is_written_as_it_was(
    path: Path, tmp_path: Path
) -> None:
    calls = read_calls(path)

    rows = [encode_call(item.call, item.source, number=n) for n, item in enumerate(calls, 1)]
    append_rows(tmp_path / "out.sqlite", rows)

    before = _rows_of(path, tmp_path)
    assert before
    assert _rows_of(tmp_path / "out.sqlite", tmp_path) == before


@pytest.mark.parametrize("path", recorded(".json", ".yaml", ".sqlite"))
def test_a_gzipped_file_reads_like_the_plain_one(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())

    packed = list(read_file(pack(copy), name=path.name))

    assert packed == list(read_file(copy))


@pytest.mark.parametrize(("name", "reason"), NO_TAPES.items())
def test_a_file_that_holds_no_tape_is_refused_with_what_it_is(name: str, reason: str) -> None:
    for recordings in RECORDINGS:
        with pytest.raises(ImportRefusedError) as refused:
            list(read_file(recordings / name))

        assert reason in refused.value.details["reason"]
        assert refused.value.details["file"] == Path(name).name


def test_a_token_in_a_refused_file_is_not_repeated() -> None:
    for recordings in RECORDINGS:
        path = recordings / "delegate_stack" / "llm.json"
        token = json.loads(path.read_text("utf-8"))["api_token"]

        with pytest.raises(ImportRefusedError) as refused:
            list(read_file(path))

        assert token not in str(refused.value) + str(refused.value.details)
