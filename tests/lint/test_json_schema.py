"""Arguments held against the schema of their tool, which a tape may have made up."""

from typing import Any

import pytest

from tapes_app.engine.schema_fit import find_misfit

STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "value", "place", "reason"),
    [
        ({"properties": {"city": STRING}}, {"city": 5}, "/city", "not of type 'string'"),
        ({"required": ["city"]}, {}, "", "'city' is a required property"),
        ({"enum": ["c", "f"]}, "k", "", "not one of"),
        ({"properties": {}, "additionalProperties": False}, {"town": 1}, "", "'town'"),
        ({"properties": {"a/b": {"items": STRING}}}, {"a/b": ["x", 1]}, "/a~1b/1", "1 is not"),
        ({"anyOf": [STRING, {"type": "null"}]}, 3, "", "not valid under any"),
        ({"type": "integer", "maximum": 9}, 10, "", "greater than the maximum"),
        ({"type": "integer"}, True, "", "not of type"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(
    schema: Any, value: Any, place: str, reason: str
) -> None:
    found = find_misfit(schema, value)

    assert found is not None
    assert found[0] == place
    assert reason in found[1]


@pytest.mark.parametrize(
    "schema",
    [
        None,
        "object",
        True,
        {"type": "any"},
        {"type": ["string", 7]},
        {"type": {"of": "string"}},
        {"required": True},
        {"required": "text"},
        {"enum": "abc"},
        {"properties": ["text"]},
        {"properties": {"text": {"type": "string", "required": True}}},
        {"maximum": "9"},
        {"$ref": "http://example.com/schema"},
        {"$ref": "#"},
        {"oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]},
        {"additionalProperties": False, "patternProperties": {"(a+)+$": {"type": "number"}}},
        {"properties": {"text": {"pattern": "(a+)+$"}}},
    ],
)
def test_a_schema_that_cannot_be_read_is_taken_to_fit(schema: Any) -> None:
    found = find_misfit(schema, {"text": "a" * 5000 + "!"})

    assert found is None


def test_a_schema_of_any_depth_is_survived() -> None:
    schema: Any = STRING
    value: Any = 5
    for _ in range(20_000):
        schema = {"properties": {"in": schema}}
        value = {"in": value}

    found = find_misfit(schema, value)

    assert found is None


def test_a_long_value_makes_no_long_reason() -> None:
    found = find_misfit({"type": "integer"}, "x" * 1_000_000)

    assert found is not None
    assert len(found[1]) < 250
