"""Two tapes next to each other: aligned rows with their outline lines and word differences."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.tape_diff import DiffOp, DiffRow, diff_steps
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import OutlineRow, StepRow, TapeHeader, Totals
from tapes_app.tapes.domain.step_cuts import LONGEST_PAGE, LONGEST_STEP, measure, share_fairly
from tapes_app.tapes.domain.task_outcome import Outcome
from tapes_app.tapes.domain.word_diff import FieldChange, show_field
from tapes_app.tapes.store import headers


@dataclass(frozen=True)
class DiffLine:
    op: DiffOp
    count: int
    left: OutlineRow | None
    right: OutlineRow | None
    fields: list[FieldChange]


@dataclass(frozen=True)
class DiffSide:
    id: UUID
    title: str
    agent_name: str
    batch_name: str
    author: str
    outcome: Outcome
    score: float | None
    step_count: int
    error_count: int
    totals: Totals
    created_at: datetime


@dataclass(frozen=True)
class TapeComparison:
    left: DiffSide
    right: DiffSide
    rows: list[DiffLine]
    first_divergence: int | None


def diff_tapes(person: Person, left_id: UUID, right_id: UUID) -> TapeComparison:
    """Compare two tapes of the project by content; ids and other metadata do not count.

    Raises:
        NotFoundError: one of them is not in the project.
    """
    project = person.project_id
    both = [headers.load_header(tape_id, project) for tape_id in (left_id, right_id)]
    # Branches share their past: it is neither read nor compared.
    shared = headers.count_shared_steps(left_id, right_id, project)
    sides = [_load_side(header, project, shared) for header in both]
    found = diff_steps(
        *([parse_step(row.body) for row in side.rest] for side in sides), shared=shared
    )
    sizes = [
        measure(side) for row in found.rows for one in row.fields for side in (one.old, one.new)
    ]
    room = share_fairly(sizes, LONGEST_PAGE, LONGEST_STEP)
    return TapeComparison(
        left=row_of(DiffSide, both[0]),
        right=row_of(DiffSide, both[1]),
        rows=[_row(row, *sides, room=room) for row in found.rows],
        first_divergence=found.first_divergence,
    )


@dataclass(frozen=True)
class _Side:
    """The part of a tape that is compared."""

    first: list[StepRow]
    """The first step, if it is shared."""

    rest: list[StepRow]
    shared: int

    def at(self, position: int | None) -> StepRow | None:
        if position is None:
            return None
        return self.first[position] if position < self.shared else self.rest[position - self.shared]


def _load_side(header: TapeHeader, project: UUID, shared: int) -> _Side:
    return _Side(
        first=headers.load_steps(header.id, project, count=min(shared, 1)),
        rest=headers.load_steps(header.id, project, start=shared, count=header.step_count - shared),
        shared=shared,
    )


def _row(row: DiffRow, left: _Side, right: _Side, *, room: int) -> DiffLine:
    return row_of(
        DiffLine,
        row,
        left=left.at(row.left),
        right=right.at(row.right),
        fields=[show_field(field, room=room) for field in row.fields],
    )
