"""Renaming a tool and its arguments: in the calls of a tape, and in what its context declares."""

import json
from typing import Any

from tapes_app.bulk.transform.places import change_places
from tapes_app.bulk.transform.transforms import ChangeTool
from tapes_app.engine.errors import TransformError
from tapes_app.engine.tape.splice import EditContext, Operation


def change_calls(fields: dict[str, Any], change: ChangeTool) -> dict[str, Any]:
    """Return the fields of a step with its calls of the tool renamed.

    Raises:
        TransformError: two arguments would get the same name.
    """

    def rename(function: Any) -> Any:
        if not isinstance(function, dict) or function.get("name") != change.name:
            return function
        renamed = {**function, "name": change.new_name}
        if change.arguments and "arguments" in function:
            renamed["arguments"] = _renamed_arguments(function["arguments"], change)
        return renamed

    renamed: dict[str, Any] = change_places(fields, ("tool_calls", "*", "function"), rename)
    return renamed


def _renamed_arguments(arguments: Any, change: ChangeTool) -> Any:
    """Rename the fields of arguments, which are an object or its JSON text; other values stay."""
    if isinstance(arguments, str):
        try:
            value = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        renamed = _renamed_fields(value, change)
        return arguments if renamed is value else json.dumps(renamed, ensure_ascii=False)
    return _renamed_fields(arguments, change)


def _renamed_fields(value: Any, change: ChangeTool) -> Any:
    if not isinstance(value, dict) or not any(name in value for name in change.arguments):
        return value
    renamed = {change.arguments.get(name, name): item for name, item in value.items()}
    if len(renamed) < len(value):
        raise TransformError(
            f"Two arguments of {change.name!r} would have the same name in one call."
        )
    return renamed


def change_context(context: Any, change: ChangeTool) -> list[Operation]:
    """Rename the tool in what an imported conversation declares under `tools`.

    Raises:
        TransformError: two arguments would get the same name.
    """

    def rename(function: Any) -> Any:
        if not isinstance(function, dict) or function.get("name") != change.name:
            return function
        return _renamed_declaration(function, change)

    if not isinstance(context, dict):
        return []
    renamed = change_places(context, ("tools", "*", "function"), rename)
    return [] if renamed is context else [EditContext(value=renamed)]


def _renamed_declaration(function: dict[str, Any], change: ChangeTool) -> dict[str, Any]:
    declared = {**function, "name": change.new_name}
    schema = function.get("parameters")
    if isinstance(schema, dict):
        properties = _renamed_fields(schema.get("properties"), change)
        required = schema.get("required")
        declared["parameters"] = {
            **schema,
            **({"properties": properties} if "properties" in schema else {}),
            **({"required": _renamed_names(required, change)} if "required" in schema else {}),
        }
    return declared


def _renamed_names(names: Any, change: ChangeTool) -> Any:
    if not isinstance(names, list):
        return names
    return [change.arguments.get(name, name) if isinstance(name, str) else name for name in names]
