"""Sweeps decided by a scorer: from the start or afterwards, by a judge, on an older version."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.models import JobRecord, LLMCallRecord, TapeRecord
from tests.commands.running import fail, run, run_lines
from tests.evaluation.bench import MANY_TASKS, RIGHT, TASKS, Bench, bench, of_many_tasks
from tests.jobs.hosting import workers_beside
from tests.waiting import wait_until

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


NO_NUMBER = {"kind": "check", "check": {"kind": "equals", "text": "none"}}


def judge(prompt: Prompt) -> LLMOutput:
    """Give 0.9 to the expected number and 0.2 to others; of numbers that end in 0 say nothing."""
    asked = prompt.messages[1].text
    said, expected = (
        re.findall(r"-?\d+", asked.rpartition(f"<{name}>")[2])[0]
        for name in ("final_answer", "expected_answer")
    )
    if expected.endswith("0"):
        return LLMOutput(content="It depends.")
    score = 0.9 if said == expected else 0.2
    return LLMOutput(content=json.dumps({"score": score, "reason": f"{said} it is"}))


def add_judge(bench: Bench) -> str:
    if "test-exam-judge" not in scripts:
        scripts.add("test-exam-judge", judge)
    body = {"name": "strict", "litellm_model": "script:test-exam-judge"}
    return str(bench.ask("POST", "models", body, 201)["id"])


def score(bench: Bench, job: str, scorer: Any, **request: Any) -> Any:
    """Score a sweep, and return the report by that."""
    path = f"sweeps/{job}/scorings"
    asked = bench.ask("POST", path, {"scorer": scorer, **request}, 202)
    with workers_beside("agents"):
        wait_until(lambda: JobRecord.objects.get(id=asked["id"]).finished_at, "the scoring to end")
    return bench.look(job, f"?by={JobRecord.objects.get(id=asked['id']).result['scoring_id']}")


def read(bench: Bench, path: str) -> str:
    answer = bench.client.get(f"/api/v1/sweeps/{path}")
    pieces = answer.streaming_content  # type: ignore[attr-defined]
    return async_to_sync(collect)(pieces).decode()


async def collect(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


def shown_by_judge(bench: Bench, job: str, scoring: str, cells: list[Any]) -> None:
    """Open a verdict that was read and one that was not, and find both nowhere but in archives."""
    passed, unread = (next(one for one in cells if one["passed"] is said) for said in (True, None))
    place = f"sweeps/{job}/scorings/{scoring}/verdicts"
    before = len(bench.ask("GET", "tapes?limit=100")["items"])

    assert (passed["has_verdict"], unread["has_verdict"]) == (True, True)
    (opened,) = bench.ask("POST", f"{place}/{passed['tape_id']}")["tape_ids"]
    assert bench.ask("POST", f"{place}/{passed['tape_id']}")["tape_ids"] == [opened]
    (other,) = bench.ask("POST", f"{place}/{unread['tape_id']}")["tape_ids"]

    steps = bench.ask("GET", f"tapes/{opened}/steps")["items"]
    assert [step["kind"] for step in steps] == ["user", "judge_score"]
    assert "<final_answer>" in steps[0]["body"]["content"]
    assert steps[1]["body"]["score"] == 0.9
    asked = bench.ask("GET", f"tapes/{opened}/steps/1/call")
    assert asked["model_name"] == "script:test-exam-judge"
    tape = bench.ask("GET", f"tapes/{opened}")
    assert (tape["agent_name"], tape["is_archived"]) == ("judge by rubric", True)
    assert tape["metadata"]["judged_tape_id"] == passed["tape_id"]
    again = [step["kind"] for step in bench.ask("GET", f"tapes/{other}/steps")["items"]]
    assert again == ["user", *["llm_output_parsing_failure_action", "set_next_node"] * 3]
    assert len(bench.ask("GET", "tapes?limit=100")["items"]) == before
    assert len(bench.ask("GET", "tapes?q=is:archived")["items"]) == 2
    nobody = bench.ask("POST", f"{place}/{job}", expect=404)["message"]
    assert nobody.startswith("No judge was asked about this run")


def came(report: Any) -> list[tuple[int, int, int]]:
    names = ("passed_count", "failed_count", "missing_count")
    return [tuple(one[name] for name in names) for one in report["variants"]]


def test_a_finished_sweep_is_scored_anew_without_a_run(bench: Bench) -> None:
    job = bench.finished()
    runs = JobRecord.objects.filter(kind="run").count()

    number = score(bench, job, {"kind": "number", "within": 0})
    words = score(bench, job, {"kind": "check", "check": {"kind": "regex", "pattern": "[0-9]"}})
    plain = bench.look(job)

    assert came(plain) == [(TASKS, 0, 0), (0, TASKS, 0)]
    assert came(number) == [(TASKS, 0, 0), (0, TASKS, 0)]
    assert came(words) == [(TASKS, 0, 0), (TASKS, 0, 0)]
    assert JobRecord.objects.filter(kind="run").count() == runs
    assert plain["decided_by"]["scoring_id"] is None
    assert [one["words"] for one in plain["scorings"]] == [
        "The last number is the expected one.",
        "The final text matches '[0-9]'.",
    ]
    assert number["decided_by"] == plain["scorings"][0]
    by = number["decided_by"]["scoring_id"]
    text = read(bench, f"{job}/report.md?by={by}")
    assert "Decided by: The last number is the expected one." in text


@of_many_tasks
def test_a_verdict_that_cannot_be_read_is_missing_and_is_asked_again(bench: Bench) -> None:
    job = bench.start(scoring={
        "scorer": {"kind": "judge", "model_id": add_judge(bench), "rubric": "Is it right?"}
    })  # fmt: skip

    shown = bench.finish(job)

    expected = TapeRecord.objects.filter(parent=None).values_list("expected", flat=True)
    unread = sum(answer.endswith("0") for answer in expected)
    assert 0 < unread < MANY_TASKS
    assert came(shown) == [(MANY_TASKS - unread, 0, unread), (0, MANY_TASKS - unread, unread)]
    by = shown["decided_by"]
    assert (by["judge"], by["words"]) == ("strict", "A judge gives 0.5 or more by the rubric.")
    assert (by["scored_count"], by["not_scored_count"]) == (2 * (MANY_TASKS - unread), 2 * unread)
    assert by["tokens"] > 0
    right, wrong = shown["variants"]
    assert right["mean_value"]["estimate"]["value"] == pytest.approx(0.9)
    assert wrong["mean_value"]["estimate"]["value"] == pytest.approx(0.2)
    cells = [one for task in shown["tasks"] for cell in task["cells"] for one in cell]
    whys = {one["passed"]: one["why"] for one in cells}
    assert "The judge gave no judgment" in whys[None]
    assert whys[True].endswith(" it is")
    shown_by_judge(bench, job, by["scoring_id"], cells)
    calls = LLMCallRecord.objects.filter(model_name="script:test-exam-judge").count()
    again = score(bench, job, by["scorer"])
    assert came(again) == came(shown)
    assert LLMCallRecord.objects.filter(model_name="script:test-exam-judge").count() > calls
    assert came(bench.look(job, "?by=outcome")) == [(MANY_TASKS, 0, 0), (0, MANY_TASKS, 0)]


def test_what_is_added_to_a_sweep_is_scored_too(bench: Bench) -> None:
    job = bench.start(scoring={"scorer": NO_NUMBER})
    bench.finish(job)

    bench.amend(job, repeats=1)
    shown = bench.finish(job)

    assert came(shown) == [(0, 2 * TASKS, 0), (0, 2 * TASKS, 0)]


def test_a_sweep_says_on_which_version_it_stands_and_may_take_an_older_one(bench: Bench) -> None:
    first = bench.start(name="first")
    bench.finish(first)
    (dataset,) = bench.ask("GET", "datasets")["items"]
    task = TapeRecord.objects.filter(parent=None).order_by("id")[0]
    bench.ask("PATCH", f"tapes/{task.id}", {"expected": "none of them"})
    removed = TapeRecord.objects.filter(parent=None).order_by("id")[1]
    bench.ask("POST", f"datasets/{dataset['id']}/remove", {"tape_ids": [str(removed.id)]})

    second = bench.start(name="second")
    now = bench.finish(second)
    old = bench.start(name="old", q="dataset:math-test@1")
    then = bench.finish(old)
    rescored = score(bench, old, {"kind": "answer"}, expected="now")

    def stands(report: Any) -> Any:
        return [(one["dataset"], one["version"]) for one in report["sweep"]["stands_on"]]

    assert stands(bench.look(first)) == [("math-test", 1)]
    assert (stands(now), stands(then)) == ([("math-test", 2)], [("math-test", 1)])
    assert came(now) == [(TASKS - 2, 1, 0), (0, TASKS - 1, 0)]
    # Its version expects what it did: the answer that was changed since does not count.
    assert came(then) == [(TASKS, 0, 0), (0, TASKS, 0)]
    assert came(rescored) == [(TASKS - 1, 1, 0), (0, TASKS, 0)]
    assert "no version 9" in bench.ask(
        "POST", "sweeps", bench.describe(name="x", q="dataset:math-test@9"), 404
    )["message"]  # fmt: skip


def test_a_scorer_that_could_score_nothing_starts_nothing(bench: Bench) -> None:
    job = bench.start()

    path = f"sweeps/{job}/scorings"
    wrong = {"kind": "check", "check": {"kind": "regex", "pattern": "("}}
    gone = {"kind": "judge", "model_id": job, "rubric": "Is it?"}

    assert "missing )" in bench.ask("POST", path, {"scorer": wrong}, 422)["message"]
    assert "missing )" in bench.ask("POST", f"{path}/check", {"scorer": wrong}, 422)["message"]
    bench.ask("POST", f"{path}/check", {"scorer": gone}, 404)
    bench.ask("POST", f"{path}/check", {"scorer": {"kind": "contains"}}, 204)
    bench.ask("POST", path, {"scorer": gone}, 404)
    bench.ask("POST", "sweeps", bench.describe(name="x", scoring={"scorer": gone}), 404)
    bench.ask("GET", f"sweeps/{job}?by={job}", expect=404)
    assert bench.look(job)["scorings"] == []
    assert not JobRecord.objects.filter(kind="scoring").exists()


def test_the_commands_decide_by_a_scorer(bench: Bench) -> None:
    job = bench.finished()

    lines = run_lines("score_sweep", job, "--scorer", '{"kind": "differs"}')

    assert (
        lines[-2]
        == "Decided by: The final text is not the expected answer. Tasks are of math-test@1."
    )
    assert "is not JSON" in fail("score_sweep", job, "--scorer", "contains")
    assert "Input tag" in fail("score_sweep", job, "--scorer", '{"kind": "guess"}')
    words = run_lines(
        "evaluate", "by words", "-q", "dataset:math-test", "--agent", "math",
        "--scorer", '{"kind": "number", "within": 1000000}',
    )  # fmt: skip
    assert "Decided by: The last number is the expected one (within 1e+06)." in words[-2]
    assert run("datasets", "versions", "math-test") == "1 version."


def test_a_judge_spends_of_the_budget_and_goes_on_when_that_is_larger(bench: Bench) -> None:
    judged = {"scorer": {"kind": "judge", "model_id": add_judge(bench), "rubric": "Is it right?"}}
    only = [bench.vary(RIGHT)]
    plain = bench.start(name="plain", variants=only)
    calls = sum(one["llm_call_count"] for one in bench.finish(plain)["variants"])

    budget = {"calls": calls + 3}
    job = bench.start(variants=only, scoring=judged, budget=budget)
    shown = bench.finish(job)

    told = shown["decided_by"]
    assert 1 <= told["scored_count"] + told["not_scored_count"] <= 3
    assert shown["variants"][0]["missing_count"] >= TASKS - 3
    assert "budget" in shown["sweep"]["message"]
    refused = bench.ask("POST", f"sweeps/{job}/scorings", judged, 409)
    assert refused["code"] == "budget_used_up"
    assert "larger budget under Add to it" in refused["message"]

    runs = JobRecord.objects.filter(kind="run").count()
    bench.amend(job, budget={"calls": calls + 100})
    shown = bench.finish(job)

    told = shown["decided_by"]
    assert told["scored_count"] + told["not_scored_count"] == TASKS
    assert JobRecord.objects.filter(kind="run").count() == runs
    plan = {"budget": {"micro_usd": 1_000_000}}
    dear = {"name": "dear", "litellm_model": "openai/nobody-knows", "api_key": "k"}
    model = bench.ask("POST", "models", dear, 201)["id"]
    bench.amend(job, **plan)
    asked = {"scorer": {"kind": "judge", "model_id": model, "rubric": "?"}}
    assert bench.ask("POST", f"sweeps/{job}/scorings", asked, 422)["code"] == "price_unknown"


def test_a_scoring_that_is_asked_for_twice_is_started_and_paid_once(bench: Bench) -> None:
    job = bench.finished(variants=[bench.vary(RIGHT)])
    scorer = {"kind": "judge", "model_id": add_judge(bench), "rubric": "Is it right?"}
    calls = LLMCallRecord.objects.count()
    path = f"sweeps/{job}/scorings"

    first = bench.ask("POST", path, {"scorer": scorer}, 202)
    second = bench.ask("POST", path, {"scorer": scorer}, 202)
    other = bench.ask("POST", path, {"scorer": NO_NUMBER}, 202)
    report = score(bench, job, scorer)

    assert first["id"] == second["id"] != other["id"]
    told = report["decided_by"]
    assert told["scored_count"] + told["not_scored_count"] == TASKS
    # What cannot be read is asked twice more.
    paid = LLMCallRecord.objects.count() - calls
    assert paid == told["scored_count"] + 3 * told["not_scored_count"]
