"""Which of its parent's steps a child has replaced: the record of before, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.tape_diff import diff_content, diff_steps
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import StepRow
from tapes_app.tapes.domain.step_cuts import cut_row
from tapes_app.tapes.domain.word_diff import FieldChange, show_field
from tapes_app.tapes.store import headers

LONGEST_TAIL = 1000
"""How many steps after the fork are compared; the diff of complete tapes shows the rest."""


@dataclass(frozen=True)
class ReplacedStep:
    """A step of a child and the parent's step that it replaces."""

    position: int
    before_position: int
    kind: str
    gist: str


@dataclass(frozen=True)
class ReplacedDetail:
    """The parent's step, if there is one, and the differences."""

    before: StepRow | None
    fields: list[FieldChange]


def list_replaced(person: Person, tape_id: UUID) -> list[ReplacedStep]:
    """Return which steps after the fork replace which steps of the parent.

    Steps with unchanged content are left out; a tape without a parent has none.

    Raises:
        NotFoundError: there is no such tape in the project.
    """
    return [
        ReplacedStep(now.position, before.position, before.kind, before.gist)
        for before, now in sorted(_pair(person, tape_id), key=lambda pair: pair[1].position)
    ]


def load_replaced(person: Person, tape_id: UUID, position: int) -> ReplacedDetail:
    """Return the step that a child's step replaces, with the words that differ.

    Raises:
        NotFoundError: there is no such tape in the project.
    """
    for before, now in _pair(person, tape_id):
        if now.position == position:
            fields = diff_content(*(parse_step(row.body) for row in (before, now)))
            return ReplacedDetail(cut_row(before), [show_field(field) for field in fields])
    return ReplacedDetail(None, [])


def _pair(person: Person, tape_id: UUID) -> Iterator[tuple[StepRow, StepRow]]:
    """Yield the parent's and the child's step of each pair that differs."""
    header = headers.load_header(tape_id, person.project_id)
    if header.parent_id is None or header.forked_at is None:
        return
    try:
        befores, nows = (
            headers.load_steps(side, person.project_id, start=header.forked_at, count=LONGEST_TAIL)
            for side in (header.parent_id, tape_id)
        )
    except NotFoundError:  # the parent was deleted in the meantime
        return
    lefts, rights = ([parse_step(row.body) for row in rows] for rows in (befores, nows))
    for row in diff_steps(lefts, rights).rows:
        if row.op == "changed" and row.left is not None and row.right is not None:
            yield befores[row.left], nows[row.right]
