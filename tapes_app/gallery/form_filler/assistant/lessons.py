"""A teacher's dialogue as the student would have had it: the same turns in fewer steps."""

from collections.abc import Iterator, Sequence

from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.assistant import script, teacher
from tapes_app.gallery.form_filler.form_state import FormState, advance

_NOTES = (steps.GatherValuesThought, steps.VerifyValuesThought)
"""What only the teacher writes down."""


def write_as_student(tape: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps of a student that says and does the same."""
    return tuple(_write(tape))


def _write(tape: Sequence[Step]) -> Iterator[Step]:
    state, run, has_begun = FormState(), 0, False
    is_new_turn = True
    for step in tape:
        family = family_of(step)
        if family == "control" or isinstance(step, _NOTES):
            continue
        if family == "observation":
            is_new_turn = has_begun = True
            yield step
        else:
            if is_new_turn and has_begun:
                node = script.INTENT if state.form is None else script.RESPOND
                run += 1
                yield _in_run(SetNextNode(next_node=node), run)
            if is_new_turn:
                run += 1
                yield _in_run(SetNextNode(next_node=teacher.FORM_SELECTED), run)
            is_new_turn = False
            yield _in_run(step, run)
        state = advance(state, step)


def _in_run(step: Step, run: int) -> Step:
    """Return a step as one of those that its node has written together."""
    return step.with_metadata(agent="", node="", prompt_id=f"run-{run}")
