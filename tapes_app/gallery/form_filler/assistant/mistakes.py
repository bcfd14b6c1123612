"""Mistakes that a scripted model makes on purpose, so that there is something to find and to learn.

Each is of a sort that real models make: most leave the step legal, a few do not.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.reading.briefs import Brief

Mistake = Callable[[Any, Brief, Random], Step | None]
"""Returns another step in place of one; `None` leaves it out, the same one if there is no way."""


def make_mistake(written: Sequence[Step], brief: Brief, chance: Random) -> list[Step]:
    """Return the steps of a node with one mistake, if there is any to make."""
    places = [place for place, step in enumerate(written) if type(step) in _MISTAKES]
    if not places:
        return list(written)
    place = chance.choice(places)
    mistake = chance.choice(_MISTAKES[type(written[place])])
    wrong = mistake(written[place], brief, chance)
    return [*written[:place], *([] if wrong is None else [wrong]), *written[place + 1 :]]


def _choose_another_form(
    step: steps.InspectFunctionAction, brief: Brief, chance: Random
) -> Step | None:
    others = [name for name, _ in brief.forms if name != step.function]
    return step.model_copy(update={"function": chance.choice(others)}) if others else step


def _miss_a_value(step: steps.GatherValuesThought, brief: Brief, chance: Random) -> Step | None:
    kept = dict(step.parameters)
    if kept:
        kept.pop(chance.choice(sorted(kept)))
    return step.model_copy(update={"parameters": kept})


def _mistake_the_slot(step: steps.GatherValuesThought, brief: Brief, chance: Random) -> Step | None:
    values, slots = dict(step.parameters), brief.form.slots
    if not values:
        return step
    name = chance.choice(sorted(values))
    kind = slots[name].slot_type
    alike = [slot for slot in slots if slot not in values and slots[slot].slot_type == kind]
    if not alike:
        return _miss_a_value(step, brief, chance)
    values[chance.choice(alike)] = values.pop(name)
    return step.model_copy(update={"parameters": values})


def _misjudge_a_value(step: steps.VerifyValuesThought, brief: Brief, chance: Random) -> Step | None:
    if not step.parameters:
        return step
    name = chance.choice(sorted(step.parameters))
    one = step.parameters[name]
    is_valid = one.status == "valid"
    judged = one.model_copy(
        update={
            "status": "invalid" if is_valid else "valid",
            "explanation": "it does not fit" if is_valid else "",
        }
    )
    return step.model_copy(update={"parameters": {**step.parameters, name: judged}})


def _forget_the_update(
    step: steps.UpdateFunctionParametersThought, brief: Brief, chance: Random
) -> Step | None:
    return step.model_copy(update={"assign": {}, "skip": []})


def _leave_out(step: Step, brief: Brief, chance: Random) -> Step | None:
    return None


def _answer_without_knowing(step: Step, brief: Brief, chance: Random) -> Step | None:
    return steps.AnswerFromFunctionSchemaThought(function=brief.form.name)


def _ask_for_another_slot(
    step: steps.RequestFunctionParametersThought, brief: Brief, chance: Random
) -> Step | None:
    others = [name for name in brief.form.slots if name not in step.parameters]
    return step.model_copy(update={"parameters": [chance.choice(others)]}) if others else step


def _drop_a_sentence(
    step: steps.PromptUserForTextMessageAction, brief: Brief, chance: Random
) -> Step | None:
    sentences = step.prompt.split(". ")
    if len(sentences) > 1:
        sentences.pop(chance.randrange(len(sentences)))
    return step.model_copy(update={"prompt": ". ".join(sentences)})


def _chat(step: steps.PromptUserForTextMessageAction, brief: Brief, chance: Random) -> Step | None:
    return step.model_copy(update={"prompt": f"What a nice day it is! {step.prompt}"})


_MISTAKES: Mapping[type[Step], tuple[Mistake, ...]] = {
    steps.InspectFunctionAction: (_choose_another_form,),
    steps.GatherValuesThought: (_miss_a_value, _mistake_the_slot),
    steps.VerifyValuesThought: (_misjudge_a_value,),
    steps.UpdateFunctionParametersThought: (_forget_the_update,),
    steps.RefuseInvalidFunctionParameterValueThought: (_leave_out,),
    steps.RefuseSkippingParameterThought: (_leave_out,),
    steps.NoAnswerInFunctionSchemaThought: (_answer_without_knowing,),
    steps.RefuseToEngageThought: (_leave_out,),
    steps.RequestFunctionParametersThought: (_ask_for_another_slot,),
    steps.PromptUserForTextMessageAction: (_drop_a_sentence, _chat),
}
