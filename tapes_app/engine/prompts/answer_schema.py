"""The form of an answer, described to a provider: as a schema OpenAI accepts, or in words."""

import re
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import canonical_json, user_message
from tapes_app.engine.model.tool_descriptions import without_titles
from tapes_app.engine.tape.steps import Step

_LONGEST_NAME = 64
_KEPT = ("type", "enum", "const")
_BOUNDS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
     "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"}
)  # fmt: skip


class _OpenSchemaError(Exception):
    """Some part accepts any value, which no provider can enforce."""


@lru_cache(maxsize=256)
def make_response_format(form: type[BaseModel]) -> dict[str, Any]:
    """Return the `response_format` of a class: always the same object, so do not change it.

    It is strict where the class defines every part: then all fields are required, and bounds, which
    not every provider accepts, move into the descriptions. An open part, such as `dict[str, int]`,
    makes it a plain hint. The class checks the answer either way.

    Raises:
        AgentConfigError: the class is not a JSON object.
    """
    schema = without_titles(form.model_json_schema())
    defs = schema.pop("$defs", {})
    if "$ref" in schema:  # a class that contains itself
        schema = _look_up(schema, defs)
    if schema.get("type") != "object":
        raise AgentConfigError(
            f"{form.__name__} is not a JSON object, which providers want; put its value into a "
            "field of a class.",
            form=form.__name__,
        )
    if issubclass(form, Step):
        schema = _without_fields(schema, form.hidden_fields)
    return _wrap(re.sub(r"[^a-zA-Z0-9_-]", "_", form.__name__)[:_LONGEST_NAME], schema, defs)


@lru_cache(maxsize=256)
def make_steps_format(classes: tuple[type[Step], ...]) -> dict[str, Any]:
    """Return the `response_format` of `{"steps": […]}`, a list of steps of any of these classes.

    Always the same object, so do not change it; strict as for `make_response_format`.
    """
    wanted: list[tuple[type[BaseModel], Literal["validation"]]] = [
        (cls, "validation") for cls in classes
    ]
    refs, made = models_json_schema(wanted)
    defs = without_titles(made).get("$defs", {})
    for cls in classes:
        name = refs[cls, "validation"]["$ref"].rpartition("/")[2]
        defs[name] = _without_fields(defs[name], cls.hidden_fields)
    items = {"anyOf": [refs[cls, "validation"] for cls in classes]}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": items}},
        "required": ["steps"],
    }
    return _wrap("steps", schema, defs)


def _wrap(name: str, schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    try:
        schema, is_strict = _StrictSchema(defs).convert_all(schema), True
    except _OpenSchemaError:
        schema, is_strict = {**schema, "$defs": defs} if defs else schema, False
    made = {"name": name, "schema": schema, "strict": is_strict}
    return {"type": "json_schema", "json_schema": made}


def describe_form(response_format: dict[str, Any]) -> str:
    """Return the request for an answer of a form in words, with its schema if it has one."""
    schema = response_format.get("json_schema", {}).get("schema")
    return "Answer with one JSON object and nothing else" + (
        f". It has to fit this JSON schema:\n{canonical_json(schema)}" if schema else "."
    )


def put_schema_in_prompt(prompt: Prompt) -> Prompt:
    """Return the prompt for a provider without `response_format`: the schema goes into the text.

    A prompt that describes the form already is only freed of the field.
    """
    request = describe_form(prompt.response_format or {})
    if any(request in message.text for message in prompt.messages):
        return prompt.model_copy(update={"response_format": None})
    *before, last = prompt.messages or (user_message(""),)
    if last.role == "user" and isinstance(last.get("content"), str):
        # Some providers require alternating roles.
        messages = (*before, user_message(f"{last.text}\n\n{request}"))
    else:
        messages = (*before, last, user_message(request))
    return Prompt(
        id=prompt.id,
        messages=messages,
        tools=prompt.tools,
        sampling=prompt.sampling,
        tool_choice=prompt.tool_choice,
    )


def _without_fields(schema: dict[str, Any], hidden: frozenset[str]) -> dict[str, Any]:
    """Drop the fields that the engine fills in, and make `kind` required."""
    fields = {name: field for name, field in schema["properties"].items() if name not in hidden}
    required = [name for name in fields if name == "kind" or name in schema.get("required", ())]
    return {**schema, "properties": fields, "required": required}


def _look_up(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = defs[schema["$ref"].rpartition("/")[2]]
    return found


class _StrictSchema:
    """Rewrites a schema together with the definitions it needs."""

    def __init__(self, defs: dict[str, Any]) -> None:
        self._defs = defs
        self._converted: dict[str, Any] = {}

    def convert_all(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the complete schema in its strict form.

        Raises:
            _OpenSchemaError: it has no strict form.
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
        description = _describe(schema)
        return {**made, "description": description} if description else made

    def _refer(self, ref: str, schema: dict[str, Any]) -> dict[str, Any]:
        name = ref.rpartition("/")[2]
        if name not in self._converted:
            self._converted[name] = {}  # it may contain itself
            self._converted[name] = self._convert(self._defs[name])
        # Nothing may accompany a reference.
        return {"anyOf": [{"$ref": ref}]} if _describe(schema) else {"$ref": ref}


def _describe(schema: dict[str, Any]) -> str:
    bounds = {key: schema[key] for key in schema.keys() & _BOUNDS}
    description = schema.get("description", "")
    return " ".join(
        part for part in (description, canonical_json(bounds) if bounds else "") if part
    )
