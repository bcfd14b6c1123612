"""The tape that the improver is given: the JSON of a tape, as it is exported, in its first step.

It is material and nothing else. Its steps are read by the kinds that the studio knows, and whatever
it says, all that can be done with it is one rewritten step, by the operations of every other edit.
"""

import json
from collections.abc import Mapping
from typing import Any

from tapes_app.engine.errors import EditError, StepError
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.splice import CutHere, Operation, ReplaceStep, splice
from tapes_app.engine.tape.steps import (
    Action,
    ControlThought,
    Step,
    Thought,
    UnknownStep,
    first_reason,
    nearest_misfit,
    parse_step,
)
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.improver.steps import (
    RefusedRewriteObservation,
    RevisionObservation,
    RewriteStepAction,
)

AUTHOR = "improver"
_NO_TAPE = "The first step holds no tape: give the JSON of one, with its list of steps."


class GivenTapeError(Exception):
    """There is no tape to improve, or the rewritten step does not fit it; the text says why."""


def show_tape(tape: Tape, *, expected: str = "") -> str:
    """Return the text in which a tape is given: its steps without metadata, and what it missed."""
    shown = {"expected": expected, "steps": [write_body(step) for step in tape.steps]}
    return json.dumps(shown, ensure_ascii=False)


def read_given(text: str) -> Tape:
    """Return the tape in a text.

    Raises:
        GivenTapeError: there is none.
    """
    try:
        value = json.loads(text)
        steps = value["steps"]
        return Tape(steps=tuple(parse_step(_strip(step)) for step in steps))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, StepError) as error:
        raise GivenTapeError(_NO_TAPE) from error


def revise_given(
    tape: Tape, action: RewriteStepAction
) -> RevisionObservation | RefusedRewriteObservation:
    """Return the revision that an action asks for, or why there is none."""
    first = next((step for step in tape.steps if isinstance(step, UserStep)), None)
    try:
        given = read_given(first.content if first and isinstance(first.content, str) else "")
        return _revise(given, action.position, action.fields)
    except GivenTapeError as error:
        return RefusedRewriteObservation(error=str(error))


def can_be_rewritten(step: Step) -> bool:
    """Return whether an agent wrote a step in a kind that is known, so that another fits it."""
    return isinstance(step, Thought | Action) and not isinstance(step, ControlThought | UnknownStep)


def rewrite_step(given: Tape, position: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step of the tape with other values in some of its fields.

    Raises:
        GivenTapeError: there is no such step, it is not the agent's own, or the values do not fit.
    """
    if position >= len(given):
        raise GivenTapeError(f"There is no step {position}: the tape has {len(given)} steps.")
    old = given.steps[position]
    if not can_be_rewritten(old):
        raise GivenTapeError(
            f"Step {position} is not a thought or an action of a known kind: what a person or the "
            "environment answered stays as it is."
        )
    was = write_body(old)
    written = _strip({**was, **fields, "kind": was["kind"]})
    misfit = nearest_misfit(was["kind"], written, (type(old),))
    if misfit is not None:
        raise GivenTapeError(f"Step {position} cannot be that: {first_reason(misfit)}.")
    if written == was:
        raise GivenTapeError(f"Step {position} says that already.")
    return written


def _revise(given: Tape, position: int, fields: Mapping[str, Any]) -> RevisionObservation:
    written = rewrite_step(given, position, fields)
    rest = [CutHere(position=position + 1)] if position + 1 < len(given) else []
    try:
        edit: list[Operation] = [ReplaceStep(position=position, step=written), *rest]
        revised = splice(given, edit, author=AUTHOR)
    except EditError as error:
        raise GivenTapeError(error.message) from error
    return RevisionObservation(
        position=position,
        was=write_body(given.steps[position]),
        steps=[write_body(step) for step in revised.steps],
    )


def describe_revision(position: int, step: Mapping[str, Any]) -> str:
    """Return the sentence that tells one rewritten step from another."""
    return f"Step {position} is now {json.dumps(step, ensure_ascii=False, sort_keys=True)}."


def write_body(step: Step) -> dict[str, Any]:
    """Return a step as it is shown: without its metadata."""
    return _strip(step.content_dict())


def _strip(step: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the metadata: who wrote a step is not for the tape to claim."""
    return {key: item for key, item in step.items() if key != "metadata"}
