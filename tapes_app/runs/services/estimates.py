"""What a run will probably take, judged from recorded work: from limited samples, never a guess.

A sample is one past piece of similar work by the same agent with the same model: a run, a turn or a
call. With several samples the range spans their quartiles; without any sample there is no number.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median, quantiles
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.agents.store import agents as agent_storage
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import Usage
from tapes_app.llms.pricing import PriceSheet, compute_cost
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.asked_models import AskedModels, find_asked_models
from tapes_app.runs.store import basis as run_basis
from tapes_app.runs.store.basis import StepCall, TapeCost

MOST_STEPS = 2000
"""How many steps of a tape are read, starting at the place."""

STEPS_BEFORE = 500
MOST_RUNS = 30
_FEW = 4
_NOTHING_COMPARABLE = "No estimate: this agent has not run with this model yet."


@dataclass(frozen=True, slots=True)
class PastRun:
    """What one past piece of work took. `None` means unknown."""

    call_count: int
    input_tokens: int
    cache_read_tokens: int
    output_tokens: int
    cost_micro_usd: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class EstimateRange:
    low: float
    likely: float
    high: float

    def times(self, factor: float) -> "EstimateRange":
        return EstimateRange(self.low * factor, self.likely * factor, self.high * factor)


class EstimateRequest(FrozenModel):
    """A run that may be started. The recorded rest of the tape guides the estimate."""

    agent_version_id: UUID
    model_id: UUID | None = None
    from_position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Position on the recorded tape where the work begins; its end by default."""

    until: Literal["end", "next_action", "next_node", "step"] = "end"
    until_position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    reuse_recorded: bool = False


@dataclass(frozen=True)
class RunEstimate:
    """Ranges for the entire run, or for one call if the number of calls is unknown."""

    calls: EstimateRange | None
    input_tokens: EstimateRange | None
    output_tokens: EstimateRange | None
    cost_micro_usd: EstimateRange | None
    seconds: EstimateRange | None
    is_per_call: bool
    sample_count: int
    basis: str
    """What the numbers are based on, as a sentence."""


def estimate_run(person: Person, tape_id: UUID, request: EstimateRequest) -> RunEstimate:
    """Estimate a run from what the same agent did with the same model, here and elsewhere.

    Raises:
        NotFoundError: no such tape, agent version or model in the project.
    """
    project = person.project_id
    version = agent_storage.load_version(request.agent_version_id, project)
    asked = find_asked_models(project, version, request.model_id)
    count = run_basis.count_steps(tape_id, project)
    start = count if request.from_position is None else min(request.from_position, count)
    began = max(0, start - STEPS_BEFORE)
    rows = run_basis.list_step_calls(
        tape_id, project, start=began, count=start - began + MOST_STEPS
    )
    before, rest = rows[: start - began], rows[start - began :]
    samples, basis = _choose_samples(project, request, asked, before, rest)
    is_per_call = not samples
    if is_per_call:
        samples = _calls_alike(asked, before)
        made = _count(len(samples), "call")
        basis = f"Per call, based on {made} on this tape; the number of calls cannot be estimated."
    if not samples:
        is_per_call, basis = False, _NOTHING_COMPARABLE
    can_be_free = request.reuse_recorded and bool(samples)
    return _sum_up(samples, asked.prices, basis, is_per_call=is_per_call, can_be_free=can_be_free)


def _choose_samples(
    project: UUID,
    request: EstimateRequest,
    asked: AskedModels,
    before: Sequence[StepCall],
    rest: Sequence[StepCall],
) -> tuple[list[PastRun], str]:
    match request.until:
        case "next_node":
            calls = _calls_alike(asked, [*before, *rest])
            return calls, f"Based on {_count(len(calls), 'call')} on this tape."
        case "next_action":
            turns = list(split_turns([*before, *rest], asked))
            return turns, f"Based on {_count(len(turns), 'turn')} on this tape."
        case "step" if request.until_position is not None and rest:
            end = request.until_position - rest[0].position + 1
            part = _work_alike(asked, rest[:end])
            if part is not None:
                return [part], "Based on the recording of the same steps."
    return _samples_of_runs(project, asked, rest)


def _samples_of_runs(
    project: UUID, asked: AskedModels, rest: Sequence[StepCall]
) -> tuple[list[PastRun], str]:
    """Return samples from the rest of this tape, and from earlier runs of the agent."""
    named: list[str] = []
    samples: list[PastRun] = []
    recorded = _work_alike(asked, rest)
    if recorded is not None:
        named.append("the recorded rest of this tape")
        samples.append(recorded)
    of_agent = project, asked.agent_id, asked.models
    results = run_basis.list_run_results(*of_agent, limit=MOST_RUNS)
    runs = [run for run in map(_read_result, results) if run is not None]
    if runs:
        named.append(_count(len(runs), "earlier run") + " with this model")
        samples += runs
    if not samples:
        costs = run_basis.list_tape_costs(*of_agent, limit=MOST_RUNS)
        samples = [_of_tape(cost) for cost in costs]
        named.append(_count(len(samples), "tape") + " of this agent with this model")
    return samples, f"Based on {' and '.join(named)}."


