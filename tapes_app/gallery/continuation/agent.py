"""The continuation agent as data, and the person who answers it; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.human import StandInEnvironment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.gallery.continuation import nodes, script

NAME = "continuation"

SYSTEM = """\
You go on with a recorded session of an AI agent. Its steps follow as messages: what the agent \
thought and did is said by the assistant, what it observed by the user. Steps that are more than \
words are JSON objects with a field "kind". Continue as that agent would: answer the person, or \
call one of the tools. Do not repeat what was done already."""

GO_ON = "Go on from here."


@gallery_agents.register(NAME)
def build_continuation_spec() -> AgentSpec:
    return AgentSpec(
        name=NAME,
        description=(
            "Goes on from any tape, also an imported transcript or one whose agent is not here. "
            "It asks with the tape's own system message, tools and steps; you give the results "
            "of tools."
        ),
        llms={"default": LLMSpec(model=script.MODEL)},
        templates={"system": SYSTEM, "go_on": GO_ON},
        nodes=(NodeSpec(type=nodes.ContinueNode.type_name, settings={"name": "ContinueNode"}),),
        environment=NAME,
    )


@environments.register(NAME)
def build_continuation_environment() -> Environment:
    return StandInEnvironment()
