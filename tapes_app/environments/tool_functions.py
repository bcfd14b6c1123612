"""Re-exports tools for modules written before `tapes_app.engine` exported them."""

from tapes_app.engine.tool_descriptions import read_docstring
from tapes_app.engine.tool_functions import Tool, ToolArgumentsError, irreversible

__all__ = ["Tool", "ToolArgumentsError", "irreversible", "read_docstring"]
