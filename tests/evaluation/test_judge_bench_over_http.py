"""A judge beside people over HTTP: agreement, the corrected score, and a queue of what helps."""

import json
import re
from typing import Any

import pytest

from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tests.evaluation.bench import MANY_TASKS, Bench, bench, of_many_tasks
from tests.evaluation.test_scoring_over_http import score

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def lenient(prompt: Prompt) -> LLMOutput:
    """Let pass what is right, and one in five of what is wrong."""
    said, expected = (
        re.findall(r"-?\d+", prompt.messages[1].text.rpartition(f"<{name}>")[2])[0]
        for name in ("final_answer", "expected_answer")
    )
    passes = said == expected or not int(said) % 5
    return LLMOutput(content=json.dumps({"score": float(passes), "reason": "seen"}))


def prepare(bench: Bench, *, repeats: int = 2) -> tuple[str, Any]:
    """Return a sweep that a lenient judge has scored, and its report."""
    if "test-lenient-judge" not in scripts:
        scripts.add("test-lenient-judge", lenient)
    job = bench.finished(repeats=repeats)
    body = {"name": "lenient", "litellm_model": "script:test-lenient-judge"}
    model = bench.ask("POST", "models", body, 201)["id"]
    return job, score(bench, job, {"kind": "judge", "model_id": model, "rubric": "Is it right?"})


def place_of(job: str, report: Any) -> str:
    return f"sweeps/{job}/scorings/{report['decided_by']['scoring_id']}"


def label(bench: Bench, queue: str, wrong: set[str], *, turned: bool = False) -> int:
    """Answer all of a queue as people do who know what is right; return how many that was."""
    count = 0
    while (item := bench.ask("POST", f"queues/{queue}/next")["assignment"]) is not None:
        passes = (item["tape_id"] not in wrong) != turned
        path = f"queues/{queue}/items/{item['item_id']}/answer"
        bench.ask("POST", path, {"values": {"passed": passes}}, 204)
        count += 1
    return count


def wrong_tapes(report: Any) -> set[str]:
    """The attempts of the variant that always errs."""
    return {one["tape_id"] for task in report["tasks"] for one in task["cells"][1]}


@of_many_tasks
def test_a_judge_is_measured_and_corrected_by_the_labels_of_a_queue(bench: Bench) -> None:
    job, report = prepare(bench)
    place = place_of(job, report)
    before = bench.ask("GET", f"{place}/bench")

    queue = bench.ask("POST", f"{place}/labels", {"name": "to label", "count": 24}, 201)
    asked = bench.ask("GET", f"queues/{queue['id']}/items")["items"]
    label(bench, queue["id"], wrong_tapes(report))
    after = bench.ask("GET", f"{place}/bench?half_width=0.2")

    assert (before["bench"], before["corrected"], before["labelled_count"]) == (None, None, 0)
    assert "independent tasks" in before["refusal"]
    starts = {one["tape_id"]: task["start_id"] for task in report["tasks"]
              for cell in task["cells"] for one in cell}  # fmt: skip
    drawn = [starts[item["tape_id"]] for item in asked]
    # Every task twice before any a third time.
    assert sorted(drawn.count(task) for task in set(drawn)) == [2] * MANY_TASKS
    assert (after["judged_count"], after["labelled_count"]) == (48, 24)
    confusion = after["bench"]["confusion"]
    assert confusion["only_human"] == 0
    cells = [(one["judge_passed"], one["human_passed"]) for one in after["labelled"]]
    assert (cells.count((True, True)), cells.count((True, False)), cells.count((False, False))) == (
        confusion["both"], confusion["only_judge"], confusion["neither"],
    )  # fmt: skip
    assert {one["name"][0] for one in after["labelled"] if one["human_passed"]} == {"A"}
    assert {one["why"] for one in after["labelled"]} == {"seen"}
    assert confusion["both"] + confusion["only_judge"] + confusion["neither"] == 24
    assert after["bench"]["sensitivity"]["value"] == 1
    assert 0 < after["bench"]["kappa"]["value"] <= 1
    corrected = after["corrected"]
    assert (corrected["labels"], corrected["unlabelled"], after["refusal"]) == (24, 24, "")
    assert corrected["prediction_powered"]["low"] < 0.5 < corrected["prediction_powered"]["high"]
    assert corrected["human_only"]["count"] == 24
    # Which one it is depends on the attempts that were drawn; it is never the wider one.
    reported, people = corrected[corrected["reported"]], corrected["human_only"]
    assert reported["high"] - reported["low"] <= people["high"] - people["low"]
    assert after["needed"]["labels_now"] == 24


