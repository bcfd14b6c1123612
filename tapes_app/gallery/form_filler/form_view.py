"""What a person sees of a form beside its dialogue: pure, from the steps up to one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler.form_state import FormState, RefusedValue, advance
from tapes_app.gallery.form_filler.forms import Parameter, SlotType
from tapes_app.gallery.form_filler.steps import (
    TELLING_KINDS,
    CallFunctionAction,
    FunctionCandidate,
    FunctionCandidates,
)
from tapes_app.gallery.form_filler.values import SlotValueError, read_value

Stage = Literal[
    "looking",  # nobody knows yet which forms there are
    "choosing",
    "filling",
    "confirming",  # the user is asked whether to submit it
    "confirmed",
    "submitted",
    "exited",
]
SlotState = Literal["filled", "skipped", "outstanding", "invalid"]

MOST_CANDIDATES = 200
_LONGEST_NAME = 200
_LONGEST_TEXT = 1_000


@dataclass(frozen=True)
class Candidate:
    """A form that may be meant."""

    name: str
    description: str


@dataclass(frozen=True)
class SlotView:
    name: str
    type: SlotType
    description: str
    state: SlotState
    is_required: bool
    """With the values so far."""

    is_asked_for: bool
    value: JsonValue
    """`None` unless it is filled in."""

    refused: str
    """The value that was not taken last; empty if there is none."""

    reason: str
    """Why it was not taken."""


@dataclass(frozen=True)
class IllegalStep:
    """The first step that may not come where it is; the form stays as it was before."""

    position: int
    kind: str
    reason: str


@dataclass(frozen=True)
class FormView:
    """The form after a step."""

    stage: Stage
    name: str
    """Empty until a form was chosen."""

    description: str
    slots: tuple[SlotView, ...]
    candidates: tuple[Candidate, ...]
    """Empty once a form was chosen."""

    candidate_count: int
    illegal: IllegalStep | None


def describe_form(tape: Sequence[Step]) -> FormView | None:
    """Return the form after the last step of a tape; `None` if no step is about a form yet."""
    if not any(step.kind in TELLING_KINDS for step in tape):
        return None
    state, illegal = FormState(), None
    listed: Sequence[FunctionCandidate] = ()
    for position, step in enumerate(tape):
        state = advance(state, step)
        if state.end == "invalid":
            illegal = IllegalStep(position, _cut(step.kind), _cut(_as_sentence(state.reason)))
            break
        if isinstance(step, FunctionCandidates):
            listed = step.candidates
    form = state.form
    if form is not None:
        listed = ()
    return FormView(
        stage=_find_stage(state),
        name="" if form is None else form.name,
        description="" if form is None else form.description,
        slots=() if form is None else tuple(_describe(state, *slot) for slot in form.slots.items()),
        candidates=tuple(
            Candidate(one.function[:_LONGEST_NAME], _cut(one.short_description))
            for one in listed[:MOST_CANDIDATES]
        ),
        candidate_count=len(listed),
        illegal=illegal,
    )


def _find_stage(state: FormState) -> Stage:
    if state.end in ("submitted", "exited"):
        return state.end
    if state.form is None:
        return "looking" if state.candidates is None else "choosing"
    if isinstance(state.action, CallFunctionAction):
        return "confirmed"
    return "confirming" if "submit" in (state.asks, state.may) else "filling"


def _describe(state: FormState, name: str, slot: Parameter) -> SlotView:
    assert state.form is not None
    refused = state.refused.get(name)
    return SlotView(
        name=name,
        type=slot.slot_type,
        description=slot.description,
        state=_find_slot_state(state, name),
        is_required=state.form.is_required(name, state.assigned),
        is_asked_for=state.requested == name and not state.end,
        value=state.assigned.get(name),
        refused="" if refused is None or refused.value is None else _cut(str(refused.value)),
        reason="" if refused is None else _cut(_explain(slot, refused)),
    )


def _find_slot_state(state: FormState, name: str) -> SlotState:
    if name in state.assigned:
        return "filled"
    if name in state.skipped:
        return "skipped"
    return "invalid" if name in state.refused else "outstanding"


def _explain(slot: Parameter, refused: RefusedValue) -> str:
    if refused.reason:
        return refused.reason
    try:
        read_value(slot, refused.value)
    except SlotValueError as error:
        return _as_sentence(str(error))
    return "The assistant did not take it, although the slot would."


def _as_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"
