"""Re-exports tool environments for modules written before `tapes_app.engine` exported them."""

from tapes_app.engine.environment.tool_environment import ToolEnvironment

__all__ = ["ToolEnvironment"]
