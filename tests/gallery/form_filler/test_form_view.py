"""The form beside a dialogue: what a person sees of it after each step, and of the public tapes."""

import re
from typing import Any

import pytest

from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step, UnknownStep, parse_step
from tapes_app.gallery.form_filler.form_view import FormView, describe_form
from tapes_app.gallery.form_filler.steps import (
    TELLING_KINDS,
    CallFunctionAction,
    FunctionCandidate,
    FunctionCandidates,
    FunctionResult,
    FunctionSchemaObservation,
    InspectFunctionAction,
    PromptUserForTextMessageAction,
    RefuseInvalidFunctionParameterValueThought,
    RequestExitConfirmationThought,
    RequestFunctionCallConfirmationThought,
    RequestFunctionParametersThought,
    ResolveFunctionAction,
    UpdateFunctionParametersThought,
    VerifyValuesThought,
)
from tests.gallery.form_filler.berths import read_berth
from tests.interchange.builders import read_tapes
from tests.recordings import SHARED
from tests.studio.running_studio import ROOT

NAME = "BookBerth"
FORM = read_berth()
SAY = PromptUserForTextMessageAction(prompt="What else?")
HEAR = UserStep(content="It is the Ann.")
LISTED = FunctionCandidates(
    candidates=[FunctionCandidate(function=NAME, short_description="Books a berth")]
)
OPENING: tuple[Step, ...] = (SAY, HEAR, ResolveFunctionAction(query="It is the Ann."))
CHOSEN: tuple[Step, ...] = (
    *OPENING,
    LISTED,
    InspectFunctionAction(function=NAME),
    FunctionSchemaObservation.from_form(FORM),
)


def fill(*skip: str, **assign: object) -> Step:
    return UpdateFunctionParametersThought.model_validate(
        {"function": NAME, "assign": assign, "skip": list(skip)}
    )


def verify(**parameters: object) -> Step:
    return VerifyValuesThought.model_validate({"function": NAME, "parameters": parameters})


FULL = fill(
    *(name for name in FORM.slots if name not in FORM.parameters.required),
    boat="Ann",
    berth="small",
    arrival="3 May 2026",
)
CONFIRM = RequestFunctionCallConfirmationThought(function=NAME)
CALL = CallFunctionAction(function=NAME)
CONFIRMED = (*CHOSEN, FULL, CONFIRM, SAY, HEAR, CALL)


def view(*tape: Step) -> FormView:
    seen = describe_form(tape)
    assert seen is not None
    return seen


@pytest.mark.parametrize(
    ("tape", "stage"),
    [
        (OPENING, "looking"),
        (CHOSEN[:4], "choosing"),
        (CHOSEN, "filling"),
        ((*CHOSEN, FULL, CONFIRM, SAY), "confirming"),
        ((*CHOSEN, FULL, CONFIRM, SAY, HEAR), "confirming"),
        ((*CHOSEN, FULL, CONFIRM, SAY, HEAR, fill("hour")), "filling"),
        (CONFIRMED, "confirmed"),
        ((*CONFIRMED, FunctionResult(result={})), "submitted"),
        (
            (*CHOSEN, RequestExitConfirmationThought(), SAY, HEAR, parse_step(
                {"kind": "exit_action", "text": "Bye"}
            )),
            "exited",
        ),
    ],
)  # fmt: skip
def test_the_stage_says_how_far_the_form_is(tape: tuple[Step, ...], stage: str) -> None:
    seen = view(*tape)

    assert seen.stage == stage
    assert seen.illegal is None


def test_candidates_are_shown_until_one_is_chosen() -> None:
    before, after = view(*CHOSEN[:4]), view(*CHOSEN)

    assert [(one.name, one.description) for one in before.candidates] == [(NAME, "Books a berth")]
    assert (before.name, before.slots) == ("", ())
    assert (after.name, after.candidates, after.candidate_count) == (NAME, (), 0)
    assert {slot.state for slot in after.slots} == {"outstanding"}


