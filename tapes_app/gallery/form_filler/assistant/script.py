"""The scripted teacher and student: they write what a model would, without one."""

from collections.abc import Callable, Mapping
from random import Random

from pydantic import JsonValue

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import SCRIPT_PREFIX, LLMOutput, Prompt, scripts
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.tape.dialog_steps import ReasoningThought
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.assistant.messages import write_message
from tapes_app.gallery.form_filler.assistant.mistakes import make_mistake
from tapes_app.gallery.form_filler.reading.briefs import Brief, read_brief
from tapes_app.gallery.form_filler.reading.intents import find_form
from tapes_app.gallery.form_filler.reading.understanding import Understanding, understand
from tapes_app.gallery.form_filler.values import SlotValueError, read_value
from tapes_app.gallery.scripting import Share

NAME = "form-filler"
MODEL = SCRIPT_PREFIX + NAME

INTENT = "Intent Discovery"
GATHER = "Gather Raw Parameter Values"
VERIFY = "Verify Parameter Values & Types"
UPDATE = "Update Slots and Plan Response"
PLAN = "Plan Next Slot or Confirmation Requests"
GENERATE = "Generate"
RESPOND = "Update Slots, Generate Plan, and Respond"

Rates = dict[str, Share]


def write_steps(brief: Brief) -> list[Step]:
    """Return what the node of a brief writes.

    Raises:
        LLMError: there is no such node.
    """
    write = _NODES.get(brief.node)
    if write is None:
        raise LLMError(f"The script knows no node {brief.node!r}; choose one of {sorted(_NODES)}.")
    return write(brief)


def _choose_form(brief: Brief) -> list[Step]:
    found = find_form(brief.message, brief.forms)
    if found.form:
        return [steps.InspectFunctionAction(function=found.form)]
    refusals = [] if found.asks_for_all else [steps.RefuseInexistentFunctionThought()]
    names = [name for name, _ in brief.forms]
    thoughts: list[Step] = [*refusals, steps.RequestFunctionThought(functions=names)]
    return [*thoughts, _speak(brief.after(*thoughts), "")]


def _gather(brief: Brief) -> list[Step]:
    values = _read(brief).values
    ordered: dict[str, JsonValue] = {
        name: values[name] for name in brief.form.slots if name in values
    }
    return [steps.GatherValuesThought(function=brief.form.name, parameters=ordered)]


def _verify(brief: Brief) -> list[Step]:
    """Say of each gathered value whether its slot takes it, beside all others."""
    form, verified = brief.form, dict[str, steps.VerifiedValue]()
    for name, text in _gathered(brief).items():
        try:
            value = read_value(form.slots[name], text)
        except SlotValueError as error:
            verified[name] = _refused(text, str(error))
        else:
            verified[name] = steps.VerifiedValue(value=value, status="valid")
    # A value that is refused leaves the one before it, which others may not fit either.
    for _ in form.slots:
        values = {**brief.state.assigned, **_list_valid(verified)}
        for broken in form.find_broken_rules(values):
            fresh = [name for name in _list_valid(verified) if f"{name!r} (" in broken]
            for name in fresh[-1:]:
                verified[name] = _refused(_gathered(brief)[name], broken)
    return [steps.VerifyValuesThought(function=form.name, parameters=verified)]


def _list_valid(verified: Mapping[str, steps.VerifiedValue]) -> dict[str, JsonValue]:
    return {name: one.value for name, one in verified.items() if one.status == "valid"}


def _refused(text: object, reason: str) -> steps.VerifiedValue:
    return steps.VerifiedValue(value=str(text), status="invalid", explanation=reason)


def _gathered(brief: Brief) -> Mapping[str, JsonValue]:
    found = (one for one in brief.thoughts if isinstance(one, steps.GatherValuesThought))
    return next((one.parameters for one in found), {})


def _verified(brief: Brief) -> Mapping[str, steps.VerifiedValue]:
    found = (one for one in brief.thoughts if isinstance(one, steps.VerifyValuesThought))
    return next((one.parameters for one in found), {})


def _read(brief: Brief) -> Understanding:
    return understand(brief.message, brief.state)


