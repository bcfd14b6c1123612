"""The aligned difference of two tapes."""

from itertools import takewhile
from typing import Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from tapes_app.engine.tape.control_steps import CallTogether, MemberCall, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantThought, UserStep
from tapes_app.engine.tape.splice import OPERATIONS, Operation, splice
from tapes_app.engine.tape.steps import Step, Thought
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.tape_diff import TapeDiff, diff_content, diff_steps, diff_tapes
from tests.engine.builders import build_tape, signed, thought
from tests.engine.lane_teams import Shape, build_lane_team, shapes
from tests.engine.strategies import tapes
from tests.engine.test_lanes import run, shuffled


def operations(*values: dict[str, Any]) -> tuple[Operation, ...]:
    return OPERATIONS.validate_python(values)


def user(text: str) -> dict[str, Any]:
    return {"kind": "user", "content": text}


def rows_of(diff: TapeDiff) -> list[tuple[str, int | None, int | None, int]]:
    return [(row.op, row.left, row.right, row.count) for row in diff.rows]


def numbered(count: int) -> Tape:
    return build_tape(*[UserStep(content=f"step {number}") for number in range(count)])


def places(diff: TapeDiff) -> tuple[list[int], list[int]]:
    """Return the positions that the rows show; steps that moved are out of turn on the left."""
    lefts = [row.left + n for row in diff.rows if row.left is not None for n in range(row.count)]
    rights = [row.right + n for row in diff.rows if row.right is not None for n in range(row.count)]
    has_moved = any(row.op == "moved" for row in diff.rows)
    return sorted(lefts) if has_moved else lefts, rights


@given(tapes(), tapes())
def test_a_diff_covers_both_tapes_once_and_in_order(left: Tape, right: Tape) -> None:
    diff = diff_tapes(left, right)

    lefts, rights = places(diff)
    assert lefts == list(range(len(left)))
    assert rights == list(range(len(right)))
    assert diff_tapes(left, left).is_equal
    assert diff.is_equal == (
        len(left) == len(right)
        and all(a.content_equals(b) for a, b in zip(left, right, strict=True))
    )


@given(tapes(), tapes(), tapes())
def test_a_shared_past_is_one_equal_row_that_need_not_be_given(
    past: Tape, left: Tape, right: Tape
) -> None:
    diff = diff_steps(left.steps, right.steps, shared=len(past))

    lefts, rights = places(diff)
    assert lefts == list(range(len(past) + len(left)))
    assert rights == list(range(len(past) + len(right)))
    assert diff.is_equal == diff_tapes(left, right).is_equal
    assert not diff.rows[1:] or diff.rows[0].op != "equal" or diff.rows[1].op != "equal"
    if len(past) and not diff.is_equal:
        assert diff.first_divergence is not None
        assert diff.first_divergence >= len(past)


def test_an_inserted_step_does_not_shift_the_rest_out_of_line() -> None:
    tape = numbered(4)
    edited = splice(
        tape, operations({"op": "insert", "position": 1, "step": user("new")}), author="me"
    )

    rows = [(row.op, row.left, row.right, row.count) for row in diff_tapes(tape, edited).rows]

    assert rows == [("equal", 0, 0, 1), ("inserted", None, 1, 1), ("equal", 1, 2, 3)]


def test_an_edited_step_is_paired_with_its_old_self_and_its_fields_are_named() -> None:
    old = build_tape(
        UserStep(content="go"), AssistantThought(content={"plan": "buy red apples", "n": 1})
    )
    new = build_tape(
        UserStep(content="go"),
        UserStep(content="by the way"),
        AssistantThought(content={"plan": "buy green apples", "n": 1}),
    )

    diff = diff_tapes(old, new)

    assert [row.op for row in diff.rows] == ["equal", "inserted", "changed"]
    assert [(f.path, f.old, f.new) for f in diff.rows[-1].fields] == [
        ("content.plan", "buy red apples", "buy green apples")
    ]
    assert diff.first_divergence == 1


def test_a_step_rewritten_with_other_words_is_still_the_same_step() -> None:
    old = build_tape(thought("look for the moon", prompt="p1"), thought("same words", prompt="p2"))
    edit = {"kind": "assistant_thought", "content": "anything else"}
    new = splice(old, operations({"op": "replace", "position": 0, "step": edit}), author="me")

    assert [row.op for row in diff_tapes(old, new).rows] == ["changed", "equal"]


def test_one_kind_alone_is_no_likeness() -> None:
    old = build_tape(SetNextNode(next_node="act"))
    new = build_tape(SetNextNode(next_node="plan"))

    assert [row.op for row in diff_tapes(old, new).rows] == ["removed", "inserted"]


def said(text: str, node: str) -> Step:
    return signed(AssistantThought(content=text), "a", node=node, prompt_id=text)