def test_each_slot_has_its_state_and_what_it_did_not_take() -> None:
    wrong = {"value": "medium", "status": "invalid", "explanation": "It is small or large."}
    ask = RequestFunctionParametersThought(function=NAME, parameters=["berth"])

    slots = {
        slot.name: slot
        for slot in view(*CHOSEN, verify(berth=wrong), fill("hour", boat="Ann"), ask).slots
    }

    assert {name: slots[name].state for name in ("boat", "hour", "berth", "arrival")} == {
        "boat": "filled",
        "hour": "skipped",
        "berth": "invalid",
        "arrival": "outstanding",
    }
    assert slots["boat"].value == "Ann"
    assert (slots["berth"].refused, slots["berth"].reason) == ("medium", "It is small or large.")
    assert [name for name, slot in slots.items() if slot.is_asked_for] == ["berth"]
    assert slots["berth"].type == "categorical"
    assert slots["arrival"].is_required
    assert not slots["hour"].is_required


def test_a_value_that_was_refused_without_a_reason_gets_that_of_the_slot() -> None:
    refused = RefuseInvalidFunctionParameterValueThought(
        function=NAME, parameter="length", parameter_value="long"
    )

    (length,) = (slot for slot in view(*CHOSEN, refused).slots if slot.name == "length")
    (taken,) = (slot for slot in view(*CHOSEN, refused, fill(length=9)).slots if slot.value == 9)

    assert (length.state, length.reason) == ("invalid", "'long' is not a number.")
    assert (taken.state, taken.refused, taken.reason) == ("filled", "", "")


def test_a_filled_slot_stays_filled_while_another_value_is_refused() -> None:
    wrong = {"value": "medium", "status": "invalid", "explanation": "No."}

    (berth,) = (
        slot
        for slot in view(*CHOSEN, fill(berth="small"), verify(berth=wrong)).slots
        if slot.name == "berth"
    )

    assert (berth.state, berth.value, berth.refused) == ("filled", "small", "medium")


def test_an_illegal_step_is_named_and_the_form_stays_as_it_was() -> None:
    seen = view(*CHOSEN, fill(boat="Ann"), fill(mast="tall"), fill(boat="Bo"))

    assert seen.illegal is not None
    assert (seen.illegal.position, seen.illegal.kind) == (7, "update_function_parameters_thought")
    assert seen.illegal.reason == "The form 'BookBerth' has no slot 'mast'."
    assert [slot.value for slot in seen.slots if slot.name == "boat"] == ["Ann"]


def test_a_tape_about_something_else_has_no_form() -> None:
    assert describe_form([]) is None
    assert describe_form([HEAR, AssistantStep(content="Hello")]) is None
    assert describe_form([HEAR, parse_step({"kind": "exit_action", "text": "Bye"})]) is None


def test_a_step_that_is_ours_by_name_alone_is_not_passed_over() -> None:
    step = parse_step({"kind": "function_schema", "title": "BookBerth"})

    seen = view(*CHOSEN[:5], step)

    assert isinstance(step, UnknownStep)
    assert seen.illegal is not None
    assert seen.illegal.position == 5
    assert seen.illegal.reason.startswith("It is no 'function_schema' (name: Field required")


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({f"s{n}": {"type": "string"} for n in range(10_000)}, "at most 100"),
        ({"one": {"type": "string", "enum": []}}, "at least 1 item"),
        ({"one": {"type": "string", "enum": ["a"], "default": "b"}}, "not a value of it"),
        ({"<img src=x onerror=alert(1)>": {"type": "array"}}, "Input should be 'string'"),
    ],
)
def test_a_bad_form_on_a_tape_is_refused_with_its_reason(
    parameters: dict[str, Any], reason: str
) -> None:
    form = FunctionSchemaObservation(
        name=NAME, description="", parameters={"type": "object", "properties": parameters}
    )

    seen = view(*CHOSEN[:5], form)

    assert seen.illegal is not None
    assert seen.illegal.reason.startswith("The form 'BookBerth' cannot be used: ")
    assert reason in seen.illegal.reason
    assert len(seen.illegal.reason) < 400
    assert seen.slots == ()


