"""The JSON schema of agents as files, with the settings of each node type."""

from typing import Any, Literal

from pydantic import BaseModel
from pydantic.errors import PydanticUserError
from pydantic.json_schema import models_json_schema

from tapes_app.authoring.domain.node_types import SettingsSchema, list_usable
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.spec import AgentSpec

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def make_spec_schema() -> dict[str, Any]:
    """Return the schema of `AgentSpec`; a node's settings depend on its type."""
    classes = list_usable()
    known = [cls for cls in classes if _has_schema(cls)]
    models: list[tuple[type[BaseModel], Literal["validation"]]] = [(AgentSpec, "validation")]
    models += [(cls, "validation") for cls in known]
    refs, schema = models_json_schema(models, schema_generator=SettingsSchema)
    node = schema["$defs"]["NodeSpec"]
    node["properties"]["type"]["enum"] = [cls.type_name for cls in classes]
    node["allOf"] = [
        {
            "if": {"properties": {"type": {"const": cls.type_name}}},
            "then": {"properties": {"settings": refs[(cls, "validation")]}},
        }
        for cls in known
    ]
    return {
        "$schema": _DIALECT,
        "title": "Agent",
        **refs[(AgentSpec, "validation")],
        "$defs": schema["$defs"],
    }


def _has_schema(cls: type[Node]) -> bool:
    try:
        cls.model_json_schema(schema_generator=SettingsSchema)
    except PydanticUserError:
        return False
    return True
