"""Arguments of the sweep commands, and the lines that describe what a sweep would take."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from optimize_app.evaluation.services.sweeps.forecast import SweepForecast, VariantForecast
from tapes_app.management.arguments import option, to_micro_usd
from tapes_app.management.command import Answer
from tapes_app.projects.domain.left_out import list_left_out
from tapes_app.projects.domain.wording import count_of
from tapes_app.runs.services.estimates import EstimateRange

_MICRO = 1_000_000
_MINUTE = 60

MODELS = option(
    "--model",
    metavar="NAME",
    action="append",
    help="replaces every LLM of the agents; several to compare them",
)
BUDGET = (
    option("--dollars", metavar="AMOUNT", type=float, help="budget of all runs"),
    option("--tokens", metavar="N", type=int, help="budget of all runs in tokens"),
    option("--calls", metavar="N", type=int, help="budget of all runs in LLM calls"),
    option("--minutes", metavar="N", type=float, help="stop running after this long"),
)
SWEEP = (
    option("--seed", metavar="N", type=int, action="append", help="one attempt with each"),
    option("--repeats", metavar="N", type=int, default=1),
    option("--max-turns", metavar="N", type=int, help="limit for each run"),
    *BUDGET,
    option(
        "--preview",
        action="store_true",
        help="print how many runs that would be and what they may cost, and run nothing",
    ),
    option(
        "--export",
        metavar="FILE",
        type=Path,
        help="write the report: .csv has every attempt, .json all numbers, .md the text",
    ),
)
"""How often and how far a sweep runs, and what becomes of it."""


def read_budget(options: dict[str, Any]) -> dict[str, Any]:
    """Return those parts of a budget that were given."""
    minutes = options["minutes"]
    parts = {
        "micro_usd": to_micro_usd(options["dollars"]),
        "tokens": options["tokens"],
        "calls": options["calls"],
        "seconds": None if minutes is None else minutes * _MINUTE,
    }
    return {name: most for name, most in parts.items() if most is not None}


def print_forecast(print_line: Callable[[str], None], found: SweepForecast) -> Answer:
    """Print what each variant would take; return the totals, as nothing was started."""
    left_out = list_left_out(found.left_out)
    for one in found.variants:
        print_line(f"{one.variant.name}: {count_of(one.run_count, 'run')}, {_describe(one)}")
    for left in left_out:
        print_line(f"{count_of(left.tape_count, 'task')} left out: {left.why}")
    if found.reach:
        print_line(found.reach)
    there = f", {found.there_count:,} already there" if found.there_count else ""
    words = f"{count_of(found.new_count, 'new run')}{there}: {_describe(found)}."
    return Answer(words, asdict(found) | {"left_out": [asdict(left) for left in left_out]})


def _describe(found: SweepForecast | VariantForecast) -> str:
    dollars = found.cost_micro_usd and found.cost_micro_usd.times(1 / _MICRO)
    minutes = found.seconds and found.seconds.times(1 / _MINUTE)
    return ", ".join([
        f"tokens {_range(found.tokens, ',.0f')}",
        f"dollars {_range(dollars, ',.4f')}",
        f"minutes one after the other {_range(minutes, ',.1f')}",
    ])  # fmt: skip


def _range(found: EstimateRange | None, shown: str) -> str:
    if found is None:
        return "unknown"
    return f"about {found.likely:{shown}} ({found.low:{shown}} to {found.high:{shown}})"