def test_a_form_whose_rules_go_round_in_a_circle_is_refused_on_a_tape() -> None:
    dates = {name: {"type": "string", "format": "date"} for name in ("a", "b")}
    rules = [{"earlier": "a", "later": "b"}, {"earlier": "b", "later": "a"}]
    form = FunctionSchemaObservation(
        name=NAME,
        description="",
        parameters={"type": "object", "properties": dates},
        rules=rules,
    )

    seen = view(*CHOSEN[:5], form)

    assert seen.illegal is not None
    assert "its rules go round in a circle" in seen.illegal.reason


def test_however_long_a_hostile_tape_is_the_answer_is_short() -> None:
    long = "x" * 1_000_000
    many = FunctionCandidates(
        candidates=[FunctionCandidate(function=long, short_description=long)] * 1_000
    )

    seen = view(*OPENING, many)
    refused = view(*OPENING, LISTED, InspectFunctionAction(function=long))

    assert seen.candidate_count == 1_000
    assert len(repr(seen)) < 300_000
    assert len(repr(refused)) < 5_000


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("refuse_invalid_function_parameter_skip_thought", {"parameter": "boat"}),
        ("refuse_inexistent_function_parameter_thought", {}),
        ("answer_from_function_schema_thought", {"answerable_questions": ["Why?"]}),
    ],
)
def test_what_the_reference_implementation_writes_is_one_of_our_steps(
    kind: str, fields: dict[str, Any]
) -> None:
    step = parse_step({"kind": kind, "function": NAME, **fields})

    assert not isinstance(step, UnknownStep)
    assert view(*CHOSEN, step).illegal is None


def test_a_dialogue_of_the_reference_implementation_ends_as_ours() -> None:
    result = parse_step({"kind": "function_result", "function": NAME, "result": {"id": "7"}})
    goodbye = parse_step({"kind": "exit_action"})

    submitted = view(*CONFIRMED, result)
    exited = view(*CHOSEN, RequestExitConfirmationThought(), SAY, HEAR, goodbye)

    assert (submitted.stage, submitted.illegal) == ("submitted", None)
    assert (exited.stage, exited.illegal) == ("exited", None)


def test_a_slot_that_may_be_skipped_is_not_refused_to_skip_by_either_name() -> None:
    step = parse_step(
        {
            "kind": "refuse_invalid_function_parameter_skip_thought",
            "function": NAME,
            "parameter": "hour",
        }
    )

    illegal = view(*CHOSEN, step).illegal

    assert illegal is not None
    assert illegal.reason == "'hour' is optional and may be skipped."


def test_the_browser_knows_a_dialogue_about_a_form_by_the_same_kinds() -> None:
    written = (ROOT / "frontend" / "src" / "lib" / "formKinds.ts").read_text("utf-8")

    assert set(re.findall(r'^  "(\w+)",$', written, re.MULTILINE)) == TELLING_KINDS


PUBLIC = SHARED / "form_filler"


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public tapes are not on this machine")
def test_the_public_tapes_map_to_our_kinds_and_every_turn_is_accepted() -> None:
    files = [PUBLIC / f"{name}_tapes_for_teacher.yaml" for name in ("input", "output")]
    tapes = [item.tape for file in files for item in read_tapes(file)]

    seen = [describe_form(tape.steps) for tape in tapes]

    assert not any(isinstance(step, UnknownStep) for tape in tapes for step in tape.steps)
    assert [one and (one.name, one.stage, one.illegal) for one in seen] == [
        None,  # a greeting and a question
        ("UpdatePassengerInformation", "filling", None),
        ("CheckIn", "filling", None),
        ("", "choosing", None),
        ("UpdatePassengerInformation", "filling", None),
        ("CheckIn", "filling", None),
    ]
