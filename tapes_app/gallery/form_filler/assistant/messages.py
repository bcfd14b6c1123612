"""What the scripted assistant says: one sentence for each thing that it has planned."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.form_state import FormState
from tapes_app.gallery.form_filler.reading.briefs import Brief


def write_message(brief: Brief, answer: str) -> str:
    """Return the message that follows from the thoughts of a turn.

    `answer` is what the form says on a question; a thought plans to say it.
    """
    sentences: list[str] = []
    for thought in brief.thoughts:
        write = _SENTENCES.get(type(thought))
        if write is not None:
            sentences += write(thought, brief.state, answer)
    return " ".join(_explain_refusals(sentences, brief))


def spell(slot: str) -> str:
    return slot.replace("_", " ")


def show(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _say_update(
    step: steps.UpdateFunctionParametersThought, state: FormState, answer: str
) -> Iterator[str]:
    for slot, value in step.assign.items():
        yield f"The {spell(slot)} is {show(value)}."
    for slot in step.skip:
        yield f"I leave out the {spell(slot)}."


def _refuse_value(
    step: steps.RefuseInvalidFunctionParameterValueThought, state: FormState, answer: str
) -> Iterator[str]:
    yield f"{show(step.parameter_value)!r} cannot be the {spell(step.parameter)}."


def _explain_refusals(sentences: list[str], brief: Brief) -> Iterator[str]:
    """Say after a refused value why it is refused."""
    reasons = {
        f"{show(one.value)!r} cannot be the {spell(slot)}.": one.explanation
        for thought in brief.thoughts
        if isinstance(thought, steps.VerifyValuesThought)
        for slot, one in thought.parameters.items()
        if one.status == "invalid"
    }
    for sentence in sentences:
        reason = reasons.get(sentence, "")
        yield f"{sentence.rstrip('.')}: {reason}." if reason else sentence


def _refuse_skipping(
    step: steps.RefuseSkippingParameterThought, state: FormState, answer: str
) -> Iterator[str]:
    yield f"The {spell(step.parameter)} is required and cannot be left out."


def _say_answer(step: Step, state: FormState, answer: str) -> Iterator[str]:
    yield answer


def _decline(step: Step, state: FormState, answer: str) -> Iterator[str]:
    yield "The form does not say that."


def _refuse_to_engage(step: Step, state: FormState, answer: str) -> Iterator[str]:
    yield "I can only help with this form."


def _refuse_form(step: Step, state: FormState, answer: str) -> Iterator[str]:
    yield "I have no form for that."


def _ask_for_form(
    step: steps.RequestFunctionThought, state: FormState, answer: str
) -> Iterator[str]:
    yield f"Which form do you need? I have {', '.join(map(_unfold, step.functions))}."


def _unfold(name: str) -> str:
    """Return "rent passenger vehicle" for `RentPassengerVehicle`."""
    signs = (f" {sign.lower()}" if sign.isupper() else sign for sign in name)
    return "".join(signs).strip()


def _ask_for_slot(
    step: steps.RequestFunctionParametersThought, state: FormState, answer: str
) -> Iterator[str]:
    assert state.form is not None
    name = step.parameters[0]
    slot = state.form.slots[name]
    yield f"What is the {spell(name)}?"
    if slot.enum:
        yield f"Choose from {', '.join(slot.enum)}."
    if slot.default not in (None, ""):
        yield f"By default it is {show(slot.default)}."
    if not state.form.is_required(name, state.assigned):
        yield "You may skip it."


def _ask_to_submit(step: Step, state: FormState, answer: str) -> Iterator[str]:
    values = [f"{spell(name)}: {show(value)}" for name, value in state.assigned.items()]
    yield f"The form is complete: {'; '.join(values)}. Shall I submit it?"


def _ask_to_exit(step: Step, state: FormState, answer: str) -> Iterator[str]:
    yield "Shall I end here, without submitting the form?"


_SENTENCES: Mapping[type[Step], Callable[[Any, FormState, str], Iterator[str]]] = {
    steps.UpdateFunctionParametersThought: _say_update,
    steps.RefuseInvalidFunctionParameterValueThought: _refuse_value,
    steps.RefuseSkippingParameterThought: _refuse_skipping,
    steps.AnswerFromFunctionSchemaThought: _say_answer,
    steps.NoAnswerInFunctionSchemaThought: _decline,
    steps.RefuseToEngageThought: _refuse_to_engage,
    steps.RefuseInexistentFunctionThought: _refuse_form,
    steps.RequestFunctionThought: _ask_for_form,
    steps.RequestFunctionParametersThought: _ask_for_slot,
    steps.RequestFunctionCallConfirmationThought: _ask_to_submit,
    steps.RequestExitConfirmationThought: _ask_to_exit,
}
