"""Where a dialogue about forms stands, and which steps may come next: pure, one step at a time.

A step that may not come next ends the dialogue as invalid, with the reason; such a continuation
scores zero (paper 5.4).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Literal

from pydantic import Field, JsonValue

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.control_steps import FinalStep
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE, AssistantStep, UserStep
from tapes_app.engine.tape.steps import (
    Step,
    UnknownStep,
    family_of,
    first_reason,
    nearest_misfit,
    parse_step,
)
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.forms import FormError, FunctionSchema
from tapes_app.gallery.form_filler.values import SlotValueError, read_value

End = Literal["", "submitted", "exited", "invalid"]
Confirmable = Literal["", "submit", "exit"]


class IllegalStepError(ValueError):
    """A step that may not come next; the message is a sentence without a full stop."""


class RefusedValue(FrozenModel):
    """What a slot did not take."""

    value: JsonValue = None
    reason: str = ""
    """Why, as the assistant said it; empty if it gave no reason."""


class FormState(FrozenModel):
    """All that the steps so far say about the form."""

    candidates: tuple[str, ...] | None = None
    """Names of the forms that may be meant; `None` until they were listed."""

    form: FunctionSchema | None = None
    assigned: dict[str, JsonValue] = Field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    refused: dict[str, RefusedValue] = Field(default_factory=dict)
    """What slots did not take, until they are filled in or skipped."""

    requested: str = ""
    """The slot that the user was asked for last."""

    asks: Confirmable = ""
    """What this turn asks the user to confirm."""

    may: Confirmable = ""
    """What the user was asked to confirm in the turn before, and may have confirmed."""

    action: Step | None = None
    """The action of this turn; the next step is the answer to it."""

    end: End = ""
    reason: str = ""
    """Why the dialogue is invalid."""

    @property
    def outstanding(self) -> tuple[str, ...]:
        """The slots that are neither filled in nor skipped."""
        slots = self.form.slots if self.form is not None else {}
        return tuple(name for name in slots if name not in {*self.assigned, *self.skipped})

    @property
    def missing(self) -> tuple[str, ...]:
        """The slots without which the form cannot be submitted."""
        if self.form is None:
            return ()
        return tuple(
            name
            for name in self.form.slots
            if name not in self.assigned and self.form.is_required(name, self.assigned)
        )


def read_state(tape: Iterable[Step]) -> FormState:
    """Return where a dialogue stands after its steps."""
    return reduce(advance, tape, FormState())


def advance(state: FormState, step: Step) -> FormState:
    """Return where the dialogue stands after one more step."""
    try:
        return _advance(state, step)
    except IllegalStepError as error:
        return state.model_copy(update={"end": "invalid", "reason": str(error)})


def _advance(state: FormState, step: Step) -> FormState:
    family = family_of(step)
    if family == "control" or state.end == "invalid":
        return state
    if state.end and isinstance(step, FinalStep):
        return state
    if state.end:
        raise IllegalStepError(f"the dialogue was {state.end} already")
    if isinstance(step, UnknownStep):
        step = _recognise(step)
    if family == "observation":
        return _observe(state, step)
    if state.action is not None:
        raise IllegalStepError("a turn ends with its action, and nothing was answered yet")
    if step.kind == PARSING_FAILURE:
        raise IllegalStepError("what the model wrote is not a step")
    if isinstance(step, steps.FormThought):
        _check_name(state, step.function)
    if family == "action":
        if not isinstance(step, _ACTIONS):
            raise IllegalStepError(f"{step.kind!r} is not an action of the assistant")
        state = state.model_copy(update={"action": step})
    change = next((_CHANGES[cls] for cls in type(step).__mro__ if cls in _CHANGES), None)
    return state if change is None else state.model_copy(update=change(state, step))


def _recognise(step: UnknownStep) -> Step:
    """Return a step whose kind is ours as our class, although its file writes it in another way.

    Raises:
        IllegalStepError: it is ours by its name alone; what it says would be lost silently.
    """
    if step.kind not in steps.KINDS:
        return step
    misfit = nearest_misfit(step.kind, step.to_json())
    if misfit is not None:
        raise IllegalStepError(f"it is no {step.kind!r} ({first_reason(misfit)})")
    return parse_step(step.to_json())


def _observe(state: FormState, step: Step) -> FormState:
    changes: dict[str, Any] = {"action": None}
    action = state.action
    if isinstance(step, UserStep):
        changes |= {"may": state.asks, "asks": ""}
    elif isinstance(step, steps.FunctionCandidates):
        changes["candidates"] = tuple(candidate.function for candidate in step.candidates)
    elif isinstance(step, steps.FunctionSchemaObservation):
        if not isinstance(action, steps.InspectFunctionAction) or action.function != step.name:
            raise IllegalStepError(f"the form {step.name!r} came, which nobody has chosen")
        changes["form"] = _read_form(step)
    elif isinstance(step, steps.FunctionResult):
        if not isinstance(action, steps.CallFunctionAction):
            raise IllegalStepError("a result came, and nothing was submitted")
        changes["end"] = "submitted"
    return state.model_copy(update=changes)


def _read_form(step: steps.FunctionSchemaObservation) -> FunctionSchema:
    try:
        return step.to_form()
    except FormError as error:
        raise IllegalStepError(error.message) from error


def _check_name(state: FormState, name: str) -> FunctionSchema:
    if state.form is None:
        raise IllegalStepError("no form has been chosen yet")
    if name != state.form.name:
        raise IllegalStepError(f"the form is {state.form.name!r} and cannot become {name!r}")
    return state.form


def _check_slots(state: FormState, names: Iterable[str]) -> None:
    assert state.form is not None
    for name in names:
        if name not in state.form.slots:
            raise IllegalStepError(f"the form {state.form.name!r} has no slot {name!r}")


def _resolve(state: FormState, step: steps.ResolveFunctionAction) -> dict[str, Any]:
    _refuse_chosen(state)
    return {}


def _refuse_chosen(state: FormState) -> None:
    if state.form is not None:
        raise IllegalStepError(f"the form is {state.form.name!r}, and there is no way to another")


def _inspect(state: FormState, step: steps.InspectFunctionAction) -> dict[str, Any]:
    _refuse_chosen(state)
    _check_candidates(state, [step.function])
    return {}


def _check_candidates(state: FormState, names: Iterable[str]) -> None:
    for name in names:
        if state.candidates is not None and name not in state.candidates:
            raise IllegalStepError(f"there is no form {name!r}")


def _ask_for_form(state: FormState, step: steps.RequestFunctionThought) -> dict[str, Any]:
    _refuse_chosen(state)
    _check_candidates(state, step.functions)
    return {}


def _gather(state: FormState, step: steps.GatherValuesThought) -> dict[str, Any]:
    _check_slots(state, step.parameters)
    return {}


def _verify(state: FormState, step: steps.VerifyValuesThought) -> dict[str, Any]:
    _check_slots(state, step.parameters)
    refused = {
        name: RefusedValue(value=verified.value, reason=verified.explanation)
        for name, verified in step.parameters.items()
        if verified.status == "invalid"
    }
    kept = {name: old for name, old in state.refused.items() if name not in step.parameters}
    return {"refused": kept | refused}


def _update(state: FormState, step: steps.UpdateFunctionParametersThought) -> dict[str, Any]:
    assert state.form is not None
    _check_slots(state, (*step.assign, *step.skip))
    if both := sorted(step.assign.keys() & set(step.skip)):
        raise IllegalStepError(f"{both[0]!r} is filled in and skipped at once")
    assigned = {name: value for name, value in state.assigned.items() if name not in step.skip}
    for name, value in step.assign.items():
        try:
            assigned[name] = read_value(state.form.slots[name], value)
        except SlotValueError as error:
            raise IllegalStepError(f"{name!r} cannot be filled in: {error}") from error
    for name in step.skip:
        if state.form.is_required(name, assigned):
            raise IllegalStepError(f"{name!r} is required and cannot be skipped")
    for broken in state.form.find_broken_rules(assigned):
        raise IllegalStepError(broken)
    skipped = [
        name
        for name in (*state.skipped, *step.skip)
        if name not in step.assign and not state.form.is_required(name, assigned)
    ]
    changes: dict[str, Any] = {"assigned": assigned, "skipped": tuple(dict.fromkeys(skipped))}
    changed = {*step.assign, *step.skip}
    changes["refused"] = {name: old for name, old in state.refused.items() if name not in changed}
    if changed:
        changes["may"] = ""  # what was confirmed was another form
    return changes


def _refuse_skipping(
    state: FormState,
    step: steps.RefuseSkippingParameterThought | steps.RefuseInvalidFunctionParameterSkipThought,
) -> dict[str, Any]:
    assert state.form is not None
    _check_slots(state, [step.parameter])
    if not state.form.is_required(step.parameter, state.assigned):
        raise IllegalStepError(f"{step.parameter!r} is optional and may be skipped")
    return {}


def _refuse_value(
    state: FormState, step: steps.RefuseInvalidFunctionParameterValueThought
) -> dict[str, Any]:
    _check_slots(state, [step.parameter])
    verified = state.refused.get(step.parameter, RefusedValue())
    refused = verified.model_copy(update={"value": step.parameter_value or verified.value})
    return {"refused": {**state.refused, step.parameter: refused}}


def _ask_for_slot(state: FormState, step: steps.RequestFunctionParametersThought) -> dict[str, Any]:
    _check_slots(state, step.parameters)
    return {"requested": step.parameters[0]}


def _ask_to_submit(state: FormState, step: Step) -> dict[str, Any]:
    if state.outstanding:
        raise IllegalStepError(f"{state.outstanding[0]!r} is neither filled in nor skipped yet")
    return {"asks": "submit"}


def _ask_to_exit(state: FormState, step: Step) -> dict[str, Any]:
    return {"asks": "exit"}


def _submit(state: FormState, step: steps.CallFunctionAction) -> dict[str, Any]:
    _check_name(state, step.function)
    if state.missing:
        raise IllegalStepError(f"{state.missing[0]!r} has no value")
    if state.outstanding:
        raise IllegalStepError(f"{state.outstanding[0]!r} is neither filled in nor skipped yet")
    if state.may != "submit":
        raise IllegalStepError("the user was not asked to confirm the form as it is")
    return {}


def _exit(state: FormState, step: Step) -> dict[str, Any]:
    if state.may != "exit":
        raise IllegalStepError("the user was not asked to confirm the end")
    return {"end": "exited"}


_CHANGES: Mapping[type[Step], Callable[[FormState, Any], dict[str, Any]]] = {
    steps.ResolveFunctionAction: _resolve,
    steps.InspectFunctionAction: _inspect,
    steps.RequestFunctionThought: _ask_for_form,
    steps.GatherValuesThought: _gather,
    steps.VerifyValuesThought: _verify,
    steps.UpdateFunctionParametersThought: _update,
    steps.RefuseSkippingParameterThought: _refuse_skipping,
    steps.RefuseInvalidFunctionParameterSkipThought: _refuse_skipping,
    steps.RefuseInvalidFunctionParameterValueThought: _refuse_value,
    steps.RequestFunctionParametersThought: _ask_for_slot,
    steps.RequestFunctionCallConfirmationThought: _ask_to_submit,
    steps.RequestExitConfirmationThought: _ask_to_exit,
    steps.CallFunctionAction: _submit,
    steps.ExitAction: _exit,
}

_ACTIONS = (
    AssistantStep,  # how the reference implementation writes a prompt
    steps.ResolveFunctionAction,
    steps.InspectFunctionAction,
    steps.PromptUserForTextMessageAction,
    steps.CallFunctionAction,
    steps.ExitAction,
)
