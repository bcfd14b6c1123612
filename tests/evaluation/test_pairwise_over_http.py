"""A judge compares two variants in both orders: who wins, and how far the order decides."""

import json
import re
from typing import Any

import pytest

from optimize_app.models import ScoreRecord
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.models import LLMCallRecord
from tests.evaluation.bench import MANY_TASKS, RIGHT, WRONG, Bench, bench, of_many_tasks
from tests.evaluation.test_judge_bench_over_http import place_of
from tests.evaluation.test_scoring_over_http import came, score

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def read(prompt: Prompt) -> tuple[int, dict[str, int]]:
    """Return what is expected, and the last number of each of the two."""
    asked = prompt.messages[1].text
    parts = {name: re.findall(rf"<{name}>(.*?)</{name}>", asked, re.DOTALL)[0]
             for name in ("first", "second", "expected_answer")}  # fmt: skip
    numbers = {name: int(re.findall(r"-?\d+", part)[-1]) for name, part in parts.items()}
    return numbers.pop("expected_answer"), numbers


def fair(prompt: Prompt) -> LLMOutput:
    """Prefer what is expected; say nothing of what ends in 0, and of multiples of 3 the first."""
    expected, said = read(prompt)
    if expected % 10 == 0:
        return LLMOutput(content="Hard to say.")
    right = [name for name, number in said.items() if number == expected]
    better = "first" if expected % 3 == 0 else right[0] if len(right) == 1 else "tie"
    return LLMOutput(content=json.dumps({"better": better, "reason": "seen"}))


def start(bench: Bench, **changes: Any) -> tuple[str, dict[str, Any]]:
    """Return a finished sweep whose second variant is right, and a judge of pairs."""
    if "test-pair-judge" not in scripts:
        scripts.add("test-pair-judge", fair)
    job = bench.finished(variants=[bench.vary(WRONG), bench.vary(RIGHT)], **changes)
    model = {"name": "fair", "litellm_model": "script:test-pair-judge"}
    judge = bench.ask("POST", "models", model, 201)["id"]
    return job, {"kind": "pairwise", "model_id": judge, "rubric": "Which answer is right?"}


def expectations(bench: Bench) -> list[int]:
    tapes = bench.ask("GET", f"tapes?q=dataset:math-test&limit={MANY_TASKS}")["items"]
    return [int(bench.ask("GET", f"tapes/{tape['id']}")["expected"]) for tape in tapes]


@of_many_tasks
def test_a_verdict_that_turns_with_the_order_is_not_decided(bench: Bench) -> None:
    job, scorer = start(bench)
    numbers = expectations(bench)
    unread = sum(number % 10 == 0 for number in numbers)
    turned = sum(number % 10 != 0 and number % 3 == 0 for number in numbers)
    before = LLMCallRecord.objects.count()

    report = score(bench, job, scorer)
    shown = bench.ask("GET", f"{place_of(job, report)}/bench")

    assert 0 < turned < MANY_TASKS - unread
    won = MANY_TASKS - unread - turned
    assert came(report) == [(0, 0, MANY_TASKS), (won, 0, unread + turned)]
    assert report["decided_by"]["judge"] == "fair"
    assert report["decided_by"]["words"].startswith("A judge prefers it to the baseline's")
    whys = [cell[0]["why"] for task in report["tasks"] for cell in task["cells"]]
    assert sum(why.startswith("Better: seen") for why in whys) == won
    assert sum("changes with the order" in why for why in whys) == turned
    assert sum(why.startswith("It is the baseline") for why in whys) == MANY_TASKS
    # What cannot be read is asked twice more, in each order.
    assert LLMCallRecord.objects.count() - before == 2 * (MANY_TASKS - unread) + 6 * unread
    bias = shown["position_bias"]
    assert (bias["first_both_times"], bias["second_both_times"]) == (turned, 0)
    assert bias["prefers_first"]["value"] == 1
    assert bias["consistent"]["value"] == pytest.approx(won / (won + turned))
    assert bias["unread"] == unread
    verdicts_in_both_orders(bench, job, report)


def verdicts_in_both_orders(bench: Bench, job: str, report: Any) -> None:
    """Open a verdict in both orders; of one whose calls were deleted it is said."""
    place = f"sweeps/{job}/scorings/{report['decided_by']['scoring_id']}/verdicts"
    won, other = [
        cell[0]["tape_id"]
        for task in report["tasks"]
        for cell in task["cells"]
        if cell[0]["passed"]
    ][:2]

    opened = bench.ask("POST", f"{place}/{won}")["tape_ids"]
    shown = [bench.ask("GET", f"tapes/{tape}/steps")["items"] for tape in opened]
    preferred = [steps[1]["body"]["better"] for steps in shown]
    assert preferred == ["first", "second"]
    assert shown[0][0]["body"] != shown[1][0]["body"]

    score = ScoreRecord.objects.get(tape_id=other)
    LLMCallRecord.objects.filter(id__in=score.earlier_call_ids).delete()
    refused = bench.ask("POST", f"{place}/{other}", expect=409)
    assert refused["code"] == "verdict_gone"
    assert refused["message"].startswith("1 of the 2 LLM calls of this verdict was deleted")
    assert bench.ask("POST", f"{place}/{won}")["tape_ids"] == opened


def test_people_who_compare_the_same_pairs_say_how_far_to_trust_it(bench: Bench) -> None:
    job, scorer = start(bench)
    report = score(bench, job, scorer)
    place = place_of(job, report)
    right = {task["cells"][1][0]["tape_id"] for task in report["tasks"]}
    by_outcome = bench.look(job, "?by=outcome")

    queue = bench.ask("POST", f"{place}/labels", {"name": "pairs", "count": 500}, 201)
    count = 0
    while (item := bench.ask("POST", f"queues/{queue['id']}/next")["assignment"]) is not None:
        better = "left" if item["tape_id"] in right else "right"
        path = f"queues/{queue['id']}/items/{item['item_id']}/answer"
        bench.ask("POST", path, {"values": {"better": better}}, 204)
        count += 1
    shown = bench.ask("GET", f"{place}/bench")

    assert queue["mode"] == "pairwise"
    assert count == shown["judged_count"] == shown["labelled_count"] > 0
    assert shown["labels"] == "Better of two"
    assert shown["bench"]["agreement"]["value"] == 1
    asked = bench.ask("POST", f"{place}/labels", {"name": "more", "count": 1}, 422)
    assert "looked at every attempt" in asked["message"]
    assert bench.look(job, "?by=outcome") == by_outcome


def test_a_run_without_a_baseline_beside_it_costs_nothing(bench: Bench) -> None:
    job, scorer = start(bench)
    report = bench.look(job)
    gone = report["tasks"][0]["cells"][0][0]["tape_id"]
    bench.ask("DELETE", f"tapes/{gone}", expect=204)

    report = score(bench, job, scorer)

    alone = report["tasks"][0]["cells"][1][0]
    assert (alone["passed"], alone["why"][:29]) == (None, "The baseline has no finished ")
