"""Tasks for the improver: a good tape with a planted mistake, and the answer that repairs it.

The answer is a text, which any scorer of final answers compares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tapes_app.engine.tape.splice import ReplaceStep, splice
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.improver.given import AUTHOR, describe_revision, show_tape, write_body


@dataclass(frozen=True)
class ImproverTask:
    text: str
    """What the improver is given."""

    expected: str
    """What it answers if its revision repairs what was planted."""


def plant_mistake(
    tape: Tape,
    position: int,
    fields: Mapping[str, Any],
    *,
    go_on: Callable[[Tape], Tape] | None = None,
    answer: object = "",
) -> ImproverTask:
    """Return the task to repair a step that gets other values.

    Later steps stay as they are, unless somebody goes on from the planted mistake. `answer` is what
    the tape should have come to, as the improver is told.

    Raises:
        EditError: there is no such step.
    """
    right = write_body(tape.steps[position])
    wrong = ReplaceStep(position=position, step={**right, **fields})
    planted = splice(tape, [wrong], author=AUTHOR)
    failed = planted if go_on is None else go_on(planted.fork(position + 1))
    shown = show_tape(failed, expected=str(answer))
    return ImproverTask(shown, describe_revision(position, right))
