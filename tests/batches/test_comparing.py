"""Pairing loses nobody, matching steps counts each once, and alignments keep every row's order."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.batches.domain.comparing import (
    Pairing,
    count_transitions,
    digest_content,
    match_steps,
    pair_by_keys,
    pair_in_turn,
)
from tapes_app.batches.domain.path_alignment import align_paths
from tapes_app.statistics.rates import PairedTally

keys = st.lists(st.none() | st.sampled_from("abcdef"), max_size=12)
paths = st.lists(st.sampled_from("abcd"), max_size=12)


@given(keys, keys)
def test_every_tape_is_listed_exactly_once(left: list[str | None], right: list[str | None]) -> None:
    _check_all_listed(pair_by_keys(left, right), left, right)


@given(keys, keys, st.data())
def test_nobody_is_lost_when_a_second_key_is_tried(
    left: list[str | None], right: list[str | None], data: st.DataObject
) -> None:
    some = st.none() | st.sampled_from("xyz")
    others = [data.draw(st.lists(some, min_size=len(s), max_size=len(s))) for s in (left, right)]

    found = pair_in_turn([(left, right), (others[0], others[1])])

    _check_all_listed(found, left, right, may_differ=True)
    assert set(pair_by_keys(left, right).pairs) <= set(found.pairs)


def _check_all_listed(
    found: Pairing, left: list[Any], right: list[Any], *, may_differ: bool = False
) -> None:
    lefts = [one for one, _ in found.pairs] + [at for group, _ in found.duplicates for at in group]
    rights = [two for _, two in found.pairs] + [at for _, group in found.duplicates for at in group]
    assert sorted([*lefts, *found.left_alone, *found.left_keyless]) == list(range(len(left)))
    assert sorted([*rights, *found.right_alone, *found.right_keyless]) == list(range(len(right)))
    assert may_differ or all(left[one] == right[two] is not None for one, two in found.pairs)


def test_pairs_go_by_key_and_not_by_place() -> None:
    found = pair_by_keys(["a", "b", "c", None], ["c", "d", "b", "c"])

    assert found.pairs == ((1, 2),)
    assert found.left_alone == (0,)
    assert found.right_alone == (1,)
    assert found.left_keyless == (3,)
    assert found.duplicates == (((2,), (0, 3)),)


@given(paths, paths, st.integers(0, 3))
def test_steps_are_counted_once(left: list[str], right: list[str], shared: int) -> None:
    found = match_steps(left, right, shared=shared)

    assert found.equal + found.left_only == len(left) + shared
    assert found.equal + found.right_only == len(right) + shared
    assert (found.first_left is None) == (left == right)
    if found.first_left is not None:
        at = found.first_left - shared
        assert left[:at] == right[:at]
        assert left[at : at + 1] != right[at : at + 1]


def test_an_inserted_step_shifts_nothing() -> None:
    found = match_steps(list("abcdef"), list("abXcdef"), shared=0)

    assert (found.equal, found.left_only, found.right_only) == (6, 0, 1)
    assert (found.first_left, found.first_right) == (2, 2)


def test_ids_that_are_drawn_anew_say_nothing() -> None:
    def call(number: str) -> dict[str, object]:
        function = {"name": "search", "arguments": "{}"}
        return {
            "kind": "assistant",
            "tool_calls": [{"id": number, "function": function}],
            "metadata": {"id": number},
        }

    assert digest_content(call("1")) == digest_content(call("2"))
    assert digest_content({"kind": "tool", "content": "4", "tool_call_id": "1"}) == digest_content(
        {"kind": "tool", "content": "4", "tool_call_id": "2"}
    )
    assert digest_content({"kind": "user", "content": "a"}) != digest_content(
        {"kind": "user", "content": "b"}
    )


def test_only_pairs_judged_on_both_sides_count() -> None:
    outcomes = [("pass", "fail"), ("fail", "pass"), ("fail", "pass"), ("", "pass"), ("fail", "")]

    assert count_transitions(outcomes) == PairedTally(0, 1, 2, 0)  # type: ignore[arg-type]


@given(st.lists(paths, max_size=6))
def test_every_step_stands_once_in_its_row_and_in_order(rows: list[list[str]]) -> None:
    found = align_paths(rows)

    assert found.row_count == len(rows)
    for number, row in enumerate(rows):
        stands = [column.positions[number] for column in found.columns]
        assert [at for at in stands if at is not None] == list(range(len(row)))
    for column in found.columns:
        assert column.count > 0
        for number, at in enumerate(column.positions):
            assert at is None or rows[number][at] == column.symbol


@given(paths, st.integers(1, 5))
def test_equal_paths_are_one_path(path: list[str], count: int) -> None:
    found = align_paths([path] * count)

    assert [column.symbol for column in found.columns] == path
    assert all(found.is_consensus(column) for column in found.columns)


def test_the_consensus_is_what_most_do() -> None:
    found = align_paths(["abcd", "axcd", "abd"])

    assert "".join(c.symbol for c in found.columns if found.is_consensus(c)) == "abcd"
    assert len(found.columns) == 5


def test_what_would_take_too_long_is_left_out() -> None:
    found = align_paths(["abcd", "efgh", "abcd"], most_cells=20)

    assert found.row_count == 2
    assert [len(column.positions) for column in found.columns] == [2] * 8
