"""List batches with their sums, and measure one."""

from dataclasses import asdict
from typing import Any

from tapes_app.batches.services.metrics import MetricMean, load_totals
from tapes_app.batches.store import batch_tapes
from tapes_app.batches.store.batch_tapes import BatchSummary
from tapes_app.management import named, output
from tapes_app.management.arguments import option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.rows import read_all
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_PAGE = 200
_MICRO = 1_000_000


class Command(ActionCommand):
    help = "List batches with their results, and measure one. diff_tapes --batch compares two."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list batches with their totals, newest first")
        name = option("name", metavar="NAME", help="name of a batch or a lens")
        self.add_action(
            "show", self._show, "show the pass rate and means with confidence intervals", name
        )

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        rows = read_all(
            lambda after: batch_tapes.list_summaries(person.project_id, after=after, limit=_PAGE)
        )
        return self.print_rows(rows, "batch", _show_row, asdict)

    def _show(self, person: Person, options: dict[str, Any]) -> Answer:
        totals = load_totals(person, named.find_side(person, options["name"]))
        for one in totals.means:
            self.print_line(_show_mean(one))
        parts = [f"{totals.name}: {count_of(totals.tape_count, 'tape')}"]
        parts += ["truncated"] if totals.is_cut else []
        parts.append(output.show_rate(totals.pass_rate))
        return Answer(", ".join(parts) + ".", asdict(totals))


def _show_row(row: BatchSummary) -> str:
    parts = [count_of(row.tape_count, "tape"), f"{row.error_count} with errors"]
    parts += [] if row.pass_rate is None else [output.show_rate(row.pass_rate)]
    parts += [] if row.mean_score is None else [f"mean score {row.mean_score:.3g}"]
    if row.tokens:
        parts += [f"{row.tokens:,} tokens", _show_cost(row)]
    return f"{row.name}  {', '.join(parts)}"


def _show_cost(row: BatchSummary) -> str:
    if row.unpriced_call_count == row.llm_call_count:
        return "cost unknown"
    cost = f"${row.cost_micro_usd / _MICRO:,.4f}"
    return f"at least {cost}" if row.unpriced_call_count else cost


def _show_mean(one: MetricMean) -> str:
    mean = one.mean
    interval = "" if mean.low is None else f" ({mean.low:.4g} to {mean.high:.4g})"
    return f"mean {one.metric}: {mean.value:.4g}{interval} of {count_of(mean.count, 'tape')}"
