"""Keys by which tapes are paired are names and pointers, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.batches.domain.pair_key import digest_opening, find_key, read_pair_key
from tapes_app.engine.errors import InvalidInputError
from tests.engine.strategies import json_values


@pytest.mark.parametrize(
    ("text", "kind"),
    [("", "column"), (" title ", "column"), ("start", "start"), ("/context/env_spec", "pointer")],
)
def test_a_key_is_a_column_the_start_or_a_pointer(text: str, kind: str) -> None:
    assert read_pair_key(text).kind == kind


@pytest.mark.parametrize("text", ["owner_id", "metadata.task", "/steps/0", "/", "__class__", "a b"])
def test_anything_else_is_refused_with_what_may_be_given(text: str) -> None:
    with pytest.raises(InvalidInputError, match="JSON pointer such as"):
        read_pair_key(text)


def test_a_pointer_gives_the_text_of_what_it_names() -> None:
    metadata = {"task": {"id": 7, "name": "seven"}, "empty": ""}

    assert find_key("/metadata/task/id", metadata, None) == "7"
    assert find_key("/metadata/task/name", metadata, None) == "seven"
    assert find_key("/context/date", {}, {"date": "2024-12-09"}) == "2024-12-09"
    assert find_key("/metadata/none", metadata, None) is None
    assert find_key("/metadata/empty", metadata, None) is None


@given(st.text(max_size=20), json_values, json_values)
def test_any_key_is_read_or_refused(text: str, metadata: Any, context: Any) -> None:
    try:
        key = read_pair_key(text)
    except InvalidInputError:
        return
    if key.kind == "pointer":
        found = find_key(key.name, metadata, context)
        assert found is None or isinstance(found, str)


def said(kind: str, content: str) -> dict[str, Any]:
    return {"kind": kind, "content": content, "metadata": {"id": content}}


def test_an_opening_ends_with_what_was_asked() -> None:
    greeting = said("assistant", "Hi!")
    one = [greeting, said("user", "Book a flight."), said("assistant", "Where to?")]
    other = [greeting, said("user", "Book a flight."), said("assistant", "Sure.")]
    third = [greeting, said("user", "Cancel it."), said("assistant", "Sure.")]

    assert digest_opening(one, None) == digest_opening(other, None)
    assert digest_opening(other, None) != digest_opening(third, None)
    assert digest_opening(one, {"form": 1}) != digest_opening(one, {"form": 2})
    assert digest_opening([], None) is None
