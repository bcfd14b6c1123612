"""Families: a tape, its ancestors and all their branches, as the branch map draws them.

The steps of a family are returned by family and in bands, from every step or every n-th one, so
that two hundred branches of five thousand steps are a small answer from a few queries.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Avg, F, Q
from django.db.models.functions import Mod

from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.models import (
    AnnotationRecord,
    ExperimentBranchRecord,
    JobRecord,
    LLMCallRecord,
    StepRecord,
    TapeRecord,
)
from tapes_app.tapes.domain.rows import FamilyBranch, FamilyMember, TapeFamily
from tapes_app.tapes.domain.spans import Spans, cut_spans, read_spans
from tapes_app.tapes.domain.task_outcome import Outcome
from tapes_app.tapes.store.access import get_tape, is_of_family
from tapes_app.tapes.store.outcomes import outcome_of

MAX_MEMBERS = 1000
_FINEST = 240
"""A map is a few hundred pixels wide: nobody could see anything finer."""

_MAX_SAMPLES = 24_000
_MAX_MARKS = 200
_DELEGATION = ("call", "call_together", "respond", "broadcast")
_COMMUNICATION = "m"

Places = Mapping[UUID, Sequence[int]]
"""Positions in each log, ascending."""


@dataclass(frozen=True)
class _Samples:
    """The families of sampled steps of each log."""

    positions: Places
    letters: Mapping[tuple[UUID, int], str]


def load_family(tape_id: UUID, project: UUID) -> TapeFamily:
    """Return the tapes of a tape's family, in a fixed number of queries.

    Raises:
        NotFoundError: no such tape in this project.
    """
    tape = get_tape(tape_id, project)
    # A family is in one project; naming that here would make the planner read all its tapes.
    found = TapeRecord.objects.filter(is_of_family(tape.root_id or tape.id), deleted_at=None)
    count = found.count()
    rows = list(found.order_by("created_at", "id").values(*_COLUMNS)[:MAX_MEMBERS])
    by_id = {row["id"]: row for row in rows}
    own = {one: _own_spans(row) for one, row in by_id.items()}
    logs = {span.log for spans in own.values() for span in spans}
    stride = _stride(rows)
    samples = _sample(logs, stride)
    edits = _marked(logs, Q(edited_by__isnull=False))
    errors = _marked(logs, Q(is_error=True))
    live = _live(own)
    branches = _branches(own)
    scored = {one: branch.score for one, branch in branches.items() if branch.score is not None}
    scores = {**scored, **_scores(own, scored)}
    models = _models(own)
    bands = {one: list(_bands(_fork(row), own[one], samples)) for one, row in by_id.items()}
    items = tuple(
        FamilyMember(
            **{name: row[name] for name in _SHOWN},
            is_pinned=row["pinned_at"] is not None,
            is_archived=row["archived_at"] is not None,
            is_active=one in live,
            outcome=row["outcome"] or _verdict(branches.get(one)),
            score=scores.get(one),
            models=models.get(one, ()),
            branch=branches[one].row if one in branches else None,
            bands=tuple(start for start, _ in bands[one]),
            families="".join(letter for _, letter in bands[one]),
            edits=_places_on(_fork(row), own[one], edits),
            errors=_places_on(_fork(row), own[one], errors),
        )
        for one, row in by_id.items()
    )
    return TapeFamily(items, stride, count)


_SHOWN = (
    "id", "parent_id", "forked_at", "step_count", "title", "author", "agent_name", "edit_words",
    "cost_micro_usd", "created_at", "has_error",
)  # fmt: skip
_COLUMNS = (*_SHOWN, "pinned_at", "archived_at", "outcome", "spans")


def _own_spans(row: Mapping[str, Any]) -> Spans:
    """Return the spans after the point where a tape leaves its parent."""
    start = _fork(row)
    return cut_spans(read_spans(row["spans"]), start, max(0, row["step_count"] - start))


def _fork(row: Mapping[str, Any]) -> int:
    return int(row["forked_at"] or 0)


def _stride(rows: Sequence[Mapping[str, Any]]) -> int:
    longest: int = max((row["step_count"] for row in rows), default=0)
    own: int = sum(row["step_count"] - _fork(row) for row in rows)
    return max(1, -(-longest // _FINEST), -(-own // _MAX_SAMPLES))


def _sample(logs: Iterable[UUID], stride: int) -> _Samples:
    """Read the family of every `stride`-th step of some logs; an index selects them."""
    steps = StepRecord.objects.filter(log_id__in=logs).order_by("log_id", "position")
    if stride > 1:
        steps = steps.annotate(rest=Mod(F("position"), stride)).filter(rest=0)
    positions: dict[UUID, list[int]] = defaultdict(list)
    letters: dict[tuple[UUID, int], str] = {}
    for log, position, family, kind in steps.values_list("log_id", "position", "family", "kind"):
        positions[log].append(position)
        letters[log, position] = _COMMUNICATION if kind in _DELEGATION else family[:1]
    return _Samples(positions, letters)


def _marked(logs: Iterable[UUID], condition: Q) -> Places:
    """Return where the matching steps of some logs are; a partial index covers these few."""
    found: dict[UUID, list[int]] = defaultdict(list)
    steps = StepRecord.objects.filter(condition, log_id__in=logs).order_by("log_id", "position")
    for log, position in steps.values_list("log_id", "position"):
        found[log].append(position)
    return found


def _bands(start: int, spans: Spans, samples: _Samples) -> Iterator[tuple[int, str]]:
    before = ""
    for position, log, place in _walk(start, spans, samples.positions):
        letter = samples.letters[log, place]
        if letter != before:
            yield (position if before else start, letter)
            before = letter


def _places_on(start: int, spans: Spans, marked: Places) -> tuple[int, ...]:
    found = (position for position, _, _ in _walk(start, spans, marked))
    return tuple(islice(found, _MAX_MARKS))


def _walk(start: int, spans: Spans, wanted: Places) -> Iterator[tuple[int, UUID, int]]:
    """Yield tape position, log and log position of the wanted steps of some spans."""
    offset = start
    for span in spans:
        known = wanted.get(span.log, ())
        for place in known[bisect_left(known, span.start) : bisect_left(known, span.end)]:
            yield offset + place - span.start, span.log, place
        offset += span.count


def _live(tape_ids: Iterable[UUID]) -> set[UUID | None]:
    jobs = JobRecord.objects.filter(tape_id__in=tape_ids, state__in=LIVE_STATES)
    return set(jobs.values_list("tape_id", flat=True))


@dataclass(frozen=True)
class _Branch:
    row: FamilyBranch | None
    """`None`: for a branch of a re-run, which its batch describes."""

    score: float | None


def _branches(tape_ids: Iterable[UUID]) -> dict[UUID, _Branch]:
    """Return which tapes are branches of experiments; if there are two, the later one counts."""
    found = ExperimentBranchRecord.objects.filter(tape_id__in=list(tape_ids))
    return {
        branch.tape_id: _Branch(_branch_row(branch), branch.score)
        for branch in found.select_related("experiment").order_by("experiment__created_at", "id")
    }


def _branch_row(branch: ExperimentBranchRecord) -> FamilyBranch | None:
    experiment = branch.experiment
    if experiment.tape_id is None:
        return None
    words = experiment.arm_words.get(branch.arm, "")
    return FamilyBranch(experiment.id, branch.number, branch.arm, words, branch.passed)


def _verdict(branch: _Branch | None) -> Outcome:
    return outcome_of(branch.row.passed if branch and branch.row else None)


def _models(tape_ids: Iterable[UUID]) -> dict[UUID, tuple[str, ...]]:
    calls = LLMCallRecord.objects.filter(tape_id__in=list(tape_ids)).exclude(model_name="")
    found: dict[UUID, list[str]] = defaultdict(list)
    pairs = calls.order_by("tape_id", "model_name").values_list("tape_id", "model_name")
    for tape_id, name in pairs.distinct():
        if tape_id is not None:
            found[tape_id].append(name)
    return {tape_id: tuple(names) for tape_id, names in found.items()}


def _scores(tape_ids: Iterable[UUID], scored: Collection[UUID]) -> dict[UUID, float]:
    """Return the scores of tapes as a whole; a branch already carries its judge's score."""
    given = AnnotationRecord.objects.filter(
        tape_id__in=list(tape_ids),
        step=None,
        kind="score",
        value__isnull=False,
        deleted_at=None,
    ).exclude(source="judge", tape_id__in=list(scored))
    means = given.values("tape_id").annotate(mean=Avg("value")).order_by()
    return {row["tape_id"]: row["mean"] for row in means}
