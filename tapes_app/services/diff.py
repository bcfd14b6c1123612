"""Two tapes side by side: aligned rows with their outline lines and word differences."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from tapes_app.engine.steps import parse_step
from tapes_app.engine.tape_diff import DiffOp, DiffRow, diff_steps
from tapes_app.engine.task_outcome import Outcome
from tapes_app.services.people import Person
from tapes_app.services.plugins import load_plugins
from tapes_app.services.shown_fields import ShownField, show_field
from tapes_app.storage import tapes as tape_storage
from tapes_app.storage.rows import OutlineRow, StepRow, TapeHeader, Totals


@dataclass(frozen=True)
class ShownRow:
    op: DiffOp
    count: int
    left: OutlineRow | None
    right: OutlineRow | None
    fields: list[ShownField]


@dataclass(frozen=True)
class ShownSide:
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
class ShownDiff:
    left: ShownSide
    right: ShownSide
    rows: list[ShownRow]
    first_divergence: int | None


def diff_tapes(person: Person, left_id: UUID, right_id: UUID) -> ShownDiff:
    """Compare two tapes of the project by content; ids and other metadata do not count.

    Raises:
        NotFoundError: one of them is not in the project.
    """
    load_plugins()
    project = person.project_id
    headers = [tape_storage.load_header(tape_id, project) for tape_id in (left_id, right_id)]
    # Branches share their past: it is neither read nor compared.
    shared = tape_storage.count_shared_steps(left_id, right_id, project)
    sides = [_load_side(header, project, shared) for header in headers]
    found = diff_steps(
        *([parse_step(row.body) for row in side.rest] for side in sides), shared=shared
    )
    return ShownDiff(
        left=_side(headers[0]),
        right=_side(headers[1]),
        rows=[_row(row, *sides) for row in found.rows],
        first_divergence=found.first_divergence,
    )


@dataclass(frozen=True)
class _Side:
    """What of a tape is compared."""

    first: list[StepRow]
    """The first step, where it is shared."""

    rest: list[StepRow]
    shared: int

    def at(self, position: int | None) -> StepRow | None:
        if position is None:
            return None
        return self.first[position] if position < self.shared else self.rest[position - self.shared]


def _load_side(header: TapeHeader, project: UUID, shared: int) -> _Side:
    return _Side(
        first=tape_storage.load_steps(header.id, project, count=min(shared, 1)),
        rest=tape_storage.load_steps(
            header.id, project, start=shared, count=header.step_count - shared
        ),
        shared=shared,
    )


def _row(row: DiffRow, left: _Side, right: _Side) -> ShownRow:
    return ShownRow(
        op=row.op,
        count=row.count,
        left=left.at(row.left),
        right=right.at(row.right),
        fields=[show_field(field) for field in row.fields],
    )


def _side(header: TapeHeader) -> ShownSide:
    return ShownSide(**{field.name: getattr(header, field.name) for field in fields(ShownSide)})
