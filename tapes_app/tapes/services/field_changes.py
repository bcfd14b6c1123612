"""A field that differs, with its words: steps, transforms and agents are shown alike."""

from dataclasses import dataclass
from typing import Any

from tapes_app.engine.field_diff import FieldDiff, FieldOp
from tapes_app.tapes.word_diff import WordChange, diff_words


@dataclass(frozen=True)
class FieldChange:
    path: str
    op: FieldOp
    old: Any
    new: Any
    words: list[WordChange] | None
    """Where both are texts that are alike."""


def show_field(field: FieldDiff) -> FieldChange:
    return FieldChange(field.path, field.op, field.old, field.new, diff_words(field.old, field.new))
