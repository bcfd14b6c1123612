"""What every test of commands starts from: a batch of three tapes, two of which were judged."""

from pathlib import Path

import pytest

from tests.commands.running import run
from tests.interchange.builders import build_tape_fields, store_json


@pytest.fixture
def folder(tmp_path: Path, db: None) -> Path:
    """Tapes `one` (passed), `two` (failed) and `three`, imported as the batch "night run"."""
    said = {"one": {"correct": True}, "two": {"correct": False}, "three": {}}
    for name, metadata in said.items():
        fields = build_tape_fields("task", "note", id=name, task=f"task {name}", **metadata)
        store_json(tmp_path / "night run" / f"{name}.json", fields)
    run("import_tapes", str(tmp_path / "night run"))
    return tmp_path
