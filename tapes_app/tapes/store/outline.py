"""The outline of a tape in columns: a map of 50,000 steps is drawn from it, a page at a time.

Repeated names, and the figures of each LLM call, are sent once and referred to by index: rows as
objects cost more to make, to send and to read than everything else that opening a tape does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from django.db.models import F, Value
from django.db.models.functions import Length, Replace, Substr
from pydantic import Field

from tapes_app.engine.tape.families import Family
from tapes_app.engine.tape.steps import Writer
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.tapes.domain.spans import cut_spans, places, read_spans
from tapes_app.tapes.store.access import get_spans, get_tape, spans_filter
from tapes_app.tapes.store.counters import TOTALS

LONGEST_PAGE = 2_000
MOST_LINES = 12
"""Cards fold longer texts."""

_LINE = 90
_READ = MOST_LINES * _LINE
_NO_CALL = -1


@dataclass(frozen=True, slots=True)
class OutlineCalls:
    """The figures of the LLM calls behind a page of steps, in one column each."""

    id: Sequence[UUID]
    input_tokens: Sequence[int | None]
    cache_read_tokens: Sequence[int | None]
    output_tokens: Sequence[int | None]
    cost_micro_usd: Sequence[int | None]
    duration_seconds: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class OutlinePage:
    """Some steps of a tape in columns: the entry for step `start + i` is at index `i`.

    `kind`, `family`, `writer`, `agent`, `node`, `prompt` and `lane` hold indices into `kinds`,
    `families`, `writers`, `agents`, `nodes`, `prompts` and `lanes`; `call` into `calls`, or -1 for
    no call.
    """

    tag: Annotated[str, Field(exclude=True)]
    """Changes whenever the tape's outline may have changed; sent as a header."""

    start: int
    step_count: int
    """Number of steps of the entire tape."""

    kinds: list[str]
    families: list[Family]
    writers: list[Writer]
    agents: list[str]
    nodes: list[str]
    prompts: list[str]
    lanes: list[str]
    kind: list[int]
    family: list[int]
    writer: list[int]
    agent: list[int]
    node: list[int]
    prompt: list[int]
    lane: list[int]
    call: list[int]
    gist: list[str]
    lines: list[int]
    """Approximately how many lines of it a folded card shows."""

    is_error: list[int]
    is_own: list[int]
    calls: OutlineCalls


def load_outline_tag(tape_id: UUID, project: UUID) -> str:
    """Return the tag that a page would have now, in one query."""
    return _tag_of(get_tape(tape_id, project))


def load_outline_page(tape_id: UUID, project: UUID, *, start: int, count: int) -> OutlinePage:
    """Return some steps of a tape without their bodies, in two queries."""
    tape = get_tape(tape_id, project)
    wanted = min(max(0, count), LONGEST_PAGE)
    rows = _read_rows(tape, max(0, start), wanted)
    columns: dict[str, list[Any]] = {
        name: [row[at] for row in rows] for at, name in enumerate(_COLUMNS)
    }
    columns["lane"] = [lane or "" for lane in columns["lane"]]
    named = {
        plural: _number(columns[name])
        for name, plural in (
            ("kind", "kinds"), ("family", "families"), ("writer", "writers"),
            ("agent", "agents"), ("node", "nodes"), ("prompt_id", "prompts"), ("lane", "lanes"),
        )
    }  # fmt: skip
    call_places = _number(call for call in columns["llm_call_id"] if call is not None)
    return OutlinePage(
        tag=_tag_of(tape),
        start=start,
        step_count=tape.step_count,
        **{plural: list(numbers) for plural, numbers in named.items()},
        kind=_places(columns["kind"], named["kinds"]),
        family=_places(columns["family"], named["families"]),
        writer=_places(columns["writer"], named["writers"]),
        agent=_places(columns["agent"], named["agents"]),
        node=_places(columns["node"], named["nodes"]),
        prompt=_places(columns["prompt_id"], named["prompts"]),
        lane=_places(columns["lane"], named["lanes"]),
        call=[call_places.get(call, _NO_CALL) for call in columns["llm_call_id"]],
        gist=columns["gist"],
        lines=[
            min(MOST_LINES, breaks + 1 + length // _LINE)
            for length, breaks in zip(columns["length"], columns["breaks"], strict=True)
        ],
        is_error=list(map(int, columns["is_error"])),
        is_own=[int(log == tape.id) for log in columns["log_id"]],
        calls=_describe_calls(rows, len(call_places)),
    )


def _tag_of(tape: TapeRecord) -> str:
    # Calls may be imported after their tape, which changes no step.
    return f"{tape.version}-{tape.step_count}-{tape.llm_call_count}-{tape.updated_at.timestamp()}"


def find_kind(tape_id: UUID, project: UUID, kind: str) -> int | None:
    """Return the position of the first step of a kind, in two queries."""
    spans = get_spans(tape_id, project)
    steps = StepRecord.objects.filter(spans_filter(spans), kind=fit_text(kind, 100)).order_by()
    found = set(steps.values_list("log_id", "position"))
    return next((at for at, place in enumerate(places(spans)) if place in found), None)


_COLUMNS = (
    "log_id", "position", "kind", "family", "writer", "agent", "node", "prompt_id", "lane",
    "gist", "is_error", "llm_call_id", "length", "breaks", *TOTALS,
)  # fmt: skip


def _read_rows(tape: TapeRecord, start: int, count: int) -> list[tuple[Any, ...]]:
    """Return the columns of some steps in the order of the tape."""
    spans = cut_spans(read_spans(tape.spans), start, count)
    beginning = Substr("text", 1, _READ)
    found = (
        StepRecord.objects.filter(spans_filter(spans))
        .order_by()
        .annotate(
            length=Length(beginning),
            breaks=Length(beginning) - Length(Replace(beginning, Value("\n"), Value(""))),
            **{name: F(f"llm_call__{name}") for name in TOTALS},
        )
        .values_list(*_COLUMNS)
    )
    by_place = {row[:2]: row for row in found}
    return [by_place[place] for place in places(spans)]


def _number(values: Iterable[Any]) -> dict[Any, int]:
    return {value: place for place, value in enumerate(dict.fromkeys(values))}


def _places(values: Iterable[Any], numbers: dict[Any, int]) -> list[int]:
    return [numbers[value] for value in values]


def _describe_calls(rows: Sequence[tuple[Any, ...]], count: int) -> OutlineCalls:
    """Return the figures of each call, in the order in which the steps first refer to it."""
    at, first = _COLUMNS.index("llm_call_id"), _COLUMNS.index(TOTALS[0])
    taken = {row[at]: row[first:] for row in rows if row[at] is not None}
    numbers = list(zip(*taken.values(), strict=True)) if count else [()] * len(TOTALS)
    return OutlineCalls(list(taken), **dict(zip(TOTALS, numbers, strict=True)))
