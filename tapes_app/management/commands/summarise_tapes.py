"""Summarise what the tapes of a list have in common."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tapes_app.library.services.overview import SummarySpread, TapeSummary, summarise_tapes
from tapes_app.library.services.queries import load_facets
from tapes_app.library.store.facets import FacetPanels
from tapes_app.management import output
from tapes_app.management.arguments import LIST, read_list
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Summarize the tapes that match a query: outcomes, the distribution of steps, cost and "
        "time, where they fail, and counts per facet."
    )

    arguments = (LIST,)

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        wanted, _ = read_list(person, options)
        summary, facets = summarise_tapes(person, wanted), load_facets(person, wanted)
        for line in (*_summary_lines(summary), *_facet_lines(facets)):
            self.print_line(line)
        return Answer(_sum_up(summary), {"summary": asdict(summary), "facets": asdict(facets)})


def _summary_lines(summary: TapeSummary) -> Iterator[str]:
    spreads = (("steps", summary.steps), ("cost in $", summary.cost),
               ("duration in s", summary.duration))  # fmt: skip
    for name, spread in spreads:
        if spread is not None:
            yield f"{name}: {_show_spread(spread)}"
    places = (("node", summary.failing_nodes), ("kind", summary.failing_kinds),
              ("tool", summary.failing_tools))  # fmt: skip
    for name, found in places:
        for place in found:
            tapes, steps = count_of(place.tape_count, "tape"), count_of(place.step_count, "step")
            yield f"fails at {name} {place.name or 'none'}: {tapes}, {steps}"


def _show_spread(spread: SummarySpread) -> str:
    return (
        f"{spread.low:.4g} to {spread.high:.4g}, median {spread.median:.4g}, p90 {spread.p90:.4g}"
    )


def _facet_lines(facets: FacetPanels) -> Iterator[str]:
    for facet in facets.facets:
        values = [f"{one.label or 'none'} {one.count}" for one in facet.values]
        if facet.more_count:
            values.append(f"and {facet.more_count} more")
        if values:
            of_newest = ", of the newest tapes" if facet.is_cut else ""
            yield f"{facet.name}{of_newest}: {', '.join(values)}"


def _sum_up(summary: TapeSummary) -> str:
    parts = [count_of(summary.tape_count, "tape")]
    if summary.is_cut:
        parts.append(f"of the newest {summary.summed_count:,}")
    parts.append(f"{summary.error_tape_count} with errors")
    parts.append(output.show_rate(summary.pass_rate))
    return ", ".join(parts) + "."
