"""Tapes and steps as the reference has them: adding, cutting, what a model sees."""

import json
from typing import Literal

import pytest

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Action
from tapes_app.engine.tape.tape import Tape, TapeMetadata

ONE, TWO, THREE = (UserStep(content=word) for word in ("one", "two", "three"))


class Note(Action):
    kind: Literal["test_reference_note"] = "test_reference_note"
    text: str = "naïve"
    author: str | None = None


@pytest.mark.parametrize(
    ("before", "added"),
    [((ONE, TWO), (THREE,)), ((ONE,), (TWO, THREE)), ((ONE,), ()), ((), (ONE, TWO))],
)
def test_a_sum_has_the_steps_of_both_and_counts_those_added(
    before: tuple[UserStep, ...], added: tuple[UserStep, ...]
) -> None:
    tape = Tape(steps=before)

    total = tape + added

    assert total.steps == before + added
    assert total.metadata.n_added_steps == len(added)
    assert (total.id != tape.id, total.metadata.parent_id) == (True, tape.id)


def test_a_position_gives_a_step_and_a_stretch_gives_a_tape() -> None:
    tape = Tape(steps=(ONE, TWO, THREE))

    assert tape[1] is TWO
    assert tape[1:3].steps == (TWO, THREE)
    assert tape[3:3].steps == ()


def test_only_the_last_addition_counts_as_added() -> None:
    grown = Tape().append(ONE).append(TWO)

    assert grown.steps == (ONE, TWO)
    assert grown.metadata.n_added_steps == 1


def test_a_fork_of_the_whole_has_the_same_steps_under_an_id_of_its_own() -> None:
    tape = Tape(steps=(ONE, TWO), metadata=TapeMetadata(author="somebody"))

    copy = tape.fork()

    assert copy.steps == tape.steps
    assert copy.id != tape.id


def test_a_model_sees_kind_and_data_without_metadata_and_without_what_is_not_set() -> None:
    note = Note().with_metadata(agent="writer")

    assert note.llm_dict() == {"kind": "test_reference_note", "text": "naïve"}
    assert note.llm_view() == json.dumps(note.llm_dict(), indent=2, ensure_ascii=False)
