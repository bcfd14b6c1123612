"""Tools of whoever calls an agent from outside: they are described here and carried out there."""

from collections.abc import Sequence
from typing import Any

from tapes_app.engine.environment.tool_functions import AnyTool, Tool


class CallerTool(Tool[..., Any]):
    """A tool that is only a description: its calls wait for the caller's results."""

    def __init__(self, schema: dict[str, Any]) -> None:
        super().__init__(_answered_elsewhere)
        self.name = str(schema["function"]["name"])
        self._given = schema

    def schema(self) -> dict[str, Any]:
        return self._given


def caller_tools(schemas: Sequence[dict[str, Any]]) -> tuple[AnyTool, ...]:
    return tuple(CallerTool(schema) for schema in schemas)


def _answered_elsewhere() -> None:
    raise AssertionError("the run's policy asks the caller before an environment gets the call")
