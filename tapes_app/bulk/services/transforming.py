"""Transforming one tape: read it, plan the edit, make the child; and previews of that."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from pydantic import Field

from tapes_app.bulk.store.made_batches import MadeChild
from tapes_app.bulk.transform.planning import plan_transform
from tapes_app.bulk.transform.transforms import Transform, check_transform
from tapes_app.engine.tape.field_diff import FieldDiff, diff_fields
from tapes_app.engine.tape.splice import Arrangement, arrange, splice
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.tape_diff import diff_content
from tapes_app.library.services.bulk_job import BulkPreview
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.library.store import lists as tape_lists
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.word_diff import FieldChange, show_field
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading

MOST_TRANSFORMS = 10
SAMPLES = 5
STEPS_OF_SAMPLE = 20
LONGEST_SHOWN = 2_000
LONGEST_BEFORE = 100
MOST_LOOKED_AT = 500
PAGE = 50


class TransformSpec(TapeSelection):
    """Which tapes to transform, and the transforms to apply one after the other."""

    transforms: tuple[Transform, ...] = Field(min_length=1, max_length=MOST_TRANSFORMS)


@dataclass(frozen=True)
class StepChange:
    """A step that is changed or removed; `position` is on the recorded tape."""

    op: str
    position: int
    kind: str
    fields: list[FieldChange]


@dataclass(frozen=True)
class TransformSample:
    """How one tape changes; `steps` are the first of `change_count` changed steps."""

    tape_id: UUID
    title: str
    change_count: int
    steps: list[StepChange]


@dataclass
class TransformPreview(BulkPreview):
    """What a transform would do."""

    __pydantic_config__ = ALL_FIELDS

    changed_tapes: int = 0
    changed_steps: int = 0
    samples: list[TransformSample] = field(default_factory=list)


@dataclass(frozen=True)
class Transformed:
    """A child to store, and the changes to its parent's steps."""

    child: MadeChild
    original: Tape
    arrangement: Arrangement

    @property
    def changes(self) -> list[StepChange]:
        """The changed, removed and inserted steps, and the context if it differs."""
        return [*_context_change(self), *_step_changes(self)]


def check_transforms(spec: TransformSpec) -> None:
    """Refuse a transform that makes no sense, before any tape is read.

    Raises:
        InvalidInputError: the message names the wrong part and why it is wrong.
    """
    for transform in spec.transforms:
        check_transform(transform)


def preview(person: Person, spec: TransformSpec) -> TransformPreview:
    """Try a transform on the newest of the tapes, for a few seconds at most; nothing is written.

    Raises:
        InvalidInputError: the transform makes no sense.
        NotFoundError: not all of the named tapes are in the project.
    """
    check_transforms(spec)
    project = person.project_id
    found = TransformPreview(count_selection(person, spec))

    def plan(tape_id: UUID) -> Transformed | None:
        return transform_tape(project, tape_id, spec.transforms)

    for made in found.plan_each(_newest(project, spec), plan):
        if made is not None:
            _add(found, project, made)
    return found


def _newest(project: UUID, spec: TransformSpec) -> Iterator[UUID]:
    """Yield the newest tapes, up to `MOST_LOOKED_AT`, a page at a time."""
    where, after, left = spec.to_filter(), None, MOST_LOOKED_AT
    while left:
        page = tape_lists.list_tapes(project, where, after=after, limit=min(left, PAGE))
        yield from (row.id for row in page.items)
        left, after = left - len(page.items), page.next
        if after is None:
            return


def transform_tape(
    project: UUID, tape_id: UUID, wanted: Sequence[Transform], *, author: str = ""
) -> Transformed | None:
    """Return the child that transforms make of a tape, or `None` if they change nothing.

    Raises:
        NotFoundError: no such tape in this project.
        EditError: a transform cannot be applied to it, or leaves a step that cannot be read.
    """
    tape = tape_loading.load_tape(tape_id, project)
    operations = plan_transform(tape, wanted)
    if not operations:
        return None
    arrangement = arrange(len(tape), operations)
    sources = tuple(place.origin if place.written is None else None for place in arrangement.places)
    child = splice(tape, operations, author=author)
    return Transformed(MadeChild(tape_id, child, sources), tape, arrangement)


def _add(found: TransformPreview, project: UUID, made: Transformed) -> None:
    changes = made.changes
    found.changed_tapes += 1
    found.changed_steps += len(changes)
    if len(found.samples) < SAMPLES:
        header = headers.load_header(made.child.parent_id, project)
        found.samples.append(
            TransformSample(header.id, header.title, len(changes), changes[:STEPS_OF_SAMPLE])
        )


def _context_change(made: Transformed) -> Iterator[StepChange]:
    if made.arrangement.context is not None:
        fields = diff_fields(made.original.context, made.child.tape.context)
        yield StepChange("context", 0, "", [_field(one) for one in fields])


def _step_changes(made: Transformed) -> Iterator[StepChange]:
    places = {place.origin: at for at, place in enumerate(made.arrangement.places)}
    for position, step in enumerate(made.original):
        at = places.get(position)
        if at is None:
            yield StepChange("removed", position, step.kind, [])
        elif made.arrangement.places[at].written is not None:
            new = made.child.tape[at]
            fields = diff_content(step, new)
            yield StepChange("changed", position, step.kind, [_field(one) for one in fields])
    for at, place in enumerate(made.arrangement.places):
        if place.origin is None:
            yield StepChange("inserted", at, made.child.tape[at].kind, [])


def _field(change: FieldDiff) -> FieldChange:
    old, new = _around_change(change.old, change.new)
    return show_field(change.model_copy(update={"old": old, "new": new}))


def _around_change(old: Any, new: Any) -> tuple[Any, Any]:
    """Cut long texts to where they begin to differ: a sample is skimmed, not read."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return old, new
    if max(len(old), len(new)) <= LONGEST_SHOWN:
        return old, new
    pairs = enumerate(zip(old, new, strict=False))
    differs_at = next((at for at, (a, b) in pairs if a != b), min(len(old), len(new)))
    start = max(0, differs_at - LONGEST_BEFORE)
    cut = slice(start, start + LONGEST_SHOWN)
    lead = "…" if start else ""
    return lead + old[cut], lead + new[cut]
