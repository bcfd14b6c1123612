"""What differs between two JSON values, by path."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.tape.field_diff import diff_fields, diff_sets

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


def told(old: Any, new: Any) -> list[tuple[str, str, Any, Any]]:
    return [(field.op, field.path, field.old, field.new) for field in diff_fields(old, new)]


@given(JSON, JSON)
def test_nothing_differs_exactly_where_two_values_are_the_same_json(old: Any, new: Any) -> None:
    assert diff_fields(old, old) == ()
    assert (repr(old) == repr(new)) <= (diff_fields(old, new) == ())
    assert (diff_fields(old, new) == ()) <= (old == new)


def test_true_is_not_one() -> None:
    assert told({"n": 1}, {"n": True}) == [("changed", "n", 1, True)]


def test_a_field_that_was_not_there_is_added_and_null_is_a_value() -> None:
    assert told({"a": 1}, {"a": None, "b": None}) == [
        ("changed", "a", 1, None),
        ("added", "b", None, None),
    ]


def test_an_item_put_into_a_list_shifts_nothing() -> None:
    assert told({"l": [1, 2, 3]}, {"l": [0, 1, 2, 3]}) == [("added", "l.0", None, 0)]
    assert told({"l": [{"a": 1}, "x"]}, {"l": [{"a": 2}]}) == [
        ("changed", "l.0.a", 1, 2),
        ("removed", "l.1", "x", None),
    ]


def test_items_with_names_are_found_by_them_and_their_order_is_told() -> None:
    old = [{"name": "plan", "text": "a"}, {"name": "act"}]
    new = [{"name": "act"}, {"name": "plan", "text": "b"}]

    assert told({"nodes": old}, {"nodes": new}) == [
        ("changed", "nodes.plan.text", "a", "b"),
        ("changed", "nodes (order)", ["plan", "act"], ["act", "plan"]),
    ]


def test_a_long_common_beginning_is_not_aligned() -> None:
    begun = [{"role": "user", "content": str(number)} for number in range(5_000)]

    assert told(begun, [*begun, "end"]) == [("added", ".5000", None, "end")]


def test_a_set_has_no_order() -> None:
    found = diff_sets(["a", "b"], ["c", "a"], "tags")

    assert [(one.op, one.path, one.old, one.new) for one in found] == [
        ("removed", "tags", "b", None),
        ("added", "tags", None, "c"),
    ]
