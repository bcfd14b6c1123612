"""The state of a dialogue: what each step changes, and which steps may not come."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps as form_steps
from tapes_app.gallery.form_filler.form_state import FormState, advance, read_state
from tapes_app.gallery.form_filler.steps import (
    CallFunctionAction,
    ExitAction,
    FunctionCandidate,
    FunctionCandidates,
    FunctionResult,
    FunctionSchemaObservation,
    InspectFunctionAction,
    PromptUserForTextMessageAction,
    RequestExitConfirmationThought,
    RequestFunctionCallConfirmationThought,
    RequestFunctionParametersThought,
    RequestFunctionThought,
    ResolveFunctionAction,
    UpdateFunctionParametersThought,
)
from tests.gallery.form_filler.berths import read_berth

NAME = "BookBerth"
FORM = read_berth()
OPTIONAL = ["departure", "hour", "email", "site", "length", "crew", "power", "plate"]
SAY = PromptUserForTextMessageAction(prompt="What else?")
HEAR = UserStep(content="It is the Ann.")
LISTED = FunctionCandidates(candidates=[FunctionCandidate(function=NAME, short_description="…")])
CHOSEN: tuple[Step, ...] = (
    AssistantStep(content="Hi, how can I help you?"),
    HEAR,
    ResolveFunctionAction(query="It is the Ann."),
    LISTED,
    InspectFunctionAction(function=NAME),
    FunctionSchemaObservation.from_form(FORM),
)


def fill(skip: Sequence[str] = (), **assign: object) -> UpdateFunctionParametersThought:
    return UpdateFunctionParametersThought.model_validate(
        {"function": NAME, "assign": assign, "skip": list(skip)}
    )


FILLED: tuple[Step, ...] = (
    *CHOSEN,
    fill(OPTIONAL, boat="Ann", berth="Small", arrival="3 May 2026"),
)
ASKED: tuple[Step, ...] = (
    *FILLED,
    RequestFunctionCallConfirmationThought(function=NAME),
    SAY,
    UserStep(content="Yes."),
)
CALL = CallFunctionAction(function=NAME)


def test_a_dialogue_ends_with_the_form_that_was_confirmed() -> None:
    state = read_state([*ASKED, CALL, FunctionResult(result={"request_id": "7"})])

    assert (state.end, state.reason) == ("submitted", "")
    assert state.assigned == {"boat": "Ann", "berth": "small", "arrival": "2026-05-03"}
    assert set(state.skipped) == set(OPTIONAL)
    assert state.outstanding == state.missing == ()


def test_a_dialogue_ends_when_the_user_confirmed_the_end() -> None:
    state = read_state(
        [*CHOSEN, RequestExitConfirmationThought(), SAY, HEAR, ExitAction(text="Bye")]
    )

    assert state.end == "exited"


def test_a_slot_that_is_filled_in_after_all_is_skipped_no_longer_and_the_other_way_round() -> None:
    skipped = read_state([*CHOSEN, fill(["hour"])])
    filled = advance(skipped, fill(hour="3 pm"))
    skipped_again = advance(filled, fill(["hour"]))

    assert (skipped.assigned, skipped.skipped) == ({}, ("hour",))
    assert (filled.assigned, filled.skipped) == ({"hour": "15:00"}, ())
    assert (skipped_again.assigned, skipped_again.skipped) == ({}, ("hour",))


def test_the_slot_that_was_asked_for_is_known() -> None:
    asked = RequestFunctionParametersThought(function=NAME, parameters=["berth"])

    assert read_state([*CHOSEN, asked, SAY]).requested == "berth"


@pytest.mark.parametrize(
    ("before", "step", "reason"),
    [
        ((), fill(boat="Ann"), "no form has been chosen yet"),
        ((), CALL, "no form has been chosen yet"),
        ((LISTED,), InspectFunctionAction(function="Other"), "there is no form 'Other'"),
        ((LISTED,), RequestFunctionThought(functions=["Other"]), "there is no form 'Other'"),
        (CHOSEN[:4], CHOSEN[5], "which nobody has chosen"),
        (CHOSEN, ResolveFunctionAction(query="…"), "there is no way to another"),
        (CHOSEN, InspectFunctionAction(function=NAME), "there is no way to another"),
        (CHOSEN, fill(mast="tall"), "has no slot 'mast'"),
        (CHOSEN, fill(["mast"]), "has no slot 'mast'"),
        (CHOSEN, fill(berth="medium"), "'berth' cannot be filled in: 'medium' is not among"),
        (CHOSEN, fill(["boat"]), "'boat' is required and cannot be skipped"),
        (CHOSEN, fill(["length"], berth="large"), "'length' is required and cannot be skipped"),
        (CHOSEN, fill(["hour"], hour="3 pm"), "filled in and skipped at once"),
        (CHOSEN, fill(arrival="2026-05-03", departure="2026-05-01"), "must come after 'arrival'"),
        (
            CHOSEN,
            form_steps.RefuseSkippingParameterThought(function=NAME, parameter="hour"),
            "may be skipped",
        ),
        (
            CHOSEN,
            form_steps.GatherValuesThought(function="Other", parameters={}),
            "cannot become 'Other'",
        ),
        (CHOSEN, RequestFunctionCallConfirmationThought(function=NAME), "nor skipped yet"),
        (CHOSEN, CALL, "'boat' has no value"),
        (FILLED, CALL, "was not asked to confirm the form"),
        ((*ASKED, fill(boat="Bo")), CALL, "was not asked to confirm the form"),
        ((*ASKED, SAY, HEAR), CALL, "was not asked to confirm the form"),
        (CHOSEN, ExitAction(text="Bye"), "was not asked to confirm the end"),
        ((*CHOSEN, SAY), fill(boat="Ann"), "nothing was answered yet"),
        ((*CHOSEN, SAY), SAY, "nothing was answered yet"),
        (CHOSEN, ToolCalls(tool_calls=()), "is not an action of the assistant"),
        (CHOSEN, FunctionResult(result={}), "nothing was submitted"),
        ((*ASKED, CALL, FunctionResult(result={})), SAY, "was submitted already"),
    ],
)
def test_a_step_that_may_not_come_next_ends_the_dialogue(
    before: Sequence[Step], step: Step, reason: str
) -> None:
    state = read_state(before)
    after = advance(state, step)

    assert not state.end or state.end == "submitted"
    assert after.end == "invalid"
    assert reason in after.reason
    assert advance(after, SAY) == after


_VALUES = st.fixed_dictionaries(
    {},
    optional={
        "boat": st.sampled_from(["Ann", "Bo"]),
        "berth": st.sampled_from(["small", "large", "medium"]),
        "arrival": st.dates().map(str),
        "departure": st.dates().map(str),
        "length": st.integers(0, 50),
        "mast": st.just("tall"),
    },
)
_STEPS = st.one_of(
    st.builds(
        lambda assign, skip: fill(skip, **assign),
        _VALUES,
        st.lists(st.sampled_from([*FORM.slots, "mast"]), max_size=3),
    ),
    st.sampled_from(
        [
            SAY,
            HEAR,
            CALL,
            LISTED,
            RequestFunctionCallConfirmationThought(function=NAME),
            RequestExitConfirmationThought(),
            ExitAction(text="Bye"),
            FunctionResult(result={}),
        ]
    ),
)


@given(st.lists(_STEPS, max_size=12), st.sampled_from([(), CHOSEN, FILLED, ASKED]))
def test_whatever_is_said_the_form_is_never_half_right(
    said: list[Step], before: Sequence[Step]
) -> None:
    states = [read_state(before)]
    for step in said:
        states.append(advance(states[-1], step))

    assert states[-1] == read_state([*before, *said])
    for state in states:
        _check(state)


def _check(state: FormState) -> None:
    assert not state.assigned.keys() & set(state.skipped)
    assert bool(state.reason) == (state.end == "invalid")
    if state.form is not None:
        assert not list(state.form.find_broken_rules(state.assigned))
        assert {*state.assigned, *state.skipped, *state.outstanding} == set(state.form.slots)
    if state.end == "submitted" and state.form is not None:
        assert state.missing == state.outstanding == ()
