"""The chat agent as data, and the environment that answers it; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.team_environment import make_environment
from tapes_app.gallery.chat import nodes, script

_WORD_DELAY_SECONDS = 0.03

SYSTEM = """\
You are a friendly assistant. Use the calculator and the unit converter for anything with \
numbers instead of working it out yourself. Answer briefly."""


@gallery_agents.register("chat")
def build_chat_spec() -> AgentSpec:
    llm = LLMSpec(model=script.MODEL, parameters={"delay_seconds": _WORD_DELAY_SECONDS})
    return AgentSpec(
        name="chat",
        description="Talks with you and uses a calculator and a unit converter.",
        llms={"default": llm},
        templates={"system": SYSTEM},
        nodes=(NodeSpec(type=nodes.ChatNode.type_name, settings={"name": "ChatNode"}),),
        environment="chat",
    )


@environments.register("chat")
def build_chat_environment() -> Environment:
    """Return the tools, and the person who reads the answers."""
    return make_environment([nodes.ChatNode()])
