"""Which tools of an MCP server agents may use, and as what: kept as they were when allowed.

A prompt is made from what was allowed, never from what the server says today. So a tape can be
replayed without the server, and a server that changes a tool is noticed.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import canonical_json, digest_json

if TYPE_CHECKING:
    from mcp_types import Tool as ServedTool

MOST_TOOLS = 500
LONGEST_TOOL = 100_000
"""Characters of a tool's description and schemas together."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ToolDefinition(FrozenModel):
    """What models and checks read of a tool: it must be what was allowed."""

    description: str = ""
    parameters: dict[str, Any]
    result: dict[str, Any] | None = None
    """The JSON schema of its structured answer, if it has one."""

    @property
    def definition(self) -> dict[str, Any]:
        """Its three parts, to be compared."""
        return {
            "description": self.description,
            "parameters": self.parameters,
            "result": self.result,
        }

    @property
    def digest(self) -> str:
        """The same for two tools with the same definition only."""
        return digest_json(self.definition).hex()


class OfferedTool(ToolDefinition):
    """A tool as its server described it when it was last asked."""

    name: str
    """What the server calls it."""

    is_irreversible: bool = True
    """Whether its effects cannot be undone, as far as the server says.

    By the specification, a tool that does not say otherwise may destroy something.
    """

    @classmethod
    def read(cls, served: "ServedTool") -> Self:
        hints = served.annotations
        is_harmless = hints is not None and (
            hints.read_only_hint is True or hints.destructive_hint is False
        )
        return cls(
            name=served.name,
            description=served.description or served.title or "",
            parameters=served.input_schema,
            result=served.output_schema,
            is_irreversible=not is_harmless,
        )


class AllowedTool(ToolDefinition):
    """A tool of a server, as it was when it was allowed."""

    name: str
    """What models call it."""

    served_as: str
    """What the server calls it."""

    is_irreversible: bool = True
    """Whether its effects cannot be undone, so that a run asks before each call."""

    @classmethod
    def allow(
        cls, offered: OfferedTool, name: str = "", *, is_irreversible: bool | None = None
    ) -> Self:
        """Return a tool that a server offers.

        What the server says of its effects is a hint, which whoever allows the tool may overrule.

        Raises:
            InvalidInputError: no model can call it by this name, or it is too long.
        """
        tool = cls(
            name=name or offered.name,
            served_as=offered.name,
            is_irreversible=offered.is_irreversible if is_irreversible is None else is_irreversible,
            **offered.definition,
        )
        if not _NAME.fullmatch(tool.name):
            raise InvalidInputError(
                f"Models cannot call a tool {tool.name[:80]!r}: allow it under another name, with "
                "letters, digits, - and _, at most 64.",
                tool=tool.name,
            )
        if len(canonical_json(tool.model_dump())) > LONGEST_TOOL:
            raise InvalidInputError(
                f"The description of tool {tool.name!r} is longer than {LONGEST_TOOL:,} "
                "characters.",
                tool=tool.name,
            )
        return tool

    def list_changes(self, offered: OfferedTool | None) -> list[str]:
        """Return in words how the tool differs from what the server offers now."""
        if offered is None:
            return ["the server no longer offers it"]
        changes = []
        if self.description != offered.description:
            changes.append("its description is another one")
        for what, before, now in (
            ("argument", self.parameters, offered.parameters),
            ("field of its answer", self.result or {}, offered.result or {}),
        ):
            changes += _compare(what, before, now)
        return changes


def refuse_twins(allowed: Sequence[AllowedTool]) -> None:
    """Refuse too many tools of a server, and two of one name.

    Raises:
        InvalidInputError: these cannot all be allowed.
    """
    names = [tool.name for tool in allowed]
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise InvalidInputError(f"Two tools would be named {twice!r}; give one another name.")
    if len(names) > MOST_TOOLS:
        raise InvalidInputError(f"At most {MOST_TOOLS} tools of a server can be allowed.")


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
