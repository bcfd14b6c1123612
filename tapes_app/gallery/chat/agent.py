"""The chat agent: its one node, its environment; registered on import."""

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.spec import LLMSpec, environment_of
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.tool_functions import Tools
from tapes_app.gallery.chat import script
from tapes_app.gallery.chat.tools import calculate, convert_units

NAME = "chat"

_WORD_DELAY_SECONDS = 0.03

SYSTEM = """\
You are a friendly assistant. Use the calculator and the unit converter for anything with \
numbers instead of working it out yourself. Answer briefly."""


class ChatNode(TalkNode):
    """Answers with tool calls or with text, and runs again in the next turn."""

    type_name = "chat.ChatNode"

    tools: Tools = (calculate, convert_units)


def build_environment() -> Environment:
    """Answer with the tools and the person: the name that older agents have stored."""
    return environment_of(agent)


agent = register(
    Agent.create(NAME, templates={"system": SYSTEM}, nodes=[ChatNode()]),
    description="Talks with you and uses a calculator and a unit converter.",
    llms={
        "default": LLMSpec(
            model=f"script:{NAME}", parameters={"delay_seconds": _WORD_DELAY_SECONDS}
        )
    },
    environment=build_environment,
    script=script.answer,
)
