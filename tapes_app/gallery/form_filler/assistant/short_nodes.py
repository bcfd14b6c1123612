"""The nodes of the student that is trained: a short prompt each, and answers in the form's names.

What a small model can do is found by small steps: one node reads the message, the next one, which
sees what was read, speaks. Its answers are asked for in a form that has the names at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.assistant.nodes import (
    BriefedNode,
    IntentNode,
    find_message,
    find_turn,
    list_forms,
    list_thoughts,
)
from tapes_app.gallery.form_filler.form_state import FormState, advance, read_state
from tapes_app.gallery.form_filler.forms import FunctionSchema, Parameter

_ANSWERS = (steps.AnswerFromFunctionSchemaThought, steps.NoAnswerInFunctionSchemaThought)


class ChoosingNode(IntentNode):
    """Chooses a form among those of the company, or asks which one is meant."""

    type_name = "form_filler.ChoosingNode"

    def list_sections(self, seen: Sequence[Step]) -> dict[str, Any]:
        return {"Forms": list_forms(seen), "Message": find_message(seen)}

    def describe_answer(self, seen: Sequence[Step]) -> dict[str, Any]:
        names = [form["name"] for form in list_forms(seen)]
        return allow_names(super().describe_answer(seen), names, None)


class ReadingNode(BriefedNode):
    """Reads the user's last message: values, what cannot be done, questions."""

    type_name = "form_filler.ReadingNode"

    def list_sections(self, seen: Sequence[Step]) -> dict[str, Any]:
        state = read_state(seen)
        form = _form_of(state)
        return {
            "Form": form.name,
            "About": form.description,
            "Slots": _list_slots(form, state),
            "Asked for": "" if state.may else state.requested,
            "Asked to confirm": state.may,
            "Message": find_message(seen),
        }

    def describe_answer(self, seen: Sequence[Step]) -> dict[str, Any]:
        return _allow_names_of(read_state(seen), super().describe_answer(seen))


class SpeakingNode(BriefedNode):
    """Says what comes of the message, and asks for what comes next."""

    type_name = "form_filler.SpeakingNode"

    def list_sections(self, seen: Sequence[Step]) -> dict[str, Any]:
        turn = find_turn(seen)
        before = read_state(seen[:turn])
        state = reduce(advance, seen[turn:], before)
        form = _form_of(state)
        is_question = any(isinstance(step, _ANSWERS) for step in seen[turn:])
        asked = "" if before.may else before.requested
        others = [slot for slot in state.outstanding if slot != asked]
        left = [asked, *others] if asked in state.outstanding else others
        spoken_of = {*left[:1], *(getattr(step, "parameter", "") for step in seen[turn:])}
        slots = _list_slots(form, state)
        return {
            "Form": form.name,
            **({"About": form.description} if is_question else {}),
            "Slots": {name: takes for name, takes in slots.items() if name in spoken_of},
            "Filled": state.assigned,
            "Open": left,
            "Asked to confirm": before.may,
            "Message": find_message(seen),
            "Thoughts": [_without_form(thought) for thought in list_thoughts(seen)],
        }

    def describe_answer(self, seen: Sequence[Step]) -> dict[str, Any]:
        return _allow_names_of(read_state(seen), super().describe_answer(seen))


def _form_of(state: FormState) -> FunctionSchema:
    assert state.form is not None
    return state.form


def _list_slots(form: FunctionSchema, state: FormState) -> dict[str, str]:
    """Say of each slot in a few words what it takes."""
    return {
        name: f"{_describe(slot)}{', required' if form.is_required(name, state.assigned) else ''}"
        for name, slot in form.slots.items()
    }


def _describe(slot: Parameter) -> str:
    takes = " | ".join(slot.enum or (slot.pattern or slot.slot_type,))
    least, most = slot.minimum, slot.maximum
    low = "" if least is None else f" from {least:g}"
    high = "" if most is None else f" up to {most:g}"
    default = "" if slot.default in (None, "") else f", default {slot.default}"
    return f"{takes}{low}{high}{default}"


def _without_form(thought: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in thought.items() if key != "function"}


def _allow_names_of(state: FormState, wanted: dict[str, Any]) -> dict[str, Any]:
    form = _form_of(state)
    return allow_names(wanted, [form.name], form)


def allow_names(
    wanted: dict[str, Any], functions: Sequence[str], form: FunctionSchema | None
) -> dict[str, Any]:
    """Return the form of an answer in which only these forms and this form's slots are named.

    Values have the types of their slots, as they would in a call of the function. What the user
    said, and which value is right, is not in it.
    """
    names = {"function": {"enum": [*functions]}, "functions": _list_of(functions)}
    if form is not None:
        slots = list(form.slots)
        names |= {
            "parameter": {"enum": slots},
            "parameters": {**_list_of(slots), "minItems": 1, "maxItems": 1},
            "skip": _list_of(slots),
            "assign": {
                "type": "object",
                "properties": {name: _take(slot) for name, slot in form.slots.items()},
                "additionalProperties": False,
            },
            "parameter_value": {"type": "string"},
        }
    made = wanted["json_schema"]
    schema = _replace_fields(made["schema"], names)
    return {**wanted, "json_schema": {**made, "schema": schema}}


def _replace_fields(schema: dict[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema of steps whose fields of these names are described anew."""
    defs = {
        kind: {
            **made,
            "properties": {
                field: names.get(field, described) for field, described in fields.items()
            },
        }
        if (fields := made.get("properties"))
        else made
        for kind, made in schema.get("$defs", {}).items()
    }
    return {**schema, "$defs": defs}


def _list_of(names: Sequence[str]) -> dict[str, Any]:
    return {"type": "array", "items": {"enum": [*names]}, "maxItems": len(names)}


def _take(slot: Parameter) -> dict[str, Any]:
    if slot.enum is not None:
        return {"enum": [*slot.enum]}
    return {"type": slot.type}