def _update(brief: Brief) -> list[Step]:
    name, reading = brief.form.name, _read(brief).reading
    values = _verified(brief)
    assign = _list_valid(values)
    is_refused = reading.act == "skips" and brief.form.is_required(
        reading.slot, {**brief.state.assigned, **assign}
    )
    skip = [reading.slot] if reading.act == "skips" and not is_refused else []
    written: list[Step] = [
        steps.UpdateFunctionParametersThought(function=name, assign=assign, skip=skip)
    ]
    for slot, one in values.items():
        if one.status == "invalid":
            refused = {"function": name, "parameter": slot, "parameter_value": one.value}
            written.append(steps.RefuseInvalidFunctionParameterValueThought.model_validate(refused))
    if is_refused:
        written.append(steps.RefuseSkippingParameterThought(function=name, parameter=reading.slot))
    thought = _PLANS.get(reading.act)
    return written if thought is None else [*written, thought(brief)]


_PLANS: Mapping[str, Callable[[Brief], Step]] = {
    "asks": lambda brief: steps.AnswerFromFunctionSchemaThought(function=brief.form.name),
    "wonders": lambda brief: steps.NoAnswerInFunctionSchemaThought(
        function=brief.form.name, declined_questions=[brief.message]
    ),
    "talks": lambda _: steps.RefuseToEngageThought(),
}


def _plan(brief: Brief) -> list[Step]:
    """Ask for the next slot, or for a confirmation; nothing is left to ask once it was given."""
    act, state = _read(brief).reading.act, brief.state
    if act == "agrees" and state.may:
        return [ReasoningThought(reasoning=f"The user confirmed: {state.may}.")]
    if act == "leaves":
        return [steps.RequestExitConfirmationThought()]
    if not state.outstanding:
        return [steps.RequestFunctionCallConfirmationThought(function=brief.form.name)]
    slot = state.requested if state.requested in state.outstanding else state.outstanding[0]
    return [steps.RequestFunctionParametersThought(function=brief.form.name, parameters=[slot])]


def _generate(brief: Brief) -> list[Step]:
    if any(isinstance(thought, ReasoningThought) for thought in brief.thoughts):
        if brief.state.may == "exit":
            return [steps.ExitAction(text="Goodbye.")]
        return [steps.CallFunctionAction(function=brief.form.name)]
    return [_speak(brief, _read(brief).reading.answer)]


def _speak(brief: Brief, answer: str) -> Step:
    return steps.PromptUserForTextMessageAction(prompt=write_message(brief, answer))


def _respond(brief: Brief) -> list[Step]:
    """Write all that the teacher's nodes write, except what only the teacher notes."""
    for write in (_gather, _verify, _update, _plan):
        brief = brief.after(*write(brief))
    notes = (steps.GatherValuesThought, steps.VerifyValuesThought)
    thoughts = [thought for thought in brief.thoughts if not isinstance(thought, notes)]
    return [*thoughts, *_generate(brief)]


_NODES: Mapping[str, Callable[[Brief], list[Step]]] = {
    INTENT: _choose_form,
    GATHER: _gather,
    VERIFY: _verify,
    UPDATE: _update,
    PLAN: _plan,
    GENERATE: _generate,
    RESPOND: _respond,
}


@scripts.register(NAME)
def answer(
    prompt: Prompt, *, error_rate: Share = 0.0, error_rates: Rates | None = None, seed: int = 0
) -> LLMOutput:
    """Answer as the node whose brief the prompt ends with.

    `error_rate` is the share of prompts that are answered with a mistake, and `error_rates` that of
    single nodes by their names. `seed` decides which ones.
    """
    texts = [message.text for message in prompt.messages if message.role == "user"]
    brief = read_brief(texts[0] if texts else "")
    written = write_steps(brief)
    chance = Random(f"{seed} {texts[0]}")  # noqa: S311 - to repeat, no secret
    if chance.random() < (error_rates or {}).get(brief.node, error_rate):
        written = make_mistake(written, brief, chance)
    bodies = [
        dump_json_data(step, exclude=set(step.hidden_fields), by_alias=True) for step in written
    ]
    return LLMOutput(content=dump_json_text({"steps": bodies}))
