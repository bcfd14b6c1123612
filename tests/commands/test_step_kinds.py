"""Families of unknown step kinds, by the command line."""

from pathlib import Path

import pytest

from tapes_app.models import StepRecord
from tests.commands.running import fail, run, run_json, run_lines
from tests.interchange.builders import build_tape_fields, store_json

pytestmark = pytest.mark.django_db


def families_of_kind(kind: str) -> set[str]:
    return set(StepRecord.objects.filter(kind=kind).values_list("family", flat=True))


def test_a_kinds_family_is_listed_set_and_reset(folder: Path) -> None:
    before = run_lines("step_kinds", "list")
    said = run("step_kinds", "set", "note", "action")
    listed = run_json("step_kinds", "list")["kinds"]
    told = families_of_kind("note")
    back = run("step_kinds", "reset", "note")

    assert before[-1] == "2 kinds."
    assert "note  thought, guessed, 3 steps" in before
    assert said == "The family of 'note' is action now; 3 steps changed."
    assert {"kind": "note", "family": "action", "is_told": True, "step_count": 3} in listed
    assert told == {"action"}
    assert back == "The family of 'note' is guessed again; 3 steps changed."
    assert families_of_kind("note") == {"thought"}


def test_a_later_import_has_the_family_that_was_set(folder: Path) -> None:
    run("step_kinds", "set", "note", "control")
    store_json(folder / "late" / "late.json", build_tape_fields("task", "note", id="late"))

    run("import_tapes", str(folder / "late"))

    assert StepRecord.objects.filter(kind="note").count() == 4
    assert families_of_kind("note") == {"control"}


def test_a_kind_is_said_to_end_its_tape(folder: Path) -> None:
    said = run("step_kinds", "set", "note", "stop")

    assert said == "The family of 'note' is an action that ends the tape now; 3 steps changed."
    assert families_of_kind("note") == {"action"}


def test_a_known_kind_is_not_set(folder: Path) -> None:
    assert fail("step_kinds", "set", "user", "thought").startswith("The studio knows 'user'")