def test_what_one_node_said_otherwise_is_changed_unless_other_words_fit_better() -> None:
    old = build_tape(said("map the town", "plan"), said("count red apples today", "act"))
    new = build_tape(
        said("ask somebody", "plan"), said("look around", "act"), said("count green apples", "act")
    )

    rows = rows_of(diff_tapes(old, new))

    assert rows == [("changed", 0, 0, 1), ("inserted", None, 1, 1), ("changed", 1, 2, 1)]


def test_what_one_node_said_elsewhere_is_not_what_it_said_otherwise() -> None:
    kept = said("Remember to look at the second table, too.", "act")
    old = build_tape(kept, said("one", "plan"), said("two", "plan"))
    new = build_tape(said("anything", "act"), said("one", "plan"), said("two", "plan"), kept)

    ops = [row.op for row in diff_tapes(old, new).rows]

    assert ops == ["inserted", "equal", "moved"]


def test_an_observation_behind_a_pair_is_the_same_question_answered_otherwise() -> None:
    call = said("look up the moon", "act")
    old = build_tape(call, UserStep(content="It is round."), said("done", "act"))
    new = build_tape(call, UserStep(content="No page was found"), said("done", "act"))
    asked = build_tape(UserStep(content="Where is Oslo?")), build_tape(UserStep(content="Who?"))

    assert [row.op for row in diff_tapes(old, new).rows] == ["equal", "changed", "equal"]
    assert [row.op for row in diff_tapes(*asked).rows] == ["changed"]


def test_a_step_taken_out_here_and_put_in_there_has_moved() -> None:
    moved = UserStep(content="Remember to look at the second table, too.")
    rest = [AssistantThought(content=f"thought number {number}") for number in range(3)]

    diff = diff_tapes(build_tape(moved, *rest), build_tape(*rest, moved))

    assert rows_of(diff) == [("equal", 1, 0, 3), ("moved", 0, 3, 1)]
    assert diff.first_divergence == 0
    assert not diff.is_equal


def test_little_steps_and_those_that_recur_have_not_moved() -> None:
    ok, said = UserStep(content="ok"), UserStep(content="The very same long sentence, twice.")
    rest = [AssistantThought(content=f"thought number {number}") for number in range(3)]

    little = diff_tapes(build_tape(ok, *rest), build_tape(*rest, ok))
    twice = diff_tapes(build_tape(said, said, *rest), build_tape(*rest, said, said))

    assert {row.op for row in little.rows} == {"equal", "removed", "inserted"}
    assert {row.op for row in twice.rows} == {"equal", "removed", "inserted"}


class Tagged(Thought):
    kind: Literal["test_tagged"] = "test_tagged"
    tags: set[str]
    note: str = ""


def test_what_a_step_declares_as_a_set_has_no_order() -> None:
    names = [f"tag {number}" for number in range(20)]
    one, other = Tagged(tags=set(names)), Tagged(tags=set(names) - {"tag 3"} | {"tag 3"})

    assert one.content_equals(other)
    assert diff_tapes(build_tape(one), build_tape(other)).is_equal
    changed = diff_content(one, Tagged(tags={*names, "new"}, note="n"))
    assert [(field.op, field.path, field.new) for field in changed] == [
        ("changed", "note", "n"),
        ("added", "tags", "new"),
    ]


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers())
def test_the_order_in_which_lanes_finished_is_no_difference(
    members: tuple[Shape, ...], seed: int
) -> None:
    tape = run(build_lane_team(members), build_tape())
    mixed = shuffled(tape, seed)
    past = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(tape, mixed, strict=True)))

    diff = diff_tapes(tape, mixed)
    rest = diff_steps(tape.steps[past:], mixed.steps[past:], shared=past)

    assert diff.is_equal
    assert diff.first_divergence is None
    assert rest.is_equal
    for found in (diff, rest):
        lefts, rights = places(found)
        assert sorted(lefts) == rights == list(range(len(tape)))


def test_a_difference_in_a_lane_is_found_in_it_however_the_others_went_on() -> None:
    ask = CallTogether(calls=(MemberCall(agent_name="a"), MemberCall(agent_name="b")))
    plan = SetNextNode(next_node="work")
    first = [step.with_metadata(lane="1") for step in (plan, thought("The bridge is safe"))]
    second = [step.with_metadata(lane="2") for step in (plan, thought("Nobody has looked"))]
    other = [
        plan.with_metadata(lane="2"),
        thought("Nobody has looked at it").with_metadata(lane="2"),
    ]

    diff = diff_tapes(build_tape(ask, *first, *second), build_tape(ask, *other, *first))
    swapped = diff_tapes(
        build_tape(ask, *first, *second),
        build_tape(ask, *(one.with_metadata(lane="2") for one in first), *second),
    )

    changed = [(row.left, row.right) for row in diff.rows if row.op == "changed"]
    assert changed == [(4, 2)]
    assert {row.op for row in diff.rows} == {"equal", "changed"}
    assert diff.first_divergence == 4
    assert not swapped.is_equal
