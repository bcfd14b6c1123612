"""A field that differs, with its words: steps, transforms and agents are shown alike."""

from dataclasses import dataclass
from typing import Any

from tapes_app.engine.field_diff import FieldDiff, FieldOp
from tapes_app.tapes.step_cuts import LONGEST_STEP, cut_value
from tapes_app.tapes.word_diff import WordChange, diff_words


@dataclass(frozen=True)
class FieldChange:
    path: str
    op: FieldOp
    old: Any
    new: Any
    words: list[WordChange] | None
    """Where both are texts that are alike."""

    is_cut: bool  # a side is so large that only its beginning is here


def show_field(field: FieldDiff, *, room: int = LONGEST_STEP) -> FieldChange:
    """Return a field as it is shown; of a side with more than `room` characters the beginning."""
    old, new = (cut_value(side, room=room) for side in (field.old, field.new))
    is_cut = old is not field.old or new is not field.new
    return FieldChange(field.path, field.op, old, new, diff_words(field.old, field.new), is_cut)
