"""Commands take the beginning of an id where it is unambiguous."""

from pathlib import Path
from uuid import UUID

import pytest

from tapes_app.models import ProjectRecord, TapeRecord
from tests.commands.running import fail, run, run_json

pytestmark = pytest.mark.django_db(transaction=True)


def store_tapes(count: int, *, beginning: str) -> None:
    project = ProjectRecord.objects.get()
    for number in range(count):
        tape_id = UUID(f"{beginning}{number:0{32 - len(beginning)}}")
        TapeRecord.objects.create(id=tape_id, project=project, title=f"tape {number}")


def test_the_beginning_of_a_tapes_id_is_enough(folder: Path) -> None:
    one, other = (row["id"] for row in run_json("list_tapes")["tapes"][:2])

    for given in (one[:6], one[:8].upper(), one[:13], one):
        assert run("judge_tapes", given, "--outcome", "pass").startswith("1 tape")

    assert run("diff_tapes", one[:8], one).startswith("Equal")
    assert "There is no tape" in fail("judge_tapes", one[:5], "--outcome", "pass")
    assert "There is no tape" in fail("judge_tapes", "not-hex", "--outcome", "pass")
    assert other != one


def test_an_ambiguous_beginning_lists_up_to_five(folder: Path) -> None:
    store_tapes(7, beginning="abcdef12")

    said = fail("judge_tapes", "ABCDEF", "--outcome", "pass")

    assert said.startswith("'ABCDEF' matches several tapes: abcdef12-0000-")
    assert said.count("abcdef12-") == 5
    assert said.endswith(" and others.")


def test_the_id_of_a_file_comes_before_the_beginning_of_another(folder: Path) -> None:
    store_tapes(1, beginning="abcdef12")
    TapeRecord.objects.filter(source_id="three").update(source_id="abcdef12")

    assert run_json("judge_tapes", "abcdef12", "--outcome", "pass")["tapes"][0]["tape"] != (
        "abcdef12-0000-0000-0000-000000000000"
    )


def test_changes_datasets_and_notes_take_the_beginning_of_their_ids(folder: Path) -> None:
    undo = run_json("tag_tapes", "-q", "", "--add", "seen")["undo"]
    assert "Undone on 3 tapes" in run("tag_tapes", "--undo", undo[:8])

    tape = run_json("list_tapes")["tapes"][0]["id"]
    note = run_json("annotations", "add", tape[:8], "--note", "well done")["id"]
    assert "deleted" in run("annotations", "delete", tape[:8], note[:8])

    run("datasets", "create", "kept")
    dataset = run_json("datasets", "delete", "kept")["id"]
    assert "restored" in run("datasets", "restore", dataset[:8])
    assert "is not an id" in fail("datasets", "restore", dataset[:5])
    assert "There is no dataset" in fail("datasets", "restore", "abcdef12")
