"""The analyst as data, and the environment that answers it; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, describe_node, make_environment
from tapes_app.gallery.analyst import nodes, script

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


@gallery_agents.register("analyst")
def build_analyst_spec() -> AgentSpec:
    """Return the team: the analyst, and the search agent below it."""
    llms = {
        "default": LLMSpec(model=script.MODEL, parameters={"delay_seconds": _WORD_DELAY_SECONDS})
    }
    return AgentSpec(
        name="analyst",
        description="Tells about listed companies: plans, looks up prices and asks a search agent.",
        llms=llms,
        templates={"system": SYSTEM, "plan": PLAN, "act": ACT},
        nodes=(describe_node(nodes.PlanNode()), describe_node(nodes.ActNode())),
        subagents=(
            AgentSpec(
                name=nodes.SEARCH_AGENT,
                description="Searches the web and responds with what it found.",
                llms=llms,
                templates={"system": SEARCH},
                nodes=(describe_node(nodes.SearchAgentMainNode()),),
            ),
        ),
        environment="analyst",
    )


@environments.register("analyst")
def build_analyst_environment() -> Environment:
    """Return the tools of the whole team, and the person who reads the answers."""
    return make_environment([nodes.ActNode(), nodes.SearchAgentMainNode()])
