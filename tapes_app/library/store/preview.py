"""The preview of a tape: its row in the list, how it begins and ends, and where it fails."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Value
from django.db.models.functions import Length, StrIndex, Substr

from tapes_app.engine.tape.families import Family
from tapes_app.library.store.attempts import find_first_error
from tapes_app.lint.store.marks import TapeMark, list_marks
from tapes_app.tapes.domain.rows import TapeRow
from tapes_app.tapes.domain.spans import Spans, cut_spans, read_spans
from tapes_app.tapes.store.access import get_tape, read_columns
from tapes_app.tapes.store.list_rows import ANSWERS, columns_of, read_fields

EXCERPT_LENGTH = 800
ANSWER_LENGTH = 4000
_AT_EACH_END = 4


@dataclass(frozen=True, slots=True)
class KeyStep:
    """A step with the beginning of its text."""

    position: int
    kind: str
    family: Family
    agent: str
    node: str
    gist: str
    is_error: bool
    excerpt: str
    is_cut: bool
    """Whether the step has more text than `excerpt`."""

    has_image: bool
    """Whether the step itself contains an image."""


@dataclass(frozen=True, slots=True)
class TapePreview:
    """A tape at a glance, without opening it: first steps, the first failing one, last ones."""

    tape: TapeRow
    agent_version: int | None
    findings: tuple[TapeMark, ...]
    """Findings of the last lint run."""

    first_error: int | None
    """Position of the first step that reports an error."""

    steps: tuple[KeyStep, ...]
    """The first steps, the first failing one, and the last ones, each once and in order."""


def load_preview(tape_id: UUID, project: UUID) -> TapePreview:
    """Return the preview of a tape, in six queries.

    Raises:
        NotFoundError: no such tape in this project.
    """
    record = get_tape(tape_id, project, related=("batch", "agent_version"))
    version = record.agent_version
    spans = read_spans(record.spans)
    error = find_first_error(spans, record.error_count)
    first_error = None if error is None else error.position
    answers: dict[str, Any] = {name: getattr(record, name)[:ANSWER_LENGTH] for name in ANSWERS}
    return TapePreview(
        tape=TapeRow(**read_fields([columns_of(record)])[0], **answers),
        agent_version=version.number if version and not version.is_trial else None,
        findings=list_marks(record.id),
        first_error=first_error,
        steps=tuple(_read_steps(spans, _wanted(record.step_count, first_error))),
    )


def _wanted(step_count: int, first_error: int | None) -> list[int]:
    ends = (
        *range(min(_AT_EACH_END, step_count)),
        *range(max(0, step_count - _AT_EACH_END), step_count),
    )
    return sorted({*ends, *(() if first_error is None else (first_error,))})


def _read_steps(spans: Spans, wanted: Iterable[int]) -> Iterable[KeyStep]:
    single = {position: cut_spans(spans, position, 1)[0] for position in wanted}
    computed = {
        "excerpt": Substr("text", Value(1), EXCERPT_LENGTH),
        "length": Length("text"),
        "image_at": StrIndex("body", Value(_IMAGE)),
    }
    found = read_columns(tuple(single.values()), *_NAMES, *computed, **computed)
    for position, span in single.items():
        *values, excerpt, length, image_at = found[span.log, span.start]
        yield KeyStep(
            position,
            **dict(zip(_NAMES, values, strict=True)),
            excerpt=excerpt,
            is_cut=length > EXCERPT_LENGTH,
            has_image=image_at > 0,
        )


_NAMES = ("kind", "family", "agent", "node", "gist", "is_error")
_IMAGE = "data:image/"
