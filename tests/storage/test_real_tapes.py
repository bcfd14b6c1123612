"""Recorded tapes of another studio, stored and read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.tape import Tape
from tapes_app.storage.tapes import NewTape, list_tapes, load_outline, load_tape, save_tapes

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_every_recorded_tape_comes_back_as_it_was(project: UUID, shared_data: Path) -> None:
    tapes = [Tape.model_validate(value) for value in _read_tapes(shared_data)]
    assert tapes

    ids = save_tapes(project, [NewTape(tape) for tape in tapes], writer="import")

    for tape_id, tape in zip(ids, tapes, strict=True):
        assert load_tape(tape_id, project, as_source=True).to_json() == tape.to_json()
        outline = load_outline(tape_id, project)
        assert [row.kind for row in outline] == [step.kind for step in tape]
    rows = list_tapes(project, limit=200).items
    assert all(row.title for row in rows)


def _read_tapes(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((folder / "tapeagents").rglob("*.json")):
        value = json.loads(path.read_text())
        for tape in value if isinstance(value, list) else [value]:
            if isinstance(tape, dict) and isinstance(tape.get("steps"), list):
                yield {key: tape[key] for key in ("metadata", "context", "steps") if key in tape}
