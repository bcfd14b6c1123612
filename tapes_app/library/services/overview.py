"""Overviews without opening tapes: what a list has in common, and the preview of one tape."""

from dataclasses import dataclass
from typing import Literal

from tapes_app.library.domain.histogram import Bin, Spread
from tapes_app.library.domain.tape_query.conditions import TapeQuery
from tapes_app.library.domain.tape_query.facets import toggle_sequence, toggle_value, with_range
from tapes_app.library.domain.tape_query.printer import print_query
from tapes_app.library.store import summary
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.store.summary import COST_DIGITS, STEP_DIGITS, FailingGroup
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.rates import Tally, success_rate

Judged = Literal["pass", "fail", "none"]


@dataclass(frozen=True)
class SummaryBin(Bin):
    """A bar of a histogram; `query` narrows the list to it."""

    query: str


@dataclass(frozen=True)
class SummarySpread(Spread):
    bins: tuple[SummaryBin, ...]


@dataclass(frozen=True)
class FailurePlace:
    """Where steps report errors; `query` is the query after a click on it."""

    name: str
    tape_count: int
    step_count: int
    is_on: bool
    query: str


@dataclass(frozen=True)
class OutcomeCount:
    """How many tapes passed, failed or were not judged; `query` is the query after a click."""

    value: Judged
    count: int
    is_on: bool
    query: str


@dataclass(frozen=True)
class TapeSummary:
    """A summary of a list, with the query that a click on each part leads to."""

    tape_count: int
    summed_count: int
    is_cut: bool
    pass_rate: Estimate | None
    """Share of the judged tapes that passed, with its interval."""

    outcomes: tuple[OutcomeCount, ...]
    error_tape_count: int
    steps: SummarySpread | None
    cost: SummarySpread | None
    duration: SummarySpread | None
    failing_nodes: tuple[FailurePlace, ...]
    failing_kinds: tuple[FailurePlace, ...]
    failing_tools: tuple[FailurePlace, ...]


@limited()
def summarise_tapes(person: Person, wanted: TapeFilter) -> TapeSummary:
    """Return the outcomes, spreads and failing places of a list of tapes."""
    query = wanted.query
    found = summary.summarise_tapes(person.project_id, wanted)
    passed, failed = found.passed_count, found.failed_count
    outcomes: tuple[tuple[Judged, int], ...] = (
        ("pass", passed),
        ("fail", failed),
        ("none", found.unjudged_count),
    )
    return row_of(
        TapeSummary,
        found,
        pass_rate=success_rate(Tally(passed, passed + failed)),
        outcomes=tuple(_show_outcome(query, value, count) for value, count in outcomes),
        steps=_show_spread(query, "steps", found.steps, STEP_DIGITS),
        cost=_show_spread(query, "cost", found.cost, COST_DIGITS),
        duration=_show_spread(query, "duration", found.duration),
        failing_nodes=tuple(_show_place(query, place) for place in found.failing_nodes),
        failing_kinds=tuple(_show_place(query, place) for place in found.failing_kinds),
        failing_tools=tuple(_show_place(query, place) for place in found.failing_tools),
    )


def _show_spread(
    query: TapeQuery, field: str, spread: Spread | None, digits: int | None = None
) -> SummarySpread | None:
    if spread is None:
        return None
    *inner, last = spread.bins
    bins = (
        *(_show_bin(one, _narrow(query, field, one, digits)) for one in inner),
        _show_bin(last, with_range(query, field, last.low, last.high)),
    )
    return row_of(SummarySpread, spread, bins=bins)


def _narrow(query: TapeQuery, field: str, one: Bin, digits: int | None) -> TapeQuery:
    """Return the query for a bin without its upper end, at the given number of decimal places."""
    if digits is None:
        return with_range(query, field, one.low, one.high, is_high_open=True)
    return with_range(query, field, one.low, max(one.low, round(one.high - 10**-digits, digits)))


def _show_bin(one: Bin, query: TapeQuery) -> SummaryBin:
    return row_of(SummaryBin, one, query=print_query(query))


def _show_outcome(query: TapeQuery, value: Judged, count: int) -> OutcomeCount:
    toggle = toggle_value(query, "outcome", value)
    return OutcomeCount(value, count, toggle.is_on, print_query(toggle.query))


def _show_place(query: TapeQuery, place: FailingGroup) -> FailurePlace:
    toggle = toggle_sequence(query, place.found_by)
    return row_of(FailurePlace, place, is_on=toggle.is_on, query=print_query(toggle.query))
