"""The one node of the chat agent: call tools, or say something."""

from tapes_app.engine.talk_node import TalkNode
from tapes_app.engine.tool_functions import Tools
from tapes_app.gallery.chat.tools import calculate, convert_units


class ChatNode(TalkNode):
    """Answers with tool calls or with words, and runs again in the next turn."""

    type_name = "chat.ChatNode"

    tools: Tools = (calculate, convert_units)
