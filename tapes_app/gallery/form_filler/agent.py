"""Teacher and student as agents of the gallery, for a person to talk to; registered on import."""

from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.spec import AgentSpec, describe_agent
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.spec import EnvironmentSpec, environments
from tapes_app.gallery.form_filler.assistant import script
from tapes_app.gallery.form_filler.assistant.student import (
    Answers,
    build_student,
    build_trained_student,
)
from tapes_app.gallery.form_filler.assistant.teacher import build_teacher
from tapes_app.gallery.form_filler.companies.environment import FORMS
from tapes_app.gallery.form_filler.steps import PromptUserForTextMessageAction
from tapes_app.gallery.form_filler.users.environment import USER

__all__ = ["USER", "describe_trained_student", "student", "teacher"]

PERSON = "form-person"
COMPANY = "FlyCorp"
"""Whose forms people fill in until they choose another company in the agent's settings."""


@environments.register(PERSON)
def build_person() -> Environment:
    """The person who fills in a form: the run waits for what they write in the browser."""
    return HumanEnvironment([PromptUserForTextMessageAction])


_ENVIRONMENT = (EnvironmentSpec(type=FORMS, settings={"company": COMPANY}), PERSON)
_MODELS = {"default": script.MODEL}

teacher = register(
    build_teacher(),
    description="Helps people fill in the forms of a company, in seven nodes: it finds the form, "
    "reads values from free text, checks them, answers questions and submits what was confirmed. "
    "Choose among six companies in its environment's settings.",
    llms=_MODELS,
    environment=_ENVIRONMENT,
)
student = register(
    build_student(),
    description="Helps people fill in the forms of a company, in three nodes with short prompts: "
    "made to be trained on tapes of form_teacher.",
    llms=_MODELS,
    environment=_ENVIRONMENT,
)


def describe_trained_student(answers: Answers) -> AgentSpec:
    """Return the student whose model has learnt what to do; it is not offered in the gallery."""
    return describe_agent(
        build_trained_student(answers),
        description="The student of the case study: its prompts have no instructions.",
        models=_MODELS,
        environment=_ENVIRONMENT,
    )
