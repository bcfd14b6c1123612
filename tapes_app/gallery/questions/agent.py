"""The agent that answers questions from documents: two nodes plan, the third acts in a loop."""

from pathlib import Path

from tapes_app.builders.mono import MonoNode
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.spec import LLMSpec
from tapes_app.engine.environment.spec import EnvironmentSpec
from tapes_app.environments.code import RUN_CODE
from tapes_app.environments.search.environment import SEARCH, read_document, search
from tapes_app.environments.search.folders import folders
from tapes_app.gallery.chat.tools import calculate
from tapes_app.gallery.questions import script
from tapes_app.gallery.questions.steps import (
    AnswerAction,
    FactsThought,
    NewFactThought,
    PlanThought,
)

NAME = "questions"
FOLDER = "lune-islands"
"""Documents about islands that we made up, in place of a folder of this name in the data folder."""

SYSTEM = """\
You answer questions from documents, which you search and read. The answer is as short as can be: \
a number with its unit, a name, or a list with commas. Round only if the question says how."""

TEMPLATES = {
    "system": SYSTEM,
    "plan": "Plan in a few steps how to find the answer. Do not answer yet.",
    "facts": (
        "List the facts that the question gives, those to look up, those to work out from others, "
        "and what you only guess. Do not answer yet."
    ),
    "act": (
        "Do the next thing: call tools, note one new fact with its source, or answer. Compute with "
        "calculate or run_code, never in your head. Mind the units of the documents."
    ),
}

folders.add(FOLDER, Path(__file__).parent / "documents")

agent = register(
    Agent.create(
        NAME,
        templates=TEMPLATES,
        nodes=[
            MonoNode(name="plan", guidance="plan", steps=[PlanThought]),
            MonoNode(name="facts", guidance="facts", steps=[FactsThought]),
            MonoNode(
                name="act",
                guidance="act",
                steps=[NewFactThought, AnswerAction],
                tools=[search, read_document, calculate, RUN_CODE],
            ),
        ],
    ),
    description="Answers questions that take several documents and some computing.",
    llms={
        "default": LLMSpec(
            model=script.MODEL, parameters={"script": {"error_rate": script.ERROR_RATE, "seed": 0}}
        )
    },
    environment=(EnvironmentSpec(type=SEARCH, settings={"folder": FOLDER}), ""),
)
