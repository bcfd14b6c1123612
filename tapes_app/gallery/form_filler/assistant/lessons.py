"""A teacher's dialogue as the student would have had it: the same turns in fewer steps."""

from collections.abc import Iterator, Sequence

from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.assistant import student, teacher

_NOTES = (steps.GatherValuesThought, steps.VerifyValuesThought)
"""What only the teacher writes down."""


def write_as_student(tape: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps of a trained student that says and does the same."""
    return tuple(_write(tape))


def _write(tape: Sequence[Step]) -> Iterator[Step]:
    run, has_begun, has_form, writer = 0, False, False, ""
    for step in tape:
        family = family_of(step)
        if family == "control" or isinstance(step, _NOTES):
            continue
        if family == "observation":
            has_form = has_form or isinstance(step, steps.FunctionSchemaObservation)
            has_begun, writer = True, ""
            yield step
            continue
        node = _find_writer(step, has_form=has_form)
        if node != writer:
            if not writer and has_begun:
                run += 1
                yield _in_run(SetNextNode(next_node=student.READ if has_form else node), run)
            run += 1
            writer = node
            yield _in_run(SetNextNode(next_node=_FOLLOWING.get(node, teacher.FORM_SELECTED)), run)
        yield _in_run(step, run)


_FOLLOWING = {student.READ: student.SPEAK}


def _find_writer(step: Step, *, has_form: bool) -> str:
    """Return the node of the student that writes a step."""
    if not has_form:
        return student.CHOOSE
    return student.READ if isinstance(step, student.READ_STEPS) else student.SPEAK


def _in_run(step: Step, run: int) -> Step:
    """Return a step as one of those that its node has written together."""
    return step.with_metadata(agent="", node="", prompt_id=f"run-{run}")
