"""The form of an answer as a provider is told it: a schema as OpenAI documents it, or words."""

import re
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.llm import Prompt
from tapes_app.engine.messages import canonical_json, user_message
from tapes_app.engine.steps import Step
from tapes_app.engine.tool_descriptions import without_titles

_LONGEST_NAME = 64
_KEPT = ("type", "enum", "const")
_BOUNDS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
     "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"}
)  # fmt: skip


class _OpenSchemaError(Exception):
    """Some part takes any value, which no provider holds an answer to."""


@lru_cache(maxsize=256)
def make_response_format(form: type[BaseModel]) -> dict[str, Any]:
    """Return the `response_format` of a class: the same object each time, not to change.

    It is strict where the class says what every part is: all fields are required then, and
    bounds, which not every provider takes, are told in the descriptions. What is open, such as
    `dict[str, int]`, makes it a plain hint. An answer is checked by the class either way.

    Raises:
        AgentConfigError: the class is no JSON object.
    """
    schema = without_titles(form.model_json_schema())
    defs = schema.pop("$defs", {})
    if "$ref" in schema:  # a class that holds itself
        schema = _look_up(schema, defs)
    if schema.get("type") != "object":
        raise AgentConfigError(
            f"{form.__name__} is not a JSON object, which providers want; put its value into a "
            "field of a class.",
            form=form.__name__,
        )
    if issubclass(form, Step):
        schema = _without_fields(schema, form.beside_fields)
    try:
        schema, is_strict = _StrictSchema(defs).convert_all(schema), True
    except _OpenSchemaError:
        schema, is_strict = {**schema, "$defs": defs} if defs else schema, False
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", form.__name__)[:_LONGEST_NAME]
    made = {"name": name, "schema": schema, "strict": is_strict}
    return {"type": "json_schema", "json_schema": made}


def ask_in_words(prompt: Prompt) -> Prompt:
    """Return the prompt for a provider that takes no `response_format`: it says the schema."""
    wanted = prompt.response_format or {}
    schema = wanted.get("json_schema", {}).get("schema")
    said = "Answer with one JSON object and nothing else" + (
        f". It has to fit this JSON schema:\n{canonical_json(schema)}" if schema else "."
    )
    *before, last = prompt.messages or (user_message(""),)
    if last.role == "user" and isinstance(last.get("content"), str):
        # Some providers want the roles to alternate.
        messages = (*before, user_message(f"{last.text}\n\n{said}"))
    else:
        messages = (*before, last, user_message(said))
    return Prompt(
        id=prompt.id,
        messages=messages,
        tools=prompt.tools,
        sampling=prompt.sampling,
        tool_choice=prompt.tool_choice,
    )


def _without_fields(schema: dict[str, Any], beside: frozenset[str]) -> dict[str, Any]:
    """Leave out what the engine says of a step, and let its kind be given always."""
    fields = {name: field for name, field in schema["properties"].items() if name not in beside}
    required = [name for name in fields if name == "kind" or name in schema.get("required", ())]
    return {**schema, "properties": fields, "required": required}


def _look_up(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = defs[schema["$ref"].rpartition("/")[2]]
    return found


class _StrictSchema:
    """Rewrites a schema with the definitions that it needs."""

    def __init__(self, defs: dict[str, Any]) -> None:
        self._defs = defs
        self._converted: dict[str, Any] = {}

    def convert_all(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the whole schema in its strict form.

        Raises:
            _OpenSchemaError: it has none.
        """
        made = self._convert(schema)
        return {**made, "$defs": self._converted} if self._converted else made

    def _convert(self, schema: Any) -> dict[str, Any]:
        match schema:
            case {"$ref": str(ref)}:
                made = self._refer(ref, schema)
            case {"type": "object", "properties": dict(fields)} if not schema.get(
                "additionalProperties"
            ):
                made = {
                    "type": "object",
                    "properties": {name: self._convert(item) for name, item in fields.items()},
                    "required": list(fields),
                    "additionalProperties": False,
                }
            case {"type": "array", "items": items} if "prefixItems" not in schema:
                made = {"type": "array", "items": self._convert(items)}
            case {"anyOf": options} | {"oneOf": options}:
                made = {"anyOf": [self._convert(option) for option in options]}
            case {"type": str(name)} if name not in ("object", "array"):
                made = {key: schema[key] for key in _KEPT if key in schema}
            case {"enum": _} | {"const": _}:
                made = {key: schema[key] for key in _KEPT if key in schema}
            case _:
                raise _OpenSchemaError
        said = _describe(schema)
        return {**made, "description": said} if said else made

    def _refer(self, ref: str, schema: dict[str, Any]) -> dict[str, Any]:
        name = ref.rpartition("/")[2]
        if name not in self._converted:
            self._converted[name] = {}  # it may hold itself
            self._converted[name] = self._convert(self._defs[name])
        # Nothing may stand beside a reference.
        return {"anyOf": [{"$ref": ref}]} if _describe(schema) else {"$ref": ref}


def _describe(schema: dict[str, Any]) -> str:
    bounds = {key: schema[key] for key in schema.keys() & _BOUNDS}
    said = schema.get("description", "")
    return " ".join(part for part in (said, canonical_json(bounds) if bounds else "") if part)
