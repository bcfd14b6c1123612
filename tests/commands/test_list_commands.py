"""Lists of tapes, what they have in common, and many tapes changed at once."""

from pathlib import Path

import pytest

from tapes_app.models import LensRecord, TapeRecord
from tests.commands.running import fail, run, run_json, run_lines

pytestmark = pytest.mark.django_db


def test_a_summary_says_what_the_tapes_of_a_query_have_in_common(folder: Path) -> None:
    lines = run_lines("summarise_tapes", "-q", 'batch:"night run"')
    values = run_json("summarise_tapes", "-q", "outcome:pass")

    assert "steps: 2 to 2, median 2, p90 2" in lines
    assert "outcome: fail 1, none 1, pass 1" in lines
    assert lines[-1].startswith("3 tapes, 0 with errors, 50% of 2 judged passed (")
    assert values["summary"]["tape_count"] == 1
    assert "batch" in {facet["name"] for facet in values["facets"]["facets"]}


def test_a_lens_is_saved_looked_by_changed_and_deleted(folder: Path) -> None:
    saved = run("lenses", "save", "Judged", "--query=-outcome:none", "--sort=-task", "--share")
    listed = run_json("list_tapes", "--lens", "Judged")["tapes"]
    LensRecord.objects.update(look={**LensRecord.objects.get().look, "columns": [{"id": "task"}]})
    run("lenses", "save", "Judged", "-q", "outcome:fail", "--unshare")
    shown = run_json("lenses", "list")["lenses"]
    counted = run("summarise_tapes", "--lens", "Judged")
    run("lenses", "delete", "Judged")

    assert saved == "Lens 'Judged' saved."
    assert [tape["task"] for tape in listed] == ["task two", "task one"]
    assert [(lens["is_shared"], lens["look"]["columns"]) for lens in shown] == [
        (False, [{"id": "task"}])
    ]
    assert counted.startswith("1 tape, ")
    assert run("lenses", "list") == "0 lenses."


def test_tapes_are_judged_by_hand_and_a_batch_says_what_it_came_to(folder: Path) -> None:
    before = run("batches", "show", "night run")
    run("judge_tapes", "three", "two", "--outcome", "pass", "--score", "0.5", "--task", "again")
    taken_back = run_json("judge_tapes", "two", "--score", "none", "--outcome", "none")
    after = run_lines("batches", "show", "night run")
    [row] = run_json("batches", "list")["batches"]

    assert before.startswith("night run: 3 tapes, 50% of 2 judged passed (")
    [tape] = taken_back["tapes"]
    assert (tape["task"], tape["outcome"], tape["score"]) == ("again", "", None)
    assert "mean score: 0.5 of 1 tape" in after
    assert (row["passed_count"], row["failed_count"], row["mean_score"]) == (2, 0, 0.5)
    assert row["pass_rate"]["count"] == 2
    assert run_lines("batches", "list")[0].startswith("night run  3 tapes, 0 with errors, 100%")


def test_what_was_done_with_many_tapes_is_taken_back_by_its_id(folder: Path) -> None:
    archived = run_json("change_tapes", "-q", "outcome:pass", "--archive")
    seen = run("list_tapes")
    undone = run("change_tapes", "--undo", archived["undo"])
    split = run_json("change_tapes", "-q", "", "--split", "test")
    tagged = run_json("tag_tapes", "-q", "", "--add", "seen")
    untagged = run("tag_tapes", "--undo", tagged["undo"])

    assert (archived["tapes"], archived["changed"], archived["left_out"]) == (1, 1, {})
    assert seen == "2 tapes."
    assert undone == "Undone on 1 tape."
    assert (split["changed"], tagged["changed"]) == (3, 3)
    assert set(TapeRecord.objects.values_list("split", "archived_at")) == {("test", None)}
    assert untagged == "Undone on 3 tapes."
    assert "can no longer be undone" in fail("tag_tapes", "--undo", tagged["undo"])


@pytest.mark.django_db(transaction=True)
def test_a_transform_is_taken_back_by_its_id(folder: Path) -> None:
    made = run_json(
        "transform_tapes",
        '{"kind": "drop_steps", "step_kinds": ["note"]}',
        "-q",
        "outcome:pass",
        "--batch",
        "short",
    )
    undone = run("transform_tapes", "--undo", made["undo"])

    assert made["tapes"] == 1
    assert undone == "1 tape removed."
    assert run("list_tapes") == "3 tapes."


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("summarise_tapes", "--lens", "none"), "no lens 'none'"),
        (("summarise_tapes", "-q", "agnt:x"), "did you mean 'agent'"),
        (("list_tapes", "--lens", "none"), "no lens 'none'"),
        (("lenses", "save", "x", "-q", "agnt:x"), "did you mean 'agent'"),
        (("lenses", "save", "x", "--sort", "colour"), "cannot be sorted by 'colour'"),
        (("lenses", "delete", "x"), "no lens 'x'"),
        (("batches", "show", "none"), "no batch 'none'"),
        (("judge_tapes", "one"), "Give --outcome"),
        (("judge_tapes", "one", "--score", "good"), "must be a number"),
        (("judge_tapes", "one", "--score", "nan"), "must be a number"),
        (("judge_tapes", "else", "--outcome", "pass"), "no tape 'else'"),
        (("change_tapes", "--pin"), "--query"),
        (("change_tapes", "--undo", "x"), "'x' is not an id"),
        (("tag_tapes", "--undo", "x"), "'x' is not an id"),
        (("transform_tapes",), "--undo"),
    ],
)
def test_a_command_of_lists_that_makes_no_sense_says_why(
    folder: Path, command: tuple[str, ...], words: str
) -> None:
    assert words in fail(*command)
