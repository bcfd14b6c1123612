"""Teacher-forced tests: at each place of a good tape, is the next step the recorded one?"""

from typing import Any

import pytest

from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.check_kinds import NextStepCheck
from tapes_app.experiments.domain.checks import Ended, decide
from tests.commands.running import run_json
from tests.evaluation.bench import RIGHT
from tests.evaluation.test_report_files import read
from tests.evaluation.test_suites_over_http import SuiteBench, bench

__all__ = ["bench"]

CALL = {"name": "add", "arguments": {"a": 1, "b": 2}}


def calling(*functions: Any) -> ToolCalls:
    return ToolCalls.model_validate({"tool_calls": [{"function": each} for each in functions]})


@pytest.mark.parametrize(
    ("came", "score", "why"),
    [
        (calling(CALL), 1, "as recorded"),
        (calling({"name": "add", "arguments": '{"b": 2.0, "a": 1}'}), 1, "as recorded"),
        (calling({"name": "add", "arguments": {"a": 1, "b": 3}}), 2 / 3, "'b' is 3 and not 2"),
        (calling({"name": "add", "arguments": {"a": 1}}), 2 / 3, "'b' is missing"),
        (calling({"name": "add", "arguments": "nonsense"}), 2 / 3, "arguments are not"),
        (calling({"name": "take", "arguments": CALL["arguments"]}), 1 / 3, "the tool is 'take'"),
        (calling(CALL, CALL), 1 / 3, "the tool is 'add, add'"),
        (AssistantStep(content="3"), 0, "The kind is 'assistant' and not 'add'"),
        (None, 0, "There is no action"),
    ],
)
def test_kind_tool_and_arguments_are_told_apart(came: Any, score: float, why: str) -> None:
    check = NextStepCheck(step_kind="tool_calls", tools=("add",), arguments=({"a": 1, "b": 2},))
    steps = (UserStep(content="1 + 2?"), *([came] if came else []))

    verdict = decide(check, Ended(Tape(steps=steps), 1, "until"))

    assert (verdict.score, verdict.passed) == (score, score == 1)
    assert why in verdict.reason


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_action_of_a_good_tape_becomes_a_test_of_the_next_step(bench: SuiteBench) -> None:
    job = bench.start(tape_ids=first_tasks(bench, 1), variants=[bench.vary(RIGHT)], name="gold")
    gold = bench.finish(job)["tasks"][0]["cells"][0][0]["tape_id"]

    made = bench.ask("POST", f"tapes/{gold}/next-step-tests", {"suite": "steps"}, 201)
    right = run_json("suites", "add-steps", "again", "--tape", gold)
    suite = bench.ask("GET", f"suites/{made['suite_id']}")["tests"]
    other = {**suite[0]["check"], "arguments": [{"nothing": "like it"}]}
    bench.ask("PUT", f"tapes/{suite[0]['tape_id']}/regression-test", {"check": other}, 204)
    other = {**suite[1]["check"], "step_kind": "another"}
    bench.ask("PUT", f"tapes/{suite[1]['tape_id']}/regression-test", {"check": other}, 204)
    job = bench.start(q="dataset:steps", variants=[bench.vary(RIGHT)])
    shown = bench.finish(job)

    count = made["made_count"]
    assert count == right["made_count"] > 2
    assert made["left_out"] == []
    (rates,) = shown["next_steps"]
    assert rates == {
        "variant": 0, "compared_count": count, "kind_count": count - 1, "tool_count": count - 1,
        "argument_count": count - 2,
    }  # fmt: skip
    assert shown["variants"][0]["passed_count"] == count - 2
    report = read(bench, job, "md")
    assert f"| A | {count} | {count - 1} | {count - 1} | {count - 2} |" in report
    # Asked for one step: nothing of what an environment answers is on the new tapes.
    for task in shown["tasks"]:
        tape = bench.ask("GET", f"tapes/{task['cells'][0][0]['tape_id']}/steps")["items"]
        kept = bench.ask("GET", f"tapes/{task['start_id']}")["step_count"]
        assert all(step["family"] != "observation" for step in tape[kept:])
    refused = bench.ask(
        "POST", f"tapes/{first_tasks(bench, 1)[0]}/next-step-tests", {"suite": "x"}, 422
    )
    assert "no next step" in refused["message"]


def first_tasks(bench: SuiteBench, count: int) -> list[str]:
    return [row["id"] for row in bench.ask("GET", "tapes?q=dataset:math-test")["items"]][:count]
