"""The classes of nodes that a spec can name, with what a form needs to know of each."""

import inspect
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema

from tapes_app.authoring.domain.rows import NodeType
from tapes_app.builders.control_flow import ControlNode
from tapes_app.builders.function_node import LLMFunctionNode
from tapes_app.builders.llm_function import LLMFunctionTemplate
from tapes_app.builders.step_kinds import name_step_class
from tapes_app.engine.agent.nodes import NODE_CLASSES, Node
from tapes_app.engine.agent.structured_node import StructuredNode
from tapes_app.engine.environment.tool_functions import Tool
from tapes_app.engine.tape.steps import Step

_SHIPPED = __name__.partition(".")[0]
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z0-9]+")


class SettingsSchema(GenerateJsonSchema):
    """Writes schemas in which default tools and kinds of steps are named as in a spec."""

    def encode_default(self, dft: Any) -> Any:
        if isinstance(dft, list | tuple):
            return [self.encode_default(one) for one in dft]
        if isinstance(dft, Tool):
            return dft.type_name
        if isinstance(dft, type) and issubclass(dft, Step):
            return name_step_class(dft)
        return super().encode_default(dft)


def list_node_types() -> list[NodeType]:
    """Return the classes that can be built from data, by their type."""
    return [describe_type(cls) for cls in list_usable()]


def list_usable() -> list[type[Node]]:
    """Return the classes that are more than a base of others, by their type."""
    return [cls for _, cls in sorted(NODE_CLASSES.items()) if is_usable(cls)]


def is_usable(cls: type[Node]) -> bool:
    """Return whether nodes of a class can run: not if it is only a base of others."""
    if issubclass(cls, StructuredNode):
        return hasattr(cls, "output")
    if issubclass(cls, ControlNode):
        return cls.write_steps is not ControlNode.write_steps
    return cls.generate_steps is not Node.generate_steps


@lru_cache(maxsize=1000)
def describe_type(cls: type[Node]) -> NodeType:
    schema = make_settings_schema(cls)
    properties = {name: one for name, one in schema.get("properties", {}).items() if name != "name"}
    return NodeType(
        type=cls.type_name,
        title=_title(cls.__name__),
        description=inspect.cleandoc(cls.__doc__ or "").partition("\n\nRaises:")[0],
        settings_schema={**schema, "properties": properties},
        has_prompt=asks_model(cls),
        function_schema=LLMFunctionTemplate.model_json_schema()
        if issubclass(cls, LLMFunctionNode)
        else None,
        written_in=find_source(cls),
    )


def find_source(cls: type) -> str:
    """Return file and line of a class that somebody wrote here; empty for one that ships.

    The folders above its package stay on the server.
    """
    if cls.__module__.partition(".")[0] == _SHIPPED:
        return ""
    with suppress(OSError, TypeError):  # made in a shell, or without its source
        file = Path(inspect.getfile(cls))
        depth = len(cls.__module__.split(".")) + (file.name == "__init__.py")
        return f"{'/'.join(file.parts[-depth:])}, line {inspect.getsourcelines(cls)[1]}"
    return cls.__module__


def make_settings_schema(cls: type[Node]) -> dict[str, Any]:
    """Return the JSON schema of the settings of a class; of any object where it has none."""
    try:
        return cls.model_json_schema(schema_generator=SettingsSchema)
    except PydanticUserError:  # a plugin's field of a type that is not in JSON
        return {"type": "object", "properties": {}}


def asks_model(cls: type[Node]) -> bool:
    """Return whether nodes of a class make prompts."""
    return cls.make_prompt is not Node.make_prompt


def _title(name: str) -> str:
    """Return `LLMFunctionNode` as `LLM function`."""
    words = _WORD.findall(name.removesuffix("Node") or name)
    return " ".join([*words[:1], *(word if word.isupper() else word.lower() for word in words[1:])])
