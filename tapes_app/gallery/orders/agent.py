"""The order desk: its one node, its environment; registered on import."""

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.spec import environment_of
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.tool_functions import Tools
from tapes_app.gallery.orders import script
from tapes_app.gallery.orders.tools import cancel_order, show_order

NAME = "orders"

SYSTEM = """\
You work at the order desk of a shop. Look orders up before you say anything about them, and \
cancel one only when you are asked to. Answer briefly."""


class OrderNode(TalkNode):
    """Answers with tool calls or with text, and runs again in the next turn."""

    type_name = "orders.OrderNode"

    tools: Tools = (show_order, cancel_order)


def build_environment() -> Environment:
    """Answer with the tools and the person: the name that older agents have stored."""
    return environment_of(agent)


agent = register(
    Agent.create(NAME, templates={"system": SYSTEM}, nodes=[OrderNode()]),
    description="Shows and cancels orders; they are the environment's state, new for each run.",
    environment=build_environment,
    script=script.answer,
)
