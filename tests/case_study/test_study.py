"""Trees, partial dialogues and sizes of the form filler's study, and its commands."""

from pathlib import Path

import pytest

from optimize_app.case_study.dialogues import choose_partial, list_dialogues
from optimize_app.case_study.services.growing import grow_trees, list_branches
from optimize_app.case_study.settings import SIZES, StudySettings, TreeRequest
from optimize_app.case_study.study_folder import add_lines, read_lines
from tapes_app.management.named import find_operator
from tests.commands.running import fail, run, run_json, run_lines

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_dry_run_says_what_it_would_cost_and_does_nothing(tmp_path: Path) -> None:
    lines = run_lines("form_study", str(tmp_path / "study"), "--size", "whole", "--dry-run")

    assert "19,530 dialogues of its trees, and 1,520 more" in lines[0]
    assert "$" in lines[1]
    assert not (tmp_path / "study").exists()


def test_a_command_grows_trees_with_their_measurements(tmp_path: Path) -> None:
    arguments = (str(tmp_path), "--company", "FlyCorp", "--width", "5", "--depth", "2")

    grown = run_json("grow_tree", *arguments)

    assert (grown["continuations"], grown["new"]) == (10, 10)
    assert grown["bytes_per_continuation"] < 10_000
    assert run_json("grow_tree", *arguments)["new"] == 0
    assert "There is no model 'nobody'" in fail(
        "grow_tree", str(tmp_path / "other"), "--teacher", "nobody"
    )
    assert "no company 'NoCorp'" in fail("grow_tree", *arguments[:1], "--company", "NoCorp")
    assert "10 continuations, 0 of them new" in run("grow_tree", *arguments)


def test_partial_dialogues_end_with_a_message_of_their_behaviour(tmp_path: Path) -> None:
    request = TreeRequest(companies=("ShopCorp",), phrases="held_out", width=12, depth=4)
    grow_trees(find_operator(""), request, tmp_path)
    branches = list(list_branches(tmp_path, "ShopCorp"))

    chosen = choose_partial("ShopCorp", branches, 2, 0)

    assert all(one.steps[-1].kind == "user" for one in chosen)
    assert len({one.key for one in chosen}) == len(chosen) > 20
    assert chosen == choose_partial("ShopCorp", branches, 2, 0)
    dialogues = list(list_dialogues(branches))
    assert sum(len(one.scores) for one in dialogues) >= len(branches)


def test_a_line_that_was_cut_is_written_again(tmp_path: Path) -> None:
    file = tmp_path / "arm.jsonl"
    add_lines(file, [{"key": "a"}])
    file.write_text(file.read_text() + '{"key": "b')

    add_lines(file, [{"key": "c"}])

    assert [line["key"] for line in read_lines(file)] == ["a", "c"]


@pytest.mark.parametrize("size", SIZES)
def test_sizes_are_settings(size: str) -> None:
    assert StudySettings.model_validate(SIZES[size]).per_behaviour > 0