@of_many_tasks
def test_labels_that_check_a_judge_leave_the_result_of_the_sweep_alone(bench: Bench) -> None:
    job, report = prepare(bench)
    place = place_of(job, report)
    before = bench.look(job, "?by=outcome")

    # 26 answers of a person who errs, and again where judge and outcome differ.
    queue = bench.ask("POST", f"{place}/labels", {"name": "to label", "count": 26}, 201)
    assert queue["rubric_name"] == "Judge check"
    assert label(bench, queue["id"], wrong_tapes(report), turned=True) == 26
    disputed = {"name": "again", "count": 500, "disagreement": "outcome"}
    second = bench.ask("POST", f"{place}/labels", disputed, 201)
    assert label(bench, second["id"], wrong_tapes(report), turned=True) > 0

    after = bench.look(job, "?by=outcome")
    assert [one["sentence"] for one in after["variants"]] == [
        one["sentence"] for one in before["variants"]
    ]
    assert (after["variants"], after["tasks"]) == (before["variants"], before["tasks"])
    assert after["result_before"] == ""
    assert bench.ask("GET", f"{place}/bench")["labelled_count"] == 26


def test_a_rubric_that_sets_outcomes_checks_no_judge(bench: Bench) -> None:
    job, report = prepare(bench, repeats=1)
    passed = {"kind": "binary", "key": "passed", "question": "Passed?", "sets_outcome": True}
    rubric = {"name": "Judge check", "rubric": {"items": [passed]}}
    bench.ask("POST", "rubrics", rubric, 201)

    asked = {"name": "to label", "count": 4}
    refused = bench.ask("POST", f"{place_of(job, report)}/labels", asked, 409)

    assert "sets the outcome of tapes" in refused["message"]
    assert bench.ask("GET", "queues")["items"] == []


@of_many_tasks
def test_a_judge_that_is_no_better_than_chance_corrects_nothing(bench: Bench) -> None:
    job, report = prepare(bench)
    place = place_of(job, report)
    queue = bench.ask("POST", f"{place}/labels", {"name": "to label", "count": 24}, 201)

    label(bench, queue["id"], wrong_tapes(report), turned=True)
    shown = bench.ask("GET", f"{place}/bench")

    assert (shown["corrected"], shown["needed"]) == (None, None)
    assert "not shown to be better than chance" in shown["refusal"]
    assert shown["bench"]["kappa"]["value"] < 0


@of_many_tasks
def test_what_people_have_seen_is_not_asked_again(bench: Bench) -> None:
    job, report = prepare(bench)
    place = place_of(job, report)
    first = bench.ask("POST", f"{place}/labels", {"name": "first", "count": 500}, 201)

    seen = label(bench, first["id"], wrong_tapes(report))
    again = bench.ask("POST", f"{place}/labels", {"name": "again", "count": 5}, 422)

    assert seen == 4 * MANY_TASKS
    assert "looked at every attempt" in again["message"]
    assert "nothing to correct" in bench.ask("GET", f"{place}/bench")["refusal"]


@of_many_tasks
def test_what_two_say_otherwise_of_is_put_into_a_queue_that_measures_nothing(bench: Bench) -> None:
    job, report = prepare(bench, repeats=1)
    place = place_of(job, report)
    score(bench, job, {"kind": "check", "check": {"kind": "regex", "pattern": "[0-9]"}})
    wrong = wrong_tapes(report)
    passed = {one["tape_id"] for task in report["tasks"] for cell in task["cells"] for one in cell
              if one["passed"]}  # fmt: skip
    told = {one["key"]: one for one in bench.ask("GET", f"{place}/disagreements")}
    counts = {one["words"]: one["attempt_count"] for one in told.values()}

    # The judge lets pass what is right and some of what is wrong; the pattern lets pass all.
    refused = len(wrong - passed)
    assert counts == {
        "The outcome of the tape says otherwise.": len(wrong & passed),
        "Otherwise by: The final text matches '[0-9]'.": refused,
        "Of A and B one passes and the other fails.": 2 * refused,
    }
    asked = {"name": "look again", "count": 500, "disagreement": "outcome"}
    # As a project has it that kept the rubric when it still set outcomes.
    outcomes = bench.ask("GET", "rubrics/presets")["items"]
    old = next(one["rubric"] for one in outcomes if one["name"] == "Pass or fail")
    bench.ask("POST", "rubrics", {"name": "Second look", "rubric": old}, 201)
    queue = bench.ask("POST", f"{place}/labels", asked, 201)
    assert queue["rubric_name"] == "Second opinion"
    items = bench.ask("GET", f"queues/{queue['id']}/items")["items"]
    assert {item["tape_id"] for item in items} == wrong & passed

    filled = bench.ask("POST", f"{place}/labels", {**asked, "disagreement": "A-B"}, 201)
    assert (filled["id"], filled["item_count"]) == (queue["id"], len(wrong & passed) + 2 * refused)
    assert label(bench, queue["id"], wrong) == filled["item_count"]
    after = bench.ask("GET", f"{place}/bench")
    assert (after["labelled_count"], after["bench"]) == (0, None)
    gone = bench.ask("POST", f"{place}/labels", {**asked, "disagreement": "B-C"}, 404)
    assert "no such disagreement" in gone["message"]
    taken = bench.ask("POST", f"{place}/labels", {"name": "look again", "count": 1}, 409)
    assert "asks 'Second opinion'" in taken["message"]
