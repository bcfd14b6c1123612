"""The analyst's team, and the environment that answers it; registered on import."""

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.spec import LLMSpec, environment_of
from tapes_app.engine.environment.environment import Environment
from tapes_app.gallery.analyst import nodes, script

NAME = "analyst"

TODAY = "2024-09-17"
"""Fixed, so that a tape made next year is the same as one made today."""

_WORD_DELAY_SECONDS = 0.02

SYSTEM = f"""\
You help people to understand listed companies. Unless they ask for something else, say in \
general what the company does and how its share price moved over the last twelve months. \
Today is {TODAY}. Use the tools for facts and never make up a number."""

PLAN = """\
Plan how you will answer with the help of the tools. Write the plan as a numbered list, one \
line for each step, and do nothing else yet."""

ACT = """\
Carry out the next step of your plan. When every step is done, answer the person."""

SEARCH = """\
Find what you are asked for on the web. Make no more than 5 tool calls in all, then answer with \
what you found and where you found it."""


searcher = Agent.create(
    nodes.SEARCH_AGENT,
    description="Searches the web and responds with what it found.",
    templates={"system": SEARCH},
    nodes=[nodes.SearchAgentMainNode()],
)


def build_environment() -> Environment:
    """Answer with the team's tools and the person: the name that older agents have stored."""
    return environment_of(agent)


agent = register(
    Agent.create(
        NAME,
        templates={"system": SYSTEM, "plan": PLAN, "act": ACT},
        nodes=[nodes.PlanNode(), nodes.ActNode()],
        subagents=[searcher],
    ),
    description="Tells about listed companies: plans, looks up prices and asks a search agent.",
    llms={
        "default": LLMSpec(
            model=f"script:{NAME}", parameters={"delay_seconds": _WORD_DELAY_SECONDS}
        )
    },
    environment=build_environment,
    script=script.answer,
)
