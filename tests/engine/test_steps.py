import pickle

import pytest

from tapes_app.engine.dialog_steps import AssistantStep, ToolCalls, UserStep
from tapes_app.engine.errors import StepError, TapeRangeError
from tapes_app.engine.steps import StepMetadata, UnknownStep, family_of, guess_family, parse_step


def test_one_kind_gives_the_class_whose_fields_fit() -> None:
    said = parse_step({"kind": "assistant", "content": "hi"})
    called = parse_step(
        {"kind": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}
    )

    assert isinstance(said, AssistantStep)
    assert isinstance(called, ToolCalls)


def test_an_unknown_kind_keeps_every_field() -> None:
    data = {
        "kind": "teleport_action",
        "where": {"x": [1, None]},
        "metadata": {"agent": "a", "z": 1},
    }

    step = parse_step(data)

    assert isinstance(step, UnknownStep)
    assert step.to_json() == data
    assert family_of(step) == "action"


def test_a_known_kind_with_foreign_fields_is_kept_as_unknown() -> None:
    data = {"kind": "user", "content": "hi", "mood": "fine"}

    step = parse_step(data)

    assert isinstance(step, UnknownStep)
    assert step.to_json() == data


@pytest.mark.parametrize(
    ("kind", "agent", "family"),
    [
        ("page_observation", "", "observation"),
        ("code_execution_result", "", "observation"),
        ("click_action", "web", "action"),
        ("reflection_thought", "web", "thought"),
        ("all_nouns", "Linguist/FindNouns", "thought"),
        ("tool", "", "observation"),
        ("respond", "a", "control"),
        ("anything", "", "observation"),
    ],
)
def test_the_family_of_an_unknown_kind_is_worked_out(kind: str, agent: str, family: str) -> None:
    assert guess_family(kind, StepMetadata(agent=agent)) == family


@pytest.mark.parametrize("value", [None, 3, "step", [], {}, {"kind": 3}, {"kind": ""}])
def test_what_is_no_step_is_refused_with_a_sentence(value: object) -> None:
    with pytest.raises(StepError, match=r"A step (must be|needs)"):
        parse_step(value)


def test_the_llm_view_has_kind_and_data_without_metadata_and_nulls() -> None:
    step = UserStep(content="Ärger").with_metadata(agent="x")

    assert step.llm_dict() == {"kind": "user", "content": "Ärger"}
    assert step.llm_view() == '{\n  "kind": "user",\n  "content": "Ärger"\n}'


def test_stored_json_holds_only_what_was_set() -> None:
    assert UserStep(content="hi").to_json() == {"kind": "user", "content": "hi"}


def test_errors_survive_pickling_between_processes() -> None:
    error = TapeRangeError("Cannot fork at step 9.", at=9)

    again = pickle.loads(pickle.dumps(error))

    assert (type(again), again.message, again.details) == (TapeRangeError, error.message, {"at": 9})
