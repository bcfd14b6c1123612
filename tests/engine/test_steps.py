import pickle

import pytest

from tapes_app.engine.errors import StepError, TapeRangeError
from tapes_app.engine.model.messages import assistant_message, user_message
from tapes_app.engine.prompts.chat_messages import step_to_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, UserStep
from tapes_app.engine.tape.families import guess_family
from tapes_app.engine.tape.steps import (
    UnknownStep,
    assign_families,
    ends_tape,
    families_of,
    family_of,
    parse_step,
)


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
        ("execute_code", "Initiator/Manager/CodeExecutor", "action"),
        ("run_terminal_command", "web", "action"),
        ("search_results_observation", "web", "observation"),
        ("open_question_thought", "web", "thought"),
        ("execute_code", "", "observation"),
        ("tool", "", "observation"),
        ("respond", "a", "control"),
        ("anything", "", "observation"),
    ],
)
def test_the_family_of_an_unknown_kind_is_worked_out(kind: str, agent: str, family: str) -> None:
    assert guess_family(kind, agent=agent, other=()) == family


def test_what_is_answered_is_an_action_whatever_its_kind() -> None:
    asked = UnknownStep.model_validate({"kind": "odd", "metadata": {"agent": "web"}})
    thought = UnknownStep.model_validate({"kind": "odd_thought", "metadata": {"agent": "web"}})
    answer = UnknownStep.model_validate({"kind": "page"})
    said = UserStep(content="hi")

    assert families_of([asked, answer, thought, answer]) == [
        "action",
        "observation",
        "thought",
        "observation",
    ]
    assert families_of([asked, said]) == ["thought", "observation"]
    assert families_of([asked]) == ["thought"]


def test_a_told_family_wins_over_name_and_neighbours() -> None:
    glide = parse_step({"kind": "glide", "metadata": {"agent": "a"}, "x": 1})
    page = UnknownStep.model_validate({"kind": "page"})

    steps = [glide, page, UserStep(content="hi")]
    told = assign_families(steps, {"glide": "thought", "user": "action"})

    assert families_of([glide, page]) == ["action", "observation"]
    assert families_of(told) == ["thought", "observation", "observation"]
    assert told[0].to_json() == glide.to_json()
    assert family_of(told[0].with_metadata(id="new")) == "thought"


@pytest.mark.parametrize("kind", ["gaia_answer_action", "final_answer", "finish", "Submit", "stop"])
def test_steps_of_public_libraries_that_end_a_session_are_known(kind: str) -> None:
    step = parse_step({"kind": kind, "metadata": {"agent": "a"}})

    assert (family_of(step), ends_tape(step)) == ("action", True)


def test_a_project_tells_what_ends_a_tape_and_what_does_not() -> None:
    steps = [parse_step({"kind": kind}) for kind in ("submit", "hand_in", "finish")]

    told = assign_families(steps, {"submit": "action", "hand_in": "stop"})

    assert [family_of(step) for step in told[:2]] == ["action", "action"]
    assert [ends_tape(step) for step in told] == [False, True, True]


def test_a_prompt_says_a_step_by_its_told_family() -> None:
    glide = parse_step({"kind": "glide", "metadata": {"agent": "a"}, "x": 1})

    guessed = step_to_message(glide)
    told = step_to_message(*assign_families([glide], {"glide": "observation"}))

    assert guessed == assistant_message(glide.llm_view())
    assert told == user_message(glide.llm_view())


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
