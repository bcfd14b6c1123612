"""Checks decide what they claim, and refuse what cannot be decided instead of guessing."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolResult, UserStep
from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.check_kinds import CheckpointsCheck, NextStepCheck, validate_check
from tapes_app.experiments.domain.checks import Ended, Verdict, decide, final_text
from tapes_app.experiments.services.request import AnyCheck

CHECKS: TypeAdapter[Any] = TypeAdapter(AnyCheck)


def check(kind: str, **values: Any) -> Any:
    return CHECKS.validate_python({"kind": kind, **values})


def ended(*said: str, status: str = "ok", result: Any = None) -> Ended:
    steps = (UserStep(content="6 * 7?"), *(AssistantStep(content=text) for text in said))
    return Ended(Tape(steps=steps).with_metadata(result=result), 1, status)


def verdict_on(said: str, kind: str, **values: Any) -> Verdict:
    return decide(check(kind, **values), ended(said))


@pytest.mark.parametrize(
    ("kind", "values", "passed"),
    [
        ("equals", {"text": "it is 42."}, True),
        ("equals", {"text": "it is 42.", "ignores_case": False}, False),
        ("equals", {"text": "42"}, False),
        ("contains", {"text": "42"}, True),
        ("contains", {"text": "43"}, False),
        ("number", {"value": 42}, True),
        ("number", {"value": 41}, False),
        ("number", {"value": 41, "within": 1}, True),
        ("regex", {"pattern": r"\b4\d\b"}, True),
        ("regex", {"pattern": r"^\d+$"}, False),
        ("jmespath", {"expression": "contains(text, '42')"}, True),
        ("jmespath", {"expression": "step.kind == 'user'"}, False),
        ("jmespath", {"expression": "result.answer == `42`"}, False),
        ("no_error", {}, True),
    ],
)
def test_a_check_decides_by_the_final_text(kind: str, values: dict[str, Any], passed: bool) -> None:
    verdict = verdict_on(" It is 42. ", kind, **values)

    assert (verdict.passed, verdict.score) == (passed, float(passed))
    assert verdict.reason.endswith(".")


def test_a_check_reads_only_what_the_branch_added() -> None:
    verdict = decide(check("contains", text="6 * 7"), ended("It is 42."))

    assert not verdict.passed


def test_a_number_between_0_and_1_is_a_score() -> None:
    expression = check("jmespath", expression="result.quality")

    assert decide(expression, ended("x", result={"quality": 0.7})) == Verdict(
        True, 0.7, "result.quality is 0.7."
    )
    assert not decide(expression, ended("x", result={"quality": 0.2})).passed


def test_an_error_step_or_an_endless_loop_is_no_success() -> None:
    failing = Ended(
        Tape(steps=(UserStep(content="go"), parse_step({"kind": "tool_error", "error": "boom"}))),
        1,
        "ok",
    )

    assert decide(check("no_error"), failing).reason == "Step 1 reports an error."
    assert not decide(check("no_error"), ended("fine", status="loop_limit")).passed


def test_a_pattern_that_would_explode_elsewhere_is_decided() -> None:
    assert not verdict_on("a" * 500_000 + "!", "regex", pattern="(a|aa)+$").passed


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("regex", {"pattern": "(unclosed"}),
        ("regex", {"pattern": "a{1000000000}"}),
        ("regex", {"pattern": "(?R)"}),
        ("regex", {"pattern": r"(a)\1"}),
        ("jmespath", {"expression": "step.["}),
        ("jmespath", {"expression": "no_such_function(text)"}),
    ],
)
def test_what_cannot_be_read_is_refused_before_anything_runs(
    kind: str, values: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInputError):
        validate_check(check(kind, **values))


def test_an_expression_that_does_not_fit_says_so() -> None:
    with pytest.raises(InvalidInputError, match="cannot be evaluated"):
        verdict_on("It is 42.", "jmespath", expression="abs(text)")


def test_the_final_text_is_the_agents_last_word() -> None:
    steps = (
        AssistantStep(content="I shall look."),
        ToolResult(content="42", tool_call_id="c"),
        parse_step({"kind": "set_next_node", "next_node": "main"}),
    )

    assert final_text(steps) == "I shall look."
    assert final_text(steps[1:]) == "42"
    assert final_text(()) == ""


def checkpoint(name: str, expression: str, **values: Any) -> dict[str, Any]:
    return {"name": name, "check": {"kind": "jmespath", "expression": expression}, **values}


def walk(*checkpoints: dict[str, Any]) -> Verdict:
    """Decide by checkpoints on a run that says look, pay, done."""
    wanted = CheckpointsCheck.model_validate({"checkpoints": checkpoints})
    return decide(wanted, ended("look", "pay", "done"))


LOOK, PAY, DONE = (
    checkpoint(word, f"step.content == '{word}'") for word in ("look", "pay", "done")
)


def test_checkpoints_are_met_on_the_way_in_their_order() -> None:
    assert walk(LOOK, PAY, DONE) == Verdict(passed=True, score=1, reason="All checkpoints are met.")
    turned = walk(PAY, {**LOOK, "weight": 3})
    assert (turned.passed, turned.score) == (False, 0.25)
    assert turned.reason == "Missed: look. 1 of 2 checkpoints are met."


def test_a_missed_checkpoint_holds_up_none_after_it() -> None:
    sung = checkpoint("sung", "step.content == 'sing'")

    assert walk(LOOK, sung, DONE).score == pytest.approx(2 / 3)


def test_the_end_state_is_asked_of_the_end_alone() -> None:
    at_end = {**LOOK, "at_end": True}

    assert walk(at_end, PAY).reason == "Missed: look. 1 of 2 checkpoints are met."
    assert walk({**DONE, "at_end": True}, PAY).passed


def test_a_checkpoint_that_can_be_decided_nowhere_is_not_decided() -> None:
    late = checkpoint("late", "step.content == 'done' && length(step.content) == `4`")
    broken = checkpoint("broken", "length(step.nothing) == `1`")

    assert walk(late).passed
    with pytest.raises(InvalidInputError, match="Not decided: broken"):
        walk(LOOK, broken)
    twice = CheckpointsCheck.model_validate({"checkpoints": [LOOK, LOOK]})
    with pytest.raises(InvalidInputError, match="named 'look'"):
        validate_check(twice)
    steps = (UserStep(content="?"), *(AssistantStep(content="x") for _ in range(1_001)))
    one = CheckpointsCheck.model_validate({"checkpoints": [LOOK]})
    with pytest.raises(InvalidInputError, match="at most 1,000 steps"):
        decide(one, Ended(Tape(steps=steps), 1, "ok"))


@pytest.mark.parametrize(
    ("kind", "values", "passed"),
    [
        ("equals", {"text": "42"}, True),
        ("contains", {"text": "41"}, False),
        ("number", {"value": 42}, True),
        ("regex", {"pattern": "41"}, False),
        ("jmespath", {"expression": "contains(text, '41')"}, False),
        ("jmespath", {"expression": "contains(step.content, '41')"}, False),
        ("jmespath", {"expression": "step.content == '42'"}, True),
    ],
)
def test_a_check_reads_no_thoughts(kind: str, values: dict[str, Any], passed: bool) -> None:
    verdict = verdict_on("<think>Is it 41?</think>\n\n42", kind, **values)

    assert verdict.passed == passed


def test_a_run_that_ends_in_its_thoughts_has_no_final_text() -> None:
    steps = (AssistantStep(content="It may be 42."), AssistantStep(content="<think>Or is it"))

    assert final_text(steps) == ""


def test_the_next_step_is_compared_without_thoughts() -> None:
    wanted = NextStepCheck(step_kind="assistant", arguments=({"content": "42"},))

    assert decide(wanted, ended("<think>Is it 41?</think>\n\n42")).passed
