"""What an annotation may contain, and where: values on their scale, places that exist."""

import math
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from tapes_app.annotation.store.rows import Anchor, Content, Kind
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.engine.json_pointer import find_value
from tapes_app.projects.domain.columns import check_text
from tapes_app.tapes.store import access, headers

Scale = Literal["thumbs", "five", "fraction"]
_RANGES: dict[Scale, tuple[float, float]] = {
    "thumbs": (0, 1),
    "five": (1, 5),
    "fraction": (0, 1),
}
MAX_TEXT = 20_000
MAX_NAME = 200
MAX_FIELD = 300


@dataclass(frozen=True)
class AnnotationValues:
    """The content of an annotation: a note or correction, the value of a score, a label's name."""

    kind: Kind
    name: str = ""
    value: float | None = None
    scale: Scale | None = None
    text: str = ""


def check_values(values: AnnotationValues, *, needs_scale: bool = True) -> Content:
    """Return the content of an annotation as it is stored.

    Raises:
        InvalidInputError: the annotation is empty, or its value is outside its scale.
    """
    name = check_text(values.name.strip(), MAX_NAME, "The name")
    text = check_text(values.text.strip(), MAX_TEXT, "The text")
    match values.kind:
        case "note":
            if not text:
                raise InvalidInputError("A note needs a text.", field="text")
        case "label":
            if not name:
                raise InvalidInputError("A label needs a name.", field="name")
        case "correction":
            # A correction may be about leading or trailing blanks, so its text is not stripped.
            text = check_text(values.text, MAX_TEXT, "The text")
        case "score":
            if not name:
                raise InvalidInputError("A score needs the name of what it rates.", field="name")
            _check_score(values, needs_scale=needs_scale)
    if values.kind != "score" and values.value is not None:
        message = f"A {values.kind} cannot have a value; add a score instead."
        raise InvalidInputError(message, field="value")
    details = {"scale": values.scale} if values.kind == "score" and values.scale else {}
    return Content(values.kind, name, values.value, text, details)


def _check_score(values: AnnotationValues, *, needs_scale: bool) -> None:
    if values.value is None or (values.scale is None and needs_scale):
        raise InvalidInputError("A score needs a value and its scale.", field="value")
    if values.scale is None:
        return
    low, high = _RANGES[values.scale]
    if not math.isfinite(values.value) or not low <= values.value <= high:
        raise InvalidInputError(
            f"{values.value:g} is not on the scale from {low:g} to {high:g}.", field="value"
        )
    if values.scale != "fraction" and values.value != round(values.value):
        raise InvalidInputError(
            f"{values.value:g} is between two points of the scale from {low:g} to {high:g}.",
            field="value",
        )


def check_anchor(project_id: UUID, tape_id: UUID, anchor: Anchor) -> str:
    """Return the text of the span that an anchor names, or an empty string without a span.

    Raises:
        NotFoundError: the tape has no such step.
        InvalidInputError: the field does not exist, or its text is too short for the span.
    """
    access.require_tape(tape_id, project_id)
    if anchor.position is None:
        if anchor.field or anchor.start is not None or anchor.end is not None:
            raise InvalidInputError("Give the position of the step that the field or span is in.")
        return ""
    check_text(anchor.field, MAX_FIELD, "The path of the field")
    rows = headers.load_steps(tape_id, project_id, start=anchor.position, count=1)
    if not rows:
        raise NotFoundError(f"The tape has no step {anchor.position}.", position=anchor.position)
    value = find_value(rows[0].body, anchor.field)
    if anchor.start is None and anchor.end is None:
        return ""
    if anchor.start is None or anchor.end is None:
        raise InvalidInputError("A span needs a start and an end.")
    if not isinstance(value, str):
        raise InvalidInputError(
            f"Field {anchor.field!r} is not text, so a span cannot point into it.",
            field=anchor.field,
        )
    if not 0 <= anchor.start < anchor.end <= len(value):
        raise InvalidInputError(
            f"Characters {anchor.start} to {anchor.end} are outside of field {anchor.field!r}, "
            f"which has {len(value)} characters.",
            field=anchor.field,
        )
    return value[anchor.start : anchor.end]


def check_correction(content: Content, found: str) -> None:
    """Refuse a correction that selects no text, or one that changes nothing.

    Raises:
        InvalidInputError: the correction is one of these.
    """
    if content.kind == "correction" and found in ("", content.text):
        raise InvalidInputError(
            "A correction needs a span of text and its replacement."
            if not found
            else "The replacement is the same as the recorded text; enter a different one.",
            field="text",
        )


def check_quote(quote: str, found: str, anchor: Anchor) -> None:
    """Refuse a span whose text differs from the text that was selected.

    Raises:
        InvalidInputError: `found` does not begin with `quote`.
    """
    if not found.startswith(quote):
        raise InvalidInputError(
            "The selected text does not match the recorded text; select it again.",
            field=anchor.field,
        )


def scale_to_one(value: float, scale: Scale | None) -> float:
    """Return where a score is on its scale, from 0 to 1; without a scale, the score itself."""
    low, high = _RANGES[scale] if scale else (0, 1)
    return (value - low) / (high - low)


def read_scale(details: dict[str, Any]) -> Scale | None:
    """Return a score's scale, read from its details."""
    found = details.get("scale")
    return next((scale for scale in _RANGES if scale == found), None)
