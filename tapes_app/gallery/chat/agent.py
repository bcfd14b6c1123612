"""The chat agent: its one node, the agent as data, its environment; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, describe_node, make_environment
from tapes_app.engine.talk_node import TalkNode
from tapes_app.engine.tool_functions import Tools
from tapes_app.gallery.chat import script
from tapes_app.gallery.chat.tools import calculate, convert_units

_WORD_DELAY_SECONDS = 0.03

SYSTEM = """\
You are a friendly assistant. Use the calculator and the unit converter for anything with \
numbers instead of working it out yourself. Answer briefly."""


class ChatNode(TalkNode):
    """Answers with tool calls or with text, and runs again in the next turn."""

    type_name = "chat.ChatNode"

    tools: Tools = (calculate, convert_units)


@gallery_agents.register("chat")
def build_chat_spec() -> AgentSpec:
    llm = LLMSpec(model=script.MODEL, parameters={"delay_seconds": _WORD_DELAY_SECONDS})
    return AgentSpec(
        name="chat",
        description="Talks with you and uses a calculator and a unit converter.",
        llms={"default": llm},
        templates={"system": SYSTEM},
        nodes=(describe_node(ChatNode()),),
        environment="chat",
    )


@environments.register("chat")
def build_chat_environment() -> Environment:
    """Return the tools, and the person who reads the answers."""
    return make_environment([ChatNode()])