def _work_alike(asked: AskedModels, rows: Iterable[StepCall]) -> PastRun | None:
    """Return what the steps took, or `None` if another agent made one or no model was asked."""
    calls = _first_of_calls(rows)
    return _add_up(calls) if calls and all(map(asked.made, calls)) else None


def _calls_alike(asked: AskedModels, rows: Iterable[StepCall]) -> list[PastRun]:
    return [_add_up([row]) for row in _first_of_calls(rows) if asked.made(row)]


def _read_result(result: dict[str, Any]) -> PastRun | None:
    """Return what a run reports it took, or `None` if it asked no model or reports nothing."""
    calls = result.get("call_count")
    if not isinstance(calls, int) or calls < 1:
        return None
    seconds = result.get("seconds")
    cost = result.get("cost_micro_usd")
    return PastRun(
        call_count=calls,
        input_tokens=_whole(result.get("input_tokens")),
        cache_read_tokens=_whole(result.get("cache_read_tokens")),
        output_tokens=_whole(result.get("output_tokens")),
        cost_micro_usd=cost if isinstance(cost, int) else None,
        seconds=seconds if isinstance(seconds, int | float) else None,
    )


def _of_tape(cost: TapeCost) -> PastRun:
    return PastRun(
        call_count=cost.call_count,
        input_tokens=cost.input_tokens,
        cache_read_tokens=cost.cache_read_tokens,
        output_tokens=cost.output_tokens,
        cost_micro_usd=cost.cost_micro_usd or None,
        seconds=None,
    )


def split_turns(rows: Iterable[StepCall], asked: AskedModels) -> Iterator[PastRun]:
    """Yield what each turn took: the calls between one observation and the next."""
    for is_observation, group in groupby(rows, key=lambda row: row.family == "observation"):
        turn = None if is_observation else _work_alike(asked, group)
        if turn is not None:
            yield turn


def _first_of_calls(rows: Iterable[StepCall]) -> list[StepCall]:
    """Return one row for each call, because several steps may come from the same one."""
    first: dict[UUID, StepCall] = {}
    for row in rows:
        if row.call_id is not None:
            first.setdefault(row.call_id, row)
    return list(first.values())


def _add_up(rows: Sequence[StepCall]) -> PastRun:
    costs = [row.cost for row in rows]
    priced = [cost.cost_micro_usd for cost in costs if cost.cost_micro_usd is not None]
    timed = [cost.duration_seconds for cost in costs if cost.duration_seconds is not None]
    return PastRun(
        call_count=len(rows),
        input_tokens=sum(_whole(cost.input_tokens) for cost in costs),
        cache_read_tokens=sum(_whole(cost.cache_read_tokens) for cost in costs),
        output_tokens=sum(_whole(cost.output_tokens) for cost in costs),
        cost_micro_usd=sum(priced) if priced else None,
        seconds=sum(timed) if timed else None,
    )


def _sum_up(
    samples: Sequence[PastRun],
    prices: PriceSheet | None,
    basis: str,
    *,
    is_per_call: bool,
    can_be_free: bool,
) -> RunEstimate:
    priced = [price_sample(sample, prices) for sample in samples]
    ranges = {
        "calls": find_range([sample.call_count for sample in samples]),
        "input_tokens": find_range([sample.input_tokens for sample in samples]),
        "output_tokens": find_range([sample.output_tokens for sample in samples]),
        "cost_micro_usd": find_range([cost for cost in priced if cost is not None]),
        "seconds": find_range([s.seconds for s in samples if s.seconds is not None]),
    }
    if can_be_free:
        basis = f"{basis} Recorded answers cost nothing."
        ranges = {name: replace(found, low=0) if found else None for name, found in ranges.items()}
    return RunEstimate(**ranges, is_per_call=is_per_call, sample_count=len(samples), basis=basis)


def find_range(values: Sequence[float]) -> EstimateRange | None:
    """Return the middle half of the values with their median; the full range if they are few."""
    if not values:
        return None
    if len(values) < _FEW:
        return EstimateRange(min(values), median(values), max(values))
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return EstimateRange(low, middle, high)


def add_ranges(ranges: Sequence[EstimateRange | None]) -> EstimateRange | None:
    """Return what several pieces of work take together; `None` if one of them is unknown.

    The ends are added up, which gives a wider range than chance alone would.
    """
    known = [one for one in ranges if one is not None]
    if not known or len(known) < len(ranges):
        return None
    return EstimateRange(
        low=sum(one.low for one in known),
        likely=sum(one.likely for one in known),
        high=sum(one.high for one in known),
    )


def price_sample(sample: PastRun, prices: PriceSheet | None) -> int | None:
    """Return what a sample would cost at the given prices; without prices, what it did cost.

    Cached tokens count in full if the model has no price for them.
    """
    if prices is None:
        return sample.cost_micro_usd
    cached = sample.cache_read_tokens if prices.cache_read is not None else 0
    return compute_cost(
        Usage(
            input_tokens=sample.input_tokens,
            cache_read_tokens=cached,
            output_tokens=sample.output_tokens,
        ),
        prices,
    )


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
