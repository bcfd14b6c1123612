"""The one node of the order desk: call tools, or say something."""

from tapes_app.engine.talk_node import TalkNode
from tapes_app.engine.tool_functions import Tools
from tapes_app.gallery.orders.tools import cancel_order, show_order


class OrderNode(TalkNode):
    """Answers with tool calls or with words, and runs again in the next turn."""

    type_name = "orders.OrderNode"

    tools: Tools = (show_order, cancel_order)
