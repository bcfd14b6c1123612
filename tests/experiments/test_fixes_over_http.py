"""Several fixes and the recorded tape in one experiment: which works, how sure, and for whom."""

from typing import Any

import pytest

from tapes_app.models import ExperimentRecord, TapeRecord
from tests.experiments.lab import ASKED, HINTED, Lab

pytestmark = pytest.mark.django_db(transaction=True)

IS_42 = {"kind": "number", "value": 42}


def counts(experiment: Any) -> dict[str, tuple[int, int]]:
    return {
        side["arm"]: (side["group"]["passed"], side["group"]["judged"])
        for side in experiment["summary"]["arms"]
    }


def test_three_fixes_and_the_baseline_are_one_grid_that_says_which_works(lab: Lab) -> None:
    lab.edit("What is 6 * 8?")
    lab.edit(fix="B")
    lab.edit("Guess.", fix="C")

    experiment = lab.run(arms=["original", "A", "B", "C"], repeats=5, check=IS_42)

    assert counts(experiment) == {"original": (0, 5), "A": (0, 5), "B": (5, 5), "C": (0, 5)}
    summary = experiment["summary"]
    assert summary["finding"] == (
        "B passes 5 of 5, the baseline 0 of 5: 99 % sure that B is better."
    )
    assert summary["best"] == "B"
    assert experiment["row"]["arm_words"]["A"] == '#0 content: "…is 6 * 7?" → "…is 6 * 8?"'
    drafts = lab.ask("GET", f"tapes/{lab.tape}/fixes")
    assert [(draft["fix"], draft["applied_count"]) for draft in drafts] == [
        ("A", 1), ("B", 1), ("C", 1),
    ]  # fmt: skip


def test_each_fix_begins_behind_its_own_edit_and_the_baseline_before_the_earliest(lab: Lab) -> None:
    lab.tape = lab.add_tape("Hello.", ASKED, "And be brief.")
    lab.edit(position=1)
    lab.edit("Be kind, step by step.", fix="C", position=2)

    experiment = lab.start(arms=["original", "A", "C"], repeats=1)

    begun = {
        branch["arm"]: (branch["kept_count"], branch["recorded_count"])
        for branch in experiment["branches"]
    }
    assert begun == {"original": (2, 2), "A": (2, 2), "C": (3, 3)}


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        (["original", "A", "B"], "Fix B of this tape changes nothing"),
        (["A", "D"], "Fix D: Edit 1 (replace) is at step 9"),
        (["edited", "A"], "“edited” is fix A"),
        (["A", "J"], "Input should be"),
    ],
)
def test_a_fix_that_cannot_run_is_named_and_nothing_is_made(
    lab: Lab, arms: list[str], said: str
) -> None:
    lab.edit()
    lab.edit(fix="D", position=9)

    refused = lab.start(expect=422, arms=arms)
    checked = lab.check(expect=422, arms=arms)

    assert said in str(refused)
    assert checked == refused
    assert ExperimentRecord.objects.count() == 0
    assert TapeRecord.objects.count() == 1


def test_a_verdict_never_overwrites_what_a_tape_says_of_itself(lab: Lab) -> None:
    experiment = lab.run(repeats=2, check=IS_42)
    own, told = (branch["tape_id"] for branch in experiment["branches"])
    lab.ask("PATCH", f"tapes/{lab.tape}", {"outcome": "pass"})
    lab.ask("PATCH", f"tapes/{own}", {"outcome": "pass", "score": 0.7})
    path = f"experiments/{experiment['row']['id']}"

    lab.ask("POST", f"{path}/check", {"check": {"kind": "contains", "text": "24"}})
    lab.work()
    lab.ask("PATCH", f"{path}/branches/0", {"passed": False})

    tapes = [lab.ask("GET", f"tapes/{tape}") for tape in (lab.tape, own, told)]
    assert [(tape["outcome"], tape["score"]) for tape in tapes] == [
        ("pass", None), ("pass", 0.7), ("pass", 1),
    ]  # fmt: skip
    assert [branch["passed"] for branch in lab.show(experiment)["branches"]] == [False, True]


def test_a_name_is_what_the_experiment_calls_a_fix(lab: Lab) -> None:
    body = {
        "version": 0,
        "operations": [
            {"op": "replace", "position": 0, "step": {"kind": "user", "content": HINTED}}
        ],
        "applied_count": 1,
        "name": "Ask for steps",
    }
    lab.ask("PUT", f"tapes/{lab.tape}/draft?fix=B", body)

    experiment = lab.start(arms=["B"], repeats=1)

    assert experiment["row"]["arm_words"] == {"B": "Ask for steps"}


def test_the_branch_map_tells_what_each_branch_is_and_came_to(lab: Lab) -> None:
    lab.edit(fix="B")
    experiment = lab.run(arms=["original", "B"], repeats=1, check=IS_42)

    family = lab.ask("GET", f"tapes/{lab.tape}/family")["items"]

    branches = [one for one in family if one["branch"] is not None]
    words = experiment["row"]["arm_words"]["B"]
    assert [
        (one["branch"]["arm"], one["branch"]["number"], one["branch"]["words"], one["outcome"])
        for one in sorted(branches, key=lambda one: one["branch"]["number"])
    ] == [("original", 0, "", "fail"), ("B", 1, words, "pass")]
    assert {one["branch"]["experiment_id"] for one in branches} == {experiment["row"]["id"]}
    (revision,) = [one for one in family if one["id"] == experiment["row"]["revision_id"]]
    assert revision["edit_words"] == words
    assert all(one["models"] for one in branches)
