"""What a draft makes of a tape, and where an agent goes on after it."""

import pytest

from tapes_app.editing.services.children import find_pointers
from tapes_app.editing.services.previews import check_edit, edit_tape, list_preview_steps
from tapes_app.engine.errors import EditError
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, UserStep
from tapes_app.engine.tape.splice import CutHere, DeleteStep, InsertStep, Operation, ReplaceStep
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape

SAID = {"kind": "user", "content": "other"}


def tape_of(count: int) -> Tape:
    return Tape().append(*(UserStep(content=f"line {number}") for number in range(count)))


@pytest.mark.parametrize(
    ("operations", "kept"),
    [
        ([], 6),
        ([ReplaceStep(position=2, step=SAID)], 3),
        ([InsertStep(position=2, step=SAID)], 3),
        ([InsertStep(position=6, step=SAID)], 7),
        ([DeleteStep(position=2)], 2),
        ([CutHere(position=2)], 2),
        ([ReplaceStep(position=4, step=SAID), ReplaceStep(position=1, step=SAID)], 5),
        ([DeleteStep(position=4), InsertStep(position=1, step=SAID)], 5),
        ([ReplaceStep(position=1, step=SAID), CutHere(position=4)], 4),
    ],
)
def test_an_agent_goes_on_behind_the_last_thing_that_was_touched(
    operations: list[Operation], kept: int
) -> None:
    edit = edit_tape(tape_of(6), operations)

    assert edit.resume_at == kept


@pytest.mark.parametrize(
    ("position", "kept", "pointers"),
    [(1, 2, [3]), (2, 3, [3]), (3, 4, []), (0, 1, [])],
)
def test_the_node_pointer_of_an_edited_answer_outlives_the_cut(
    position: int, kept: int, pointers: list[int]
) -> None:
    run = {"agent": "a", "node": "act", "prompt_id": "p1"}
    tape = Tape().append(
        UserStep(content="hi"),
        AssistantThought(content="hm").with_metadata(**run),
        AssistantStep(content="hello").with_metadata(**run),
        SetNextNode(next_node="act").with_metadata(**run),
        UserStep(content="and?"),
    )
    body = tape.steps[position].to_json()
    edit = edit_tape(tape, [ReplaceStep(position=position, step=body)])

    assert edit.resume_at == kept
    assert [step.source for step in find_pointers(edit.steps, kept)] == pointers


def test_steps_behind_the_edit_are_stale_and_know_where_they_were() -> None:
    edit = edit_tape(tape_of(3), [InsertStep(position=1, step=SAID)])

    shown = [(step.source, step.is_stale) for step in list_preview_steps(edit, dict)]

    assert shown == [(0, False), (None, False), (1, True), (2, True)]


def test_only_written_steps_carry_their_body() -> None:
    edit = edit_tape(tape_of(2), [ReplaceStep(position=1, step=SAID)])

    bodies = [step.body for step in list_preview_steps(edit, dict)]

    assert bodies[0] is None
    assert bodies[1] is not None
    assert bodies[1]["content"] == "other"


def test_a_written_step_that_does_not_fit_its_kind_is_refused_with_the_field() -> None:
    edit = edit_tape(tape_of(2), [InsertStep(position=1, step={"kind": "user", "text": "x"})])

    with pytest.raises(EditError, match=r"Step 1: content: Field required"):
        check_edit(edit)


def test_a_misfit_that_is_cut_away_is_no_matter() -> None:
    edit = edit_tape(tape_of(2), [InsertStep(position=1, step={"kind": "user", "text": "x"})])

    check_edit(edit, until=1)


def test_a_kind_that_nobody_knows_may_be_written_freely() -> None:
    edit = edit_tape(tape_of(1), [InsertStep(position=1, step={"kind": "novel", "anything": 1})])

    check_edit(edit)


def test_a_tape_that_uses_a_known_kind_its_own_way_may_go_on_doing_so() -> None:
    odd = UnknownStep.model_validate({"kind": "assistant", "speech": "hello"})
    edit = edit_tape(
        Tape().append(odd, AssistantStep(content="hi")),
        [ReplaceStep(position=0, step={"kind": "assistant", "speech": "good day"})],
    )

    check_edit(edit)
