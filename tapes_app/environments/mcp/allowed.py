"""Which tools of an MCP server agents may use, and as what: kept as they were when allowed.

A prompt is made from what was allowed, never from what the server says today. So a tape can be
replayed without the server, and a server that changes a tool is noticed.
"""

import re
from typing import TYPE_CHECKING, Any, Self

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import canonical_json

if TYPE_CHECKING:
    from mcp_types import Tool as ServedTool

MOST_TOOLS = 500
LONGEST_TOOL = 100_000
"""Characters of a tool's description and schemas together."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class AllowedTool(FrozenModel):
    """A tool of a server, as it was when it was allowed."""

    name: str
    """What models call it."""

    served_as: str
    """What the server calls it."""

    description: str = ""
    parameters: dict[str, Any]
    result: dict[str, Any] | None = None
    """The JSON schema of its structured answer, if it has one."""

    is_irreversible: bool = True
    """Whether its effects cannot be undone, so that a run asks before each call."""

    @classmethod
    def read(cls, served: "ServedTool", name: str = "") -> Self:
        """Return a tool that a server offers.

        By the specification, a tool that does not say otherwise may destroy something. What the
        server says is a hint, which whoever allows the tool may overrule.

        Raises:
            InvalidInputError: no model can call it by this name, or it is too long.
        """
        hints = served.annotations
        is_harmless = hints is not None and (
            hints.read_only_hint is True or hints.destructive_hint is False
        )
        chosen = name or served.name
        if not _NAME.fullmatch(chosen):
            raise InvalidInputError(
                f"Models cannot call a tool {chosen[:80]!r}: allow it under another name, with "
                "letters, digits, - and _, at most 64.",
                tool=chosen,
            )
        tool = cls(
            name=chosen,
            served_as=served.name,
            description=served.description or served.title or "",
            parameters=served.input_schema,
            result=served.output_schema,
            is_irreversible=not is_harmless,
        )
        if len(canonical_json(tool.model_dump())) > LONGEST_TOOL:
            raise InvalidInputError(
                f"The description of tool {chosen!r} is longer than {LONGEST_TOOL:,} characters.",
                tool=chosen,
            )
        return tool

    def list_changes(self, served: "ServedTool | None") -> list[str]:
        """Return in words how the tool differs from what the server offers now."""
        if served is None:
            return ["the server no longer offers it"]
        changes = []
        if self.description != (served.description or served.title or ""):
            changes.append("its description is another one")
        for what, before, now in (
            ("argument", self.parameters, served.input_schema),
            ("field of its answer", self.result or {}, served.output_schema or {}),
        ):
            changes += _compare(what, before, now)
        return changes


def _compare(what: str, before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    if canonical_json(before) == canonical_json(now):
        return []
    old, new = before.get("properties") or {}, now.get("properties") or {}
    changes = [f"{what} {name!r} is new" for name in new if name not in old]
    changes += [f"{what} {name!r} is gone" for name in old if name not in new]
    changes += [
        f"{what} {name!r} is described in another way"
        for name in old
        if name in new and canonical_json(old[name]) != canonical_json(new[name])
    ]
    return changes or [f"what it says of each {what} is another one"]
