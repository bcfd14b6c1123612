import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.growing_tape import GrowingTape
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import compute_view_stack
from tests.engine.builders import build_tape, texts, thought
from tests.engine.strategies import tapes


@given(tapes(), st.lists(st.integers(0, 3), max_size=4))
def test_a_growing_tape_is_the_same_tape(start: Tape, additions: list[int]) -> None:
    plain = start
    growing: Tape = GrowingTape.of(start)
    for number, count in enumerate(additions):
        steps = [UserStep(content=f"{number}.{index}") for index in range(count)]
        plain, growing = plain.append(*steps, author="a"), growing.append(*steps, author="a")

        assert len(growing) == len(plain)
        assert [growing[index] for index in range(len(growing))] == list(plain.steps)

    assert growing == plain
    assert growing.steps == plain.steps
    assert growing.to_json() == plain.to_json()
    assert growing.model_dump_json() == plain.model_dump_json()
    assert type(growing.settle()) is Tape
    assert growing.fork(0).metadata.parent_id == start.id


def test_two_tapes_grown_from_one_keep_their_own_steps() -> None:
    tape = GrowingTape.of(build_tape(UserStep(content="hi")))
    left, right = tape.append(thought("left")), tape.append(thought("right"))
    left = left.append(thought("more"))

    assert texts(left.steps) == ["hi", "left", "more"]
    assert texts(right.steps) == ["hi", "right"]
    assert texts(tape.steps) == ["hi"]
    assert texts(compute_view_stack(right).top.steps) == ["hi", "right"]


@pytest.mark.parametrize("index", [1, -2])
def test_a_step_of_a_successor_is_not_this_tapes(index: int) -> None:
    tape = GrowingTape.of(build_tape(UserStep(content="hi")))
    tape.append(thought("later"))

    with pytest.raises(IndexError):
        tape[index]
