"""The student: three nodes, and short prompts that a small model can afford."""

from typing import Literal

from tapes_app.engine.agent.agent import Agent
from tapes_app.gallery.form_filler.assistant import script, teacher
from tapes_app.gallery.form_filler.assistant.nodes import (
    BriefedNode,
    FormSelectedNode,
    IntentNode,
    ShownForm,
)

NAME = "form_student"
TRAINED, FREE = "form_student_trained", "form_student_free"

_INTENT = """Choose the form that the user asks for (inspect_function_action: function), or ask \
which one (request_function_thought: functions; before it refuse_inexistent_function_thought if \
there is none; then prompt_user_for_text_message_action: prompt). Write {"steps": [{"kind": \
…}]}."""

_RESPOND = """Fill in the form by the user's last message. Write {"steps": [{"kind": …}]}: first \
update_function_parameters_thought (function, assign, skip), then as needed \
refuse_invalid_function_parameter_value_thought (function, parameter, parameter_value), \
refuse_skipping_parameter_thought (function, parameter), answer_from_function_schema_thought, \
no_answer_in_function_schema_thought (function), refuse_to_engage_thought; then one of \
request_function_parameters_thought (function, parameters: one open slot), \
request_function_call_confirmation_thought (function) if none is open, \
request_exit_confirmation_thought, reasoning_thought (reasoning) once confirmed; last one of \
prompt_user_for_text_message_action (prompt), call_function_action (function), exit_action \
(text)."""


_SHORT_INTENT = "Choose the form."
_SHORT_RESPOND = "Fill in the form."
Answers = Literal["structured", "json"]


def build_student() -> Agent:
    return _build(NAME, _INTENT, _RESPOND, form="short", answers="json")


def build_trained_student(answers: Answers) -> Agent:
    """Return a student whose model has learnt what to do, and needs no instructions.

    `answers`: whether its model is asked for the form of an answer, or writes freely.
    """
    name = TRAINED if answers == "structured" else FREE
    return _build(name, _SHORT_INTENT, _SHORT_RESPOND, form="brief", answers=answers)


def _build(name: str, intent: str, respond: str, *, form: ShownForm, answers: Answers) -> Agent:
    return Agent.create(
        name,
        templates={"intent": intent, "respond": respond},
        nodes=[
            FormSelectedNode(
                name=teacher.FORM_SELECTED, find_form=script.INTENT, fill_form=script.RESPOND
            ),
            IntentNode(
                name=script.INTENT,
                template="intent",
                steps=teacher.INTENT_STEPS,
                after_answer=teacher.FORM_SELECTED,
                answers=answers,
                describes_steps=False,
                remembers=False,
            ),
            BriefedNode(
                name=script.RESPOND,
                template="respond",
                steps=(*teacher.UPDATE_STEPS, *teacher.PLAN_STEPS, *teacher.LAST_STEPS),
                after_answer=teacher.FORM_SELECTED,
                answers=answers,
                form=form,
                describes_steps=False,
                remembers=False,
            ),
        ],
    )
