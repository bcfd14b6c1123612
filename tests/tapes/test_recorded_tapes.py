"""Recorded tapes of another studio, stored and read back."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.tape.tape import Tape
from tapes_app.library.store.lists import list_tapes
from tapes_app.tapes.store.headers import load_outline
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import NewTape, save_tapes
from tests.recordings import RECORDINGS

pytestmark = pytest.mark.django_db


def test_every_recorded_tape_comes_back_as_it_was(project_id: UUID) -> None:
    tapes = [Tape.model_validate(value) for value in _read_tapes()]
    assert tapes

    ids = save_tapes(project_id, [NewTape(tape) for tape in tapes], writer="import")

    for tape_id, tape in zip(ids, tapes, strict=True):
        assert load_tape(tape_id, project_id, as_source=True).to_json() == tape.to_json()
        outline = load_outline(tape_id, project_id)
        assert [row.kind for row in outline] == [step.kind for step in tape]
    rows = list_tapes(project_id, limit=200).items
    assert all(row.title for row in rows)


def _read_tapes() -> Iterator[dict[str, Any]]:
    for path in [path for folder in RECORDINGS for path in sorted(folder.rglob("*.json"))]:
        value = json.loads(path.read_text())
        for tape in value if isinstance(value, list) else [value]:
            if isinstance(tape, dict) and isinstance(tape.get("steps"), list):
                yield {key: tape[key] for key in ("metadata", "context", "steps") if key in tape}
