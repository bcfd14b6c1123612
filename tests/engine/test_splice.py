"""What operations make of a tape, and where an agent goes on after them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tapes_app.engine.errors import EditError
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.splice import (
    LINEAGE,
    OPERATIONS,
    MoveStep,
    Operation,
    apply_operations,
    arrange,
    splice,
)
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import build_tape, texts, thought
from tests.engine.strategies import tapes

CASES = json.loads((Path(__file__).parent / "splice_cases.json").read_text())
"""The browser is tested on the same (`operations.test.ts`)."""


def operations(*values: dict[str, Any]) -> tuple[Operation, ...]:
    return OPERATIONS.validate_python(values)


def user(text: str) -> dict[str, Any]:
    return {"kind": "user", "content": text}


def numbered(count: int) -> Tape:
    return build_tape(*[UserStep(content=f"step {number}") for number in range(count)])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_an_agent_goes_on_behind_the_last_thing_that_was_touched(case: dict[str, Any]) -> None:
    edited = arrange(case["step_count"], operations(*case["operations"]))

    assert [place.origin for place in edited.places] == case["origins"]
    written = [at for at, place in enumerate(edited.places) if place.written is not None]
    assert written == case["written"]
    assert edited.edited_at == case["edited_at"]
    assert edited.resume_at(case["opening_count"]) == case["resume_at"]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([{"op": "replace", "position": 1, "step": user("new")}], ["step 0", "new", "step 2"]),
        (
            [{"op": "insert", "position": 0, "step": user("new")}],
            ["new", "step 0", "step 1", "step 2"],
        ),
        ([{"op": "delete", "position": 0}], ["step 1", "step 2"]),
        ([{"op": "cut", "position": 1}], ["step 0"]),
        ([{"op": "move", "position": 0, "to": 2}], ["step 1", "step 2", "step 0"]),
        ([{"op": "keep", "position": 1}], ["step 0", "step 1", "step 2"]),
    ],
)
def test_edits_make_a_child(edits: list[dict[str, Any]], expected: list[str]) -> None:
    tape = numbered(3)

    child = splice(tape, operations(*edits), author="me")

    assert texts(child.steps) == expected
    assert (child.metadata.parent_id, child.metadata.author) == (tape.id, "me")


def test_later_operations_count_positions_as_the_earlier_ones_left_them() -> None:
    edits = operations(
        {"op": "delete", "position": 0}, {"op": "replace", "position": 0, "step": user("x")}
    )

    assert texts(splice(numbered(2), edits, author="me").steps) == ["x"]


def test_a_replaced_step_keeps_who_ran_when_and_gets_an_id_of_its_own() -> None:
    tape = build_tape(thought("old", agent="a", node="plan", prompt="p7"))
    edit = operations(
        {"op": "replace", "position": 0, "step": {"kind": "assistant_thought", "content": "new"}}
    )

    step = splice(tape, edit, author="me").steps[0]

    assert (step.metadata.agent, step.metadata.node, step.metadata.prompt_id) == ("a", "plan", "p7")
    assert step.metadata.id not in ("", tape.steps[0].metadata.id)


def test_an_inserted_step_stays_with_its_agent_when_it_is_written_again() -> None:
    signature = {"agent": "a", "node": "plan"}
    edits = operations(
        {"op": "insert", "position": 0, "step": {**user("one"), "metadata": signature}},
        {"op": "replace", "position": 0, "step": user("two")},
    )

    step = splice(numbered(1), edits, author="me").steps[0]

    assert (step.metadata.agent, step.metadata.node) == ("a", "plan")
    assert texts([step]) == ["two"]


def test_context_and_metadata_change_and_the_lineage_stays() -> None:
    tape = Tape.model_validate(
        {
            "metadata": {"id": "t", "parent_id": "p", "result": 1, "run": "old"},
            "context": "task",
            "steps": [user("hi")],
        }
    )
    edits = operations(
        {"op": "context", "value": {"task": "other"}},
        {"op": "metadata", "title": "Better", "values": {"result": 2, "note": "n"}},
    )

    child = splice(tape, edits, author="me").to_json()

    assert child["context"] == {"task": "other"}
    metadata = child["metadata"]
    assert (metadata["result"], metadata["note"], "run" in metadata) == (2, "n", False)
    assert (metadata["parent_id"], metadata["author"]) == ("t", "me")


@pytest.mark.parametrize("name", LINEAGE)
def test_where_a_tape_comes_from_cannot_be_edited(name: str) -> None:
    with pytest.raises(ValidationError, match="cannot be edited"):
        operations({"op": "metadata", "values": {name: "x"}})


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        (
            {"op": "delete", "position": 3},
            r"Edit 1 \(delete\) is at step 3, but by then the tape has 3",
        ),
        ({"op": "insert", "position": 4, "step": user("x")}, r"Edit 1 \(insert\) is at step 4"),
        ({"op": "move", "position": 0, "to": 3}, r"Edit 1 \(move\) is at step 3"),
        ({"op": "keep", "position": 9}, r"Edit 1 \(keep\) is at step 9"),
        ({"op": "replace", "position": 0, "step": {"content": "x"}}, "needs a text field 'kind'"),
    ],
)
def test_an_edit_that_cannot_be_applied_says_which(edit: dict[str, Any], complaint: str) -> None:
    with pytest.raises(EditError, match=complaint) as refused:
        splice(numbered(3), operations(edit), author="me")

    assert refused.value.details["operation"] == 1


@st.composite
def edited_tapes(draw: st.DrawFn) -> tuple[Tape, tuple[Operation, ...]]:
    """Tapes with operations that fit them."""
    tape = draw(tapes())
    edits: list[dict[str, Any]] = []
    length = len(tape)
    for _ in range(draw(st.integers(0, 6))):
        choices = ["insert", "context", "metadata"]
        if length:
            choices += ["replace", "delete", "cut", "move", "keep"]
        op = draw(st.sampled_from(choices))
        position = draw(st.integers(0, length if op == "insert" else max(0, length - 1)))
        match op:
            case "context":
                edits.append({"op": op, "value": draw(st.text(max_size=3))})
            case "metadata":
                edits.append({"op": op, "values": {"result": draw(st.integers())}})
            case "move":
                to = draw(st.integers(0, length - 1))
                edits.append({"op": op, "position": position, "to": to})
            case "insert" | "replace":
                edits.append({"op": op, "position": position, "step": user("edited")})
            case _:
                edits.append({"op": op, "position": position})
        length = {"insert": length + 1, "delete": length - 1, "cut": position}.get(op, length)
    return tape, operations(*edits)


@given(edited_tapes())
def test_untouched_steps_are_the_very_same_and_lineage_holds(
    case: tuple[Tape, tuple[Operation, ...]],
) -> None:
    tape, edits = case

    edited = apply_operations(tape, edits)
    child = splice(tape, edits, author="me")

    assert all(s.source is None or s.step is tape.steps[s.source] for s in edited)
    sources = [s.source for s in edited if s.source is not None]
    assert len(sources) == len(set(sources))
    assert (child.metadata.parent_id, child.metadata.author) == (tape.id, "me")
    assert child.id != tape.id


@given(edited_tapes())
def test_undo_leads_back_through_every_earlier_tape(
    case: tuple[Tape, tuple[Operation, ...]],
) -> None:
    tape, edits = case
    earlier = [splice(tape, edits[:count], author="me") for count in range(len(edits) + 1)]

    again = tape
    for operation, expected in zip(edits, earlier[1:], strict=True):
        again = splice(again, [operation], author="me")
        assert again.content_equals(expected)

    assert earlier[0].content_equals(tape)


@given(edited_tapes(), st.integers(0, 3))
def test_what_stays_holds_all_that_was_touched(
    case: tuple[Tape, tuple[Operation, ...]], opening_count: int
) -> None:
    tape, edits = case
    edited = arrange(len(tape), edits)

    resume_at = edited.resume_at(opening_count)

    if resume_at is None:
        assert [place.origin for place in edited.places] == list(range(len(tape)))
        return
    behind = edited.places[resume_at:]
    assert all(place.written is None and not place.is_kept for place in behind)
    assert [place.origin for place in behind] == list(range(len(tape) - len(behind), len(tape)))
    if edited.context is None:
        assert edited.edited_at is not None
        assert edited.edited_at <= resume_at


@given(st.integers(1, 9), st.data())
def test_a_move_is_a_permutation_that_another_move_takes_back(
    count: int, data: st.DataObject
) -> None:
    position, to = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    move, back = MoveStep(position=position, to=to), MoveStep(position=to, to=position)

    moved = [place.origin for place in arrange(count, [move]).places]
    returned = arrange(count, [move, back])

    assert sorted(origin for origin in moved if origin is not None) == list(range(count))
    assert moved[to] == position
    assert returned.edited_at is None
