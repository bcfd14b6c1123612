"""Re-exports tools for modules written before `tapes_app.engine` exported them."""

from tapes_app.engine.environment.tool_functions import Tool, ToolArgumentsError, irreversible
from tapes_app.engine.model.tool_descriptions import read_docstring

__all__ = ["Tool", "ToolArgumentsError", "irreversible", "read_docstring"]
