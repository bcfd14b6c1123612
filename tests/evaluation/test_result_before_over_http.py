"""What changes the result of a sweep over HTTP, and that its page then says the result before."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tapes_app.models import TapeRecord
from tests.evaluation.bench import TASKS, Bench, bench
from tests.evaluation.test_scoring_over_http import read, score

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def test_what_a_person_judges_changes_the_report_which_says_its_result_before(bench: Bench) -> None:
    job = bench.finished()
    shown = bench.look(job)
    first, second = (task["cells"][0][0]["tape_id"] for task in shown["tasks"][:2])

    bench.ask("PATCH", f"tapes/{first}", {"outcome": "fail"})
    bench.ask("PATCH", f"tapes/{second}", {"outcome": "", "title": "looked at"})
    bench.ask("PATCH", f"tapes/{second}", {"outcome": "fail"})
    changed = bench.look(job)
    text = read(bench, f"{job}/report.md")
    for tape in (first, second):
        bench.ask("PATCH", f"tapes/{tape}", {"outcome": "pass"})

    assert changed["variants"][0]["passed_count"] == TASKS - 2
    p_value = shown["variants"][1]["p_value"]
    today = datetime.now(UTC).date()
    assert changed["result_before"] == (
        f"Result before: A 100 %, B 0 %, p = {p_value:.3f}, until 2 runs got another outcome, "
        f"from {today} on."
    )
    assert "Result before: A 100 %" in text
    assert bench.look(job)["result_before"] == ""


def test_a_scorer_that_is_asked_again_says_the_result_that_it_gave_before(bench: Bench) -> None:
    job = bench.finished()
    unknown = TapeRecord.objects.filter(parent=None).earliest("id")
    TapeRecord.objects.filter(id=unknown.id).update(expected="")
    number = {"kind": "number", "within": 0}
    once = score(bench, job, number, expected="now")
    TapeRecord.objects.filter(id=unknown.id).update(expected=unknown.expected)

    anew = score(bench, job, number, expected="now")
    same = score(bench, job, number, expected="now")

    def count(report: Any) -> list[tuple[int, int]]:
        return [(one["passed_count"], one["missing_count"]) for one in report["variants"]]

    assert count(once) == [(TASKS - 1, 1), (0, 1)]
    assert count(anew) == count(same) == [(TASKS, 0), (0, 0)]
    assert anew["result_before"] == same["result_before"]
    assert anew["result_before"].startswith("Result before: A 100 %, B 0 %, p = ")
    assert anew["result_before"].endswith(
        "until 2 runs that it could not decide got a score when asked again, from "
        f"{datetime.now(UTC).date()} on."
    )


def test_a_queue_fills_in_what_is_undecided_and_overrules_no_result(bench: Bench) -> None:
    job = bench.finished()
    shown = bench.look(job)
    cells = [task["cells"] for task in shown["tasks"]]
    undecided, decided = cells[0][1][0]["tape_id"], cells[1][1][0]["tape_id"]
    # As a run that could not be compared is: without an outcome.
    TapeRecord.objects.filter(id=undecided).update(outcome="")
    body = {
        "name": "verdicts",
        "preset": "Pass or fail",
        "targets": [{"tape_id": undecided}, {"tape_id": decided}],
        "audit_percent": 0,
    }
    queue = bench.ask("POST", "queues", body, 201)["id"]

    while (item := bench.ask("POST", f"queues/{queue}/next")["assignment"]) is not None:
        path = f"queues/{queue}/items/{item['item_id']}/answer"
        bench.ask("POST", path, {"values": {"passed": True}}, 204)

    after = bench.look(job)
    assert after["variants"][1]["passed_count"] == 1
    assert after["result_before"].startswith("Result before: A 100 %, B 0 %")
    assert "until 1 run got another outcome" in after["result_before"]


def test_a_sweep_that_was_scored_anew_says_the_result_it_had(bench: Bench) -> None:
    job = bench.finished()
    check = {"kind": "check", "check": {"kind": "regex", "pattern": "[0-9]"}}
    anew = score(bench, job, check)

    assert bench.look(job)["result_before"] == ""
    assert [one["score"]["estimate"]["value"] for one in anew["variants"]] == [1, 1]
    assert anew["result_before"].startswith("Result before: A 100 %, B 0 %, p = ")
    assert anew["result_before"].endswith(
        "by what it was started with: The answer is the expected one, or a person says so. "
        f"Of {2 * TASKS} runs, {TASKS} newly pass."
    )
