"""Tapes and files for the tests of interchange; valid without arguments."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

from tapes_app.interchange.call_codec import ImportedCall
from tapes_app.interchange.packed_files import LimitedReader
from tapes_app.interchange.refusals import DEFAULT_LIMITS, ImportLimits
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import read_file
from tapes_app.interchange.tapedata import SourceRow, append_rows


def build_tape_fields(*kinds: str, id: str = "tape-1", **metadata: Any) -> dict[str, Any]:
    """Return the JSON data of a tape with a step for each kind."""
    steps = [
        {
            "metadata": {
                "id": f"s{i}",
                "agent": "team/worker",
                "node": "act",
                "prompt_id": f"p{i}",
            },
            "kind": kind,
            "content": f"words of step {i}",
        }
        for i, kind in enumerate(kinds or ("task", "note"))
    ]
    return {"metadata": {"id": id, **metadata}, "context": None, "steps": steps}


def build_row_columns(**columns: Any) -> dict[str, Any]:
    """Return the columns of a recorded call."""
    prompt_id = columns.get("prompt_id", "p1")
    return {
        "prompt_id": prompt_id,
        "timestamp": "2024-09-25T20:37:02.405080",
        "prompt": {
            "id": prompt_id,
            "tools": None,
            "messages": [{"role": "user", "content": "How many?"}],
        },
        "output": {"content": "Four.", "role": "assistant", "tool_calls": None},
        "prompt_length_tokens": 12,
        "output_length_tokens": 3,
        "cached": 0,
        "llm_info": {"model_name": "tiny", "parameters": {}},
        "cost": 0.00012524999999999998,
        **columns,
    }


def build_row(**columns: Any) -> SourceRow:
    return SourceRow(table="LLMCalls", number=1, columns=build_row_columns(**columns))


def store_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def store_rows(path: Path, *rows: SourceRow) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    append_rows(path, rows)
    return path


def pack(path: Path) -> Path:
    """Return a gzipped copy of a file, beside it."""
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def read_tapes(path: Path, limits: ImportLimits = DEFAULT_LIMITS) -> list[ImportedTape]:
    return [item for item in read_file(path, limits=limits) if isinstance(item, ImportedTape)]


def read_calls(path: Path, limits: ImportLimits = DEFAULT_LIMITS) -> list[ImportedCall]:
    return [item for item in read_file(path, limits=limits) if isinstance(item, ImportedCall)]


def reader_of(content: bytes, limits: ImportLimits = DEFAULT_LIMITS) -> LimitedReader:
    return LimitedReader(io.BytesIO(content), limits)
