"""An edit is told by its first change, in one line, whatever it holds."""

from typing import Any

import pytest

from tapes_app.engine.tape.splice import OPERATIONS, arrange
from tapes_app.tapes.domain.edit_words import LONGEST_WORDS, describe_edit

RECORDED: dict[int, dict[str, Any]] = {
    at: {"kind": "tool", "content": f"Error: no price of {at}", "metadata": {"id": "x"}}
    for at in range(9)
}


def called(arguments: str) -> dict[str, Any]:
    return {"id": "a", "function": {"name": "get_price", "arguments": arguments}}


RECORDED[8] = {"kind": "tool", "tool_calls": [called('{"days": 3, "symbol": "AMIL"}')]}


def words(*operations: dict[str, Any]) -> str:
    return describe_edit(arrange(9, OPERATIONS.validate_python(operations)), RECORDED)


def put(position: int, **values: Any) -> dict[str, Any]:
    return {"op": "replace", "position": position, "step": {"kind": "tool", **values}}


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        ([], ""),
        ([put(4, content="$36.00")], '#4 content: "Error: no price of 4" → "$36.00"'),
        (
            [put(4, content="Error: no price of 5")],
            '#4 content: "…price of 4" → "…price of 5"',
        ),
        ([put(4, content=RECORDED[4]["content"], unit="kg")], '#4 unit: added "kg"'),
        ([put(4)], '#4 content: removed "Error: no price of 4"'),
        ([put(4, content=36)], '#4 content: "Error: no price of 4" → 36'),
        (
            [put(8, tool_calls=[called('{"symbol": "AST", "days": 3}')])],
            '#8 symbol: "AMIL" → "AST"',
        ),
        (
            [put(8, tool_calls=[called("{")])],
            '#8 tool_calls.0.function.arguments: "{"days": 3, "symbol": "AMIL"}" → "{"',
        ),
        (
            [put(8, tool_calls=[called('{"symbol":"AMIL"}')])],
            "#8 days: removed 3",
        ),
        (
            [{"op": "insert", "position": 2, "step": {"kind": "user", "content": "Hi"}}],
            '#2 added: "Hi"',
        ),
        ([{"op": "delete", "position": 2}, put(4, content="x")], "#2 deleted, 1 more"),
        ([{"op": "cut", "position": 7}], "cut at #7"),
        ([{"op": "move", "position": 1, "to": 3}], "#1 moved to #3"),
        ([{"op": "keep", "position": 1}], ""),
        ([{"op": "context", "value": {}}], "another context"),
    ],
)
def test_an_edit_is_told_by_its_first_change(operations: list[Any], said: str) -> None:
    assert words(*operations) == said


def test_whatever_a_step_holds_the_line_stays_short_and_one() -> None:
    hostile = "<b>\n" * 100_000

    said = words(put(4, **{"x" * 500: hostile}, content=hostile), put(5, content="y"))

    assert len(said) <= LONGEST_WORDS
    assert "\n" not in said
