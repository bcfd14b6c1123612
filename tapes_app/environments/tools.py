"""Where modules written before `tapes_app.engine` had a public door find tool environments."""

from tapes_app.engine.tool_environment import ToolEnvironment

__all__ = ["ToolEnvironment"]
