"""Several batches by metric against one of them, and all tapes of one task on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.batches.domain.comparing import count_transitions
from tapes_app.batches.domain.pair_key import PairKey, read_pair_key
from tapes_app.batches.domain.path_alignment import align_paths
from tapes_app.batches.services.metrics import (
    BatchTotals,
    MetricDifference,
    compare_metrics,
    total_of,
)
from tapes_app.batches.services.pairs import BatchSide, key_sides, load_sides, pair_sides
from tapes_app.batches.store.batch_tapes import BatchTape, StepSign, load_signs
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.projects.services.people import Person
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.rates import mcnemar_p_value, paired_rate_difference

MOST_BATCHES = 12
MOST_TASKS = 1_000
MOST_ROWS = 40
MOST_STEPS = 400
"""Maximum number of steps of each tape on the axis."""


@dataclass(frozen=True)
class MatrixRow:
    """One batch, and how its pairs differ from the baseline; empty for the baseline itself."""

    totals: BatchTotals
    pair_count: int
    pass_difference: Estimate | None
    p_value: float | None
    differences: list[MetricDifference]


@dataclass(frozen=True)
class TaskCell:
    """The tapes of one task in one batch; `tape_id` is the first of them."""

    tape_id: UUID | None
    tape_count: int
    passed_count: int
    failed_count: int


@dataclass(frozen=True)
class TaskRow:
    key: str
    title: str
    cells: list[TaskCell]


@dataclass(frozen=True)
class BatchMatrix:
    by: str
    baseline: UUID
    rows: list[MatrixRow]
    tasks: list[TaskRow]
    """Tasks in several batches come first; cells are in the order of the rows."""

    task_count: int
    """The total number of tasks; `tasks` may have fewer."""

    keyless_count: int
    """Tapes without a key."""


@dataclass(frozen=True)
class PathRow:
    """One tape on the axis."""

    tape: BatchTape
    batch_name: str
    steps: list[StepSign]


@dataclass(frozen=True)
class PathColumn:
    kind: str
    node: str
    is_consensus: bool
    """Whether more than half of the tapes have a step there."""

    positions: tuple[int | None, ...]


@dataclass(frozen=True)
class TaskPaths:
    """All tapes of one task, with their steps aligned."""

    key: str
    rows: list[PathRow]
    columns: list[PathColumn]
    tape_count: int
    """The total number of tapes; `rows` may have fewer."""

    is_cut: bool
    """Whether only the first steps of some tape are shown."""


def compare_many(
    person: Person, batch_ids: Sequence[UUID], *, by: str = "task", baseline: UUID | None = None
) -> BatchMatrix:
    """Compare batches with one of them: the named baseline, or the first.

    Raises:
        NotFoundError: one of them is not in the project.
        InvalidInputError: tapes cannot be paired by `by`, there are too many batches, or the
            baseline is not one of them.
    """
    key, sides = _load(person, batch_ids, by)
    ids = [side.id for side in sides]
    base = baseline or ids[0]
    if base not in ids:
        raise InvalidInputError("The baseline must be one of the compared batches.")
    rows = [_compare(sides[ids.index(base)], side, key) for side in sides]
    keys = key_sides(sides, key)
    tasks = _list_tasks(sides, keys)
    keyless = sum(one is None for side in keys for one in side)
    return BatchMatrix(key.name, base, rows, tasks[:MOST_TASKS], len(tasks), keyless)


def align_task(person: Person, batch_ids: Sequence[UUID], task: str, *, by: str) -> TaskPaths:
    """Align the tapes of one task in the given batches on one axis.

    Raises:
        NotFoundError: a batch is not in the project, or none has a tape of this task.
        InvalidInputError: tapes cannot be paired by `by`, or there are too many batches.
    """
    key, sides = _load(person, batch_ids, by)
    found = [
        (side.name, tape)
        for side, keys in zip(sides, key_sides(sides, key), strict=True)
        for tape, own in zip(side.tapes, keys, strict=True)
        if own == task
    ]
    if not found:
        raise NotFoundError("None of these batches has a tape of this task.", key=task[:200])
    shown = found[:MOST_ROWS]
    signs = load_signs({tape.id: tape.spans for _, tape in shown}, MOST_STEPS)
    paths = align_paths([[(sign.kind, sign.node) for sign in signs[tape.id]] for _, tape in shown])
    return TaskPaths(
        key=task,
        rows=[PathRow(tape, name, signs[tape.id]) for name, tape in shown[: paths.row_count]],
        columns=[
            PathColumn(*column.symbol, paths.is_consensus(column), column.positions)
            for column in paths.columns
        ],
        tape_count=len(found),
        is_cut=any(tape.step_count > MOST_STEPS for _, tape in shown[: paths.row_count]),
    )


def _load(person: Person, batch_ids: Sequence[UUID], by: str) -> tuple[PairKey, list[BatchSide]]:
    key = read_pair_key(by)
    wanted = list(dict.fromkeys(batch_ids))
    if not 1 <= len(wanted) <= MOST_BATCHES:
        raise InvalidInputError(f"Choose 1 to {MOST_BATCHES} batches, not {len(wanted)}.")
    return key, load_sides(person, wanted, key)


def _compare(base: BatchSide, side: BatchSide, key: PairKey) -> MatrixRow:
    totals = total_of(side)
    if side is base:
        return MatrixRow(totals, 0, None, None, [])
    places = pair_sides(base, side, key).pairs
    pairs = [(base.tapes[one], side.tapes[two]) for one, two in places]
    tally = count_transitions([(left.outcome, right.outcome) for left, right in pairs])
    return MatrixRow(
        totals=totals,
        pair_count=len(pairs),
        pass_difference=paired_rate_difference(tally),
        p_value=mcnemar_p_value(tally) if tally.count else None,
        differences=compare_metrics(pairs),
    )


def _list_tasks(sides: Sequence[BatchSide], keys: Sequence[Sequence[str | None]]) -> list[TaskRow]:
    found: dict[str, list[list[BatchTape]]] = {}
    for number, (side, own) in enumerate(zip(sides, keys, strict=True)):
        for tape, key in zip(side.tapes, own, strict=True):
            if key is not None:
                found.setdefault(key, [[] for _ in sides])[number].append(tape)
    rows = [_task(key, cells) for key, cells in found.items()]
    return sorted(rows, key=lambda row: -sum(cell.tape_count > 0 for cell in row.cells))


def _task(key: str, cells: Sequence[Sequence[BatchTape]]) -> TaskRow:
    title = next(tape.title for tapes in cells for tape in tapes)
    return TaskRow(key, title, [_cell(tapes) for tapes in cells])


def _cell(tapes: Sequence[BatchTape]) -> TaskCell:
    return TaskCell(
        tape_id=tapes[0].id if tapes else None,
        tape_count=len(tapes),
        passed_count=sum(tape.outcome == "pass" for tape in tapes),
        failed_count=sum(tape.outcome == "fail" for tape in tapes),
    )
