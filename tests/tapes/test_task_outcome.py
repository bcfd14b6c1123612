"""What a tape says of its task, and whether two answers are the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import parse_step
from tapes_app.tapes.domain.answer_match import compare_answers, read_number
from tapes_app.tapes.domain.task_outcome import (
    LONGEST_ANSWER,
    TaskOutcome,
    find_answer,
    read_task_outcome,
)
from tests.engine.strategies import json_values, steps
from tests.recordings import SHARED

REPORTS = SHARED.parent / "reports"

texts = st.text(max_size=60)
short_words = st.text("abcdefgh ", min_size=1, max_size=20).filter(str.strip)


@pytest.mark.parametrize(
    ("expected", "actual", "outcome"),
    [
        ("17", "17", "pass"),
        ("10", "$10.0", "pass"),
        ("1,200", "1200", "pass"),
        ("17 %", "17", "pass"),
        ("\u22125", "-5", "pass"),
        ("3", "2", "fail"),
        ("0.1777", "0.1778", "fail"),
        ("5", "-5", "fail"),
        ("5", "5.25", "fail"),
        ("Paris", "  paris. ", "pass"),
        ("five storeys", "Five-storeys", "pass"),
        ("a, b; c", "A,B,C", "pass"),
        ("1, 2", "1.0, 2.0", "pass"),
        ("1, 2", "2, 1", "fail"),
        ("Paris", "London", "fail"),
        # Prose may be right in other words: that is not for a comparison to say.
        ("10", "Weng earned $10.0 for 50 minutes.", ""),
        ("Paris", "It is Paris, of course.", ""),
        ("Paris", "The capital of France lies on the Seine, " * 3, ""),
        ("10", "She earned twenty.", "fail"),
        ("", "anything", ""),
        ("anything", "", ""),
        ("+", "+", "pass"),
        ("+", "-", ""),
        ("x" * 3000, "x" * 3000, "pass"),
        ("x" * 3000, "y", ""),
    ],
)
def test_answers_are_compared_in_a_common_form(expected: str, actual: str, outcome: str) -> None:
    assert compare_answers(expected, actual) == outcome


@given(texts, texts)
def test_comparing_is_total_and_the_same_both_ways_round_for_equals(one: str, other: str) -> None:
    assert compare_answers(one, one) in ({"pass"} if one.strip() else {""})
    assert (compare_answers(one, other) == "pass") == (compare_answers(other, one) == "pass")


@given(st.floats(-1e12, 1e12, allow_nan=False))
def test_a_written_number_is_read_again(number: float) -> None:
    assert read_number(repr(number)) == number


@given(short_words, short_words)
def test_an_answer_that_holds_the_expected_one_is_never_said_to_fail(one: str, more: str) -> None:
    assert compare_answers(one, f"{more} {one}") != "fail"


def answers(text: str) -> list[Any]:
    return [UserStep(content="How many?"), AssistantStep(content=text)]


def test_explicit_keys_win() -> None:
    metadata = {
        "task": "t1",
        "expected": "4",
        "actual": "5",
        "result": "4",
        "outcome": "passed",
        "reward": 0.5,
    }

    said = read_task_outcome(metadata, None, answers("6"))

    assert said == TaskOutcome("t1", "4", "5", "pass", 0.5)


@pytest.mark.parametrize(
    "judged", [{"score": 0.5}, {"reward": 0}, {"score": {"style": 1}}, {"outcome": "partial"}]
)
def test_a_score_without_a_verdict_stays_one_whatever_the_texts_are(judged: Any) -> None:
    said = read_task_outcome({"expected": "4", **judged}, None, answers("4"))

    assert said.outcome == ""
    assert read_task_outcome({"expected": "4", **judged}, None, answers("5")).outcome == ""


@pytest.mark.parametrize("nothing", [{}, {"score": None}, {"outcome": ""}, {"outcome": None}])
def test_a_tape_that_nobody_judged_is_compared(nothing: Any) -> None:
    assert read_task_outcome({"expected": "4", **nothing}, None, answers("4")).outcome == "pass"


@pytest.mark.parametrize(("number", "outcome"), [(1.0, "pass"), (0.0, "fail"), (True, "pass")])
def test_a_verdict_may_be_a_number(number: Any, outcome: str) -> None:
    assert read_task_outcome({"success": number}, None, []).outcome == outcome


def test_a_gaia_tape_brings_its_example_along() -> None:
    metadata = {"task": {"task_id": "a-b", "Question": "?", "Final answer": "3"}, "result": "2"}

    assert read_task_outcome(metadata, None, []) == TaskOutcome("a-b", "3", "2", "fail", None)


def test_a_gsm8k_tape_says_whether_it_was_solved() -> None:
    sample = {"question": "How many?", "answer": "10+2 #### 12", "value": 12, "solved": True}
    steps = [parse_step({"kind": "final_answer_action", "text": "It is twelve.", "value": 12.0})]

    said = read_task_outcome({"result": sample}, None, steps)

    assert said == TaskOutcome("How many?", "12", "12.0", "pass", None)


def test_an_agents_own_claim_is_no_verdict() -> None:
    step = parse_step({"kind": "gaia_answer_action", "success": True, "answer": "3"})

    assert read_task_outcome({}, None, [step]) == TaskOutcome(actual="3")


def test_an_answer_ends_the_tape() -> None:
    call = {"id": "1", "function": {"name": "search", "arguments": {}}}
    calling = parse_step({"kind": "assistant", "content": "Let me see.", "tool_calls": [call]})
    control = parse_step({"kind": "set_next_node", "next_node": "act"})

    assert find_answer([*answers("four"), control]) == "four"
    assert find_answer([*answers("four"), UserStep(content="Sure?")]) == ""
    assert find_answer([UserStep(content="?"), calling]) == ""
    assert find_answer([]) == ""


@given(st.dictionaries(st.text(max_size=8), json_values), json_values, st.lists(steps, max_size=5))
def test_any_tape_has_an_outcome(metadata: Any, context: Any, tape_steps: Any) -> None:
    said = read_task_outcome(metadata, context, tape_steps)

    assert said.outcome in {"", "pass", "fail"}


keys = st.sampled_from(["task", "result", "expected", "outcome", "score", "reward", "question"])


@given(st.dictionaries(keys, json_values | st.floats() | st.just(10**20_000)))
def test_any_value_of_a_key_is_survived(metadata: Any) -> None:
    said = read_task_outcome(metadata, metadata, [])

    assert all(isinstance(text, str) for text in (said.task, said.expected, said.actual))


@pytest.mark.parametrize("thought", ["Is it 41?", "41 " * LONGEST_ANSWER])
def test_thoughts_in_front_of_an_answer_are_no_part_of_it(thought: str) -> None:
    text = f"<think>{thought}</think>\n\n42"
    action = parse_step({"kind": "final_answer_action", "answer": text})

    assert find_answer(answers(text)) == "42"
    assert find_answer([action]) == "42"
    assert read_task_outcome({"expected": "42"}, None, answers(text)).outcome == "pass"
    for key in ("actual", "result"):
        said = read_task_outcome({"expected": "41", key: text}, None, [])
        assert (said.actual, said.outcome) == ("42", "fail")


def test_an_answer_cut_off_in_its_thoughts_is_none() -> None:
    assert find_answer(answers("<think>Is it 41?")) == ""


@pytest.mark.skipif(not REPORTS.is_dir(), reason="the shared inputs are not here")
def test_the_reported_answers_are_judged_without_their_thoughts() -> None:
    lines = (REPORTS / "36-think.jsonl").read_text().splitlines()
    tasks = [json.loads(line) for line in lines]

    outcomes = {}
    for task in tasks:
        _, _, said = task["input"].partition("SAY:")
        outcomes[task["id"]] = read_task_outcome(task, None, answers(said)).outcome

    assert outcomes == {"h1": "fail", "h2": "fail", "h3": "pass", "h4": "fail", "h5": "pass"}
