"""Tasks for the improver: a good tape with a planted mistake, and the answer that repairs it.

The answer is a text, which any scorer of final answers compares.
"""

from collections.abc import Mapping
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


def plant_mistake(tape: Tape, position: int, fields: Mapping[str, Any]) -> ImproverTask:
    """Return the task to repair a step that gets other values; later steps stay as they are.

    Raises:
        EditError: there is no such step.
    """
    right = write_body(tape.steps[position])
    wrong = ReplaceStep(position=position, step={**right, **fields})
    planted = splice(tape, [wrong], author=AUTHOR)
    return ImproverTask(show_tape(planted), describe_revision(position, right))
