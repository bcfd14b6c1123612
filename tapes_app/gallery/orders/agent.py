"""The order desk: its one node, the agent as data, its environment; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, describe_node, make_environment
from tapes_app.engine.talk_node import TalkNode
from tapes_app.engine.tool_functions import Tools
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


@gallery_agents.register(NAME)
def build_orders_spec() -> AgentSpec:
    return AgentSpec(
        name=NAME,
        description="Shows and cancels orders; they are the environment's state, new for each run.",
        llms={"default": LLMSpec(model=script.MODEL)},
        templates={"system": SYSTEM},
        nodes=(describe_node(OrderNode()),),
        environment=NAME,
    )


@environments.register(NAME)
def build_orders_environment() -> Environment:
    """Return the tools, and the person who reads the answers."""
    return make_environment([OrderNode()])
