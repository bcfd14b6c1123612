"""Schemas of steps: what an editing form is made from."""

import json

import pytest

from tapes_app.editing.services.step_schemas import list_step_kinds, schema_of_kind, schema_of_step
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.tape.control_steps import FinalStep
from tapes_app.engine.tape.dialog_steps import ToolCall, ToolCalls, UserStep
from tapes_app.engine.tape.steps import UnknownStep


def test_a_known_step_is_edited_by_its_fields_without_kind_and_metadata() -> None:
    schema = schema_of_step(UserStep(content="hi"))

    assert schema.is_known
    assert schema.family == "observation"
    assert set(schema.data_schema["properties"]) == {"content", "attachments"}
    assert schema.data_schema["required"] == ["content"]


def test_a_kind_with_two_classes_is_edited_by_the_class_of_the_step() -> None:
    step = ToolCalls(tool_calls=(ToolCall.model_validate({"function": {"name": "f"}}),))

    schema = schema_of_step(step)

    assert set(schema.data_schema["properties"]) == {"tool_calls", "content"}
    titles = [variant.title for variant in schema.variants]
    assert titles[0] == "ToolCalls"
    assert "AssistantStep" in titles


def test_reasoning_is_edited_where_a_step_has_it() -> None:
    schema = schema_of_step(FinalStep(reason="done", reasoning_content="It is all said."))

    assert list(schema.data_schema["properties"]) == ["reason", "reasoning_content"]
    assert list(schema_of_kind("final_step").data_schema["properties"]) == ["reason"]


def test_schemas_hold_no_references() -> None:
    written = [json.dumps(schema_of_kind(kind.kind).data_schema) for kind in list_step_kinds()]

    assert written
    assert not any('"$ref"' in schema for schema in written)


def test_an_unknown_step_is_edited_by_a_schema_that_follows_its_data() -> None:
    step = UnknownStep.model_validate(
        {"kind": "gaia_question", "content": "?", "level": 2, "files": ["a"], "extra": {"b": None}}
    )

    schema = schema_of_step(step)

    assert not schema.is_known
    assert schema.data_schema["properties"] == {
        "content": {"type": "string"},
        "level": {"type": "integer"},
        "files": {"type": "array", "items": {"type": "string"}},
        "extra": {"type": "object", "properties": {"b": {}}},
    }


def test_a_kind_that_nobody_knows_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="'no_such_kind'"):
        schema_of_kind("no_such_kind")
