"""The student: three nodes, and short prompts that a small model can afford."""

from typing import Literal

from tapes_app.engine.agent.agent import Agent
from tapes_app.gallery.form_filler.assistant import script, teacher
from tapes_app.gallery.form_filler.assistant.nodes import (
    BriefedNode,
    FormSelectedNode,
    IntentNode,
)
from tapes_app.gallery.form_filler.assistant.short_nodes import (
    ChoosingNode,
    ReadingNode,
    SpeakingNode,
)

NAME = "form_student"
TRAINED, FREE = "form_student_trained", "form_student_free"
CHOOSE, READ, SPEAK = "Choose", "Read", "Speak"
READ_STEPS = teacher.UPDATE_STEPS
_MOST_NODES = 12
"""In a turn, which takes four to six: a model that has learnt nothing would go on and on."""

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


Answers = Literal["structured", "json"]


def build_student() -> Agent:
    return Agent.create(
        NAME,
        templates={"intent": _INTENT, "respond": _RESPOND},
        nodes=[
            FormSelectedNode(
                name=teacher.FORM_SELECTED, find_form=script.INTENT, fill_form=script.RESPOND
            ),
            IntentNode(
                name=script.INTENT,
                template="intent",
                steps=teacher.INTENT_STEPS,
                after_answer=teacher.FORM_SELECTED,
                answers="json",
                describes_steps=False,
                remembers=False,
            ),
            BriefedNode(
                name=script.RESPOND,
                template="respond",
                steps=(*teacher.UPDATE_STEPS, *teacher.PLAN_STEPS, *teacher.LAST_STEPS),
                after_answer=teacher.FORM_SELECTED,
                answers="json",
                form="short",
                describes_steps=False,
                remembers=False,
            ),
        ],
    )


def build_trained_student(answers: Answers) -> Agent:
    """Return a student whose model has learnt what to do, and needs no instructions.

    It reads a message in one node and speaks in the next. `answers`: whether its model is asked for
    the form of an answer, or writes freely.
    """
    return Agent.create(
        TRAINED if answers == "structured" else FREE,
        max_iterations=_MOST_NODES,
        templates={"choose": "Choose the form.", "read": "Read.", "speak": "Speak."},
        nodes=[
            FormSelectedNode(name=teacher.FORM_SELECTED, find_form=CHOOSE, fill_form=READ),
            ChoosingNode(
                name=CHOOSE,
                template="choose",
                steps=teacher.INTENT_STEPS,
                after_answer=teacher.FORM_SELECTED,
                answers=answers,
                describes_steps=False,
            ),
            ReadingNode(
                name=READ,
                template="read",
                steps=READ_STEPS,
                after_answer=SPEAK,
                answers=answers,
                describes_steps=False,
            ),
            SpeakingNode(
                name=SPEAK,
                template="speak",
                steps=(*teacher.PLAN_STEPS, *teacher.LAST_STEPS),
                after_answer=teacher.FORM_SELECTED,
                answers=answers,
                describes_steps=False,
            ),
        ],
    )
