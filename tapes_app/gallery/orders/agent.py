"""The order desk as data, and the environment that answers it; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.team_environment import make_environment
from tapes_app.gallery.orders import nodes, script

NAME = "orders"

SYSTEM = """\
You work at the order desk of a shop. Look orders up before you say anything about them, and \
cancel one only when you are asked to. Answer briefly."""


@gallery_agents.register(NAME)
def build_orders_spec() -> AgentSpec:
    return AgentSpec(
        name=NAME,
        description="Shows and cancels orders; they are the environment's state, new for each run.",
        llms={"default": LLMSpec(model=script.MODEL)},
        templates={"system": SYSTEM},
        nodes=(NodeSpec(type=nodes.OrderNode.type_name, settings={"name": "OrderNode"}),),
        environment=NAME,
    )


@environments.register(NAME)
def build_orders_environment() -> Environment:
    """Return the tools, and the person who reads the answers."""
    return make_environment([nodes.OrderNode()])
