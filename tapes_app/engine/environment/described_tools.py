"""Tools that are only descriptions: those of a caller, and those that are not here any more."""

from collections.abc import Sequence
from typing import Any

from tapes_app.engine.environment.tool_context import ToolContext
from tapes_app.engine.environment.tool_functions import AnyTool, Tool, ToolFailedError


class DescribedTool(Tool[..., Any]):
    """A tool that models are offered as it is described; something else answers its calls."""

    def __init__(self, schema: dict[str, Any]) -> None:
        super().__init__(_answered_elsewhere)
        self.name = str(schema["function"]["name"])
        self._given = schema

    def schema(self) -> dict[str, Any]:
        return self._given

    def result_schema(self) -> dict[str, Any] | None:
        return None


class GoneTool(DescribedTool):
    """A tool that a spec names and that is not here any more, as recorded calls describe it."""

    def __init__(self, used_as: str, schema: dict[str, Any]) -> None:
        super().__init__(schema)
        self.used_as = used_as

    @property
    def type_name(self) -> str:
        return self.used_as

    async def call(self, arguments: dict[str, Any], context: ToolContext | None = None) -> Any:
        """Refuse: only an emulator, a person or the record can answer in its place.

        Raises:
            ToolFailedError: always.
        """
        del arguments, context
        raise ToolFailedError(f"There is no tool {self.name!r} here any more.")


def caller_tools(schemas: Sequence[dict[str, Any]]) -> tuple[AnyTool, ...]:
    """Return tools of whoever calls an agent from outside, who carries them out there."""
    return tuple(map(DescribedTool, schemas))


def _answered_elsewhere() -> None:
    raise AssertionError("the run's policy has the call answered before an environment gets it")
