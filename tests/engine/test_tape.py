import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.errors import TapeRangeError
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import build_tape
from tests.engine.strategies import tapes


def test_append_keeps_the_id_because_a_run_grows_one_tape() -> None:
    tape = build_tape()

    grown = tape.append(UserStep(content="more"), author="me")

    assert grown.id == tape.id
    assert (len(tape), len(grown)) == (1, 2)
    assert (grown.metadata.author, grown.metadata.n_added_steps) == ("me", 1)


def test_adding_steps_makes_a_child_with_a_fresh_id() -> None:
    tape = build_tape()

    added = (UserStep(content="a"), UserStep(content="b"))
    child = tape + added

    assert child.id != tape.id
    assert child.metadata.parent_id == tape.id
    assert child.metadata.n_added_steps == 2


def test_a_slice_is_a_child_and_never_loses_lineage() -> None:
    tape = build_tape(*[UserStep(content=str(number)) for number in range(3)])

    part = tape[1:3]

    assert [step.to_json()["content"] for step in part] == ["1", "2"]
    assert part.metadata.parent_id == tape.id


@pytest.mark.parametrize("at", [-1, 2])
def test_a_fork_outside_the_tape_is_refused(at: int) -> None:
    with pytest.raises(TapeRangeError, match="the tape has 1 steps"):
        build_tape().fork(at)


@given(tapes())
def test_any_tape_survives_json(tape: Tape) -> None:
    assert Tape.model_validate_json(tape.model_dump_json()) == tape
    assert Tape.model_validate(tape.to_json()).to_json() == tape.to_json()


@given(tapes(), st.data())
def test_a_fork_keeps_a_prefix_and_remembers_its_parent(tape: Tape, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(tape)))

    child = tape.fork(at)

    assert child.steps == tape.steps[:at]
    assert child.metadata.parent_id == tape.id
    assert child.id != tape.id
    assert child.context == tape.context
