"""List tapes that match a query."""

from dataclasses import asdict
from typing import Any

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.services.queries import list_tapes
from tapes_app.library.store.order import SORT_NAMES
from tapes_app.management.arguments import LIST, option, read_list
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.tapes.domain.rows import TapeRow

_PAGE = 200


class Command(StudioCommand):
    help = (
        "List the tapes that match a query, as the Tapes page does: "
        "agent:analyst errors>0 -tag:bad seq: tool_error -> same_call within 2"
    )

    arguments = (
        LIST,
        option(
            "--sort",
            metavar="COLUMN",
            default="",
            help=f"with - before it for descending: {', '.join(SORT_NAMES)}; else newest first",
        ),
        option(
            "--limit", metavar="N", type=int, default=50, help="maximum number of tapes; 0 for all"
        ),
    )

    def work(self, person: Any, options: dict[str, Any]) -> Answer:
        limit = options["limit"]
        if limit < 0:
            raise InvalidInputError("--limit must be 0 or more.")
        wanted, order = read_list(person, options)
        sort = options["sort"] or order
        rows: list[TapeRow] = []
        after = ""
        while True:
            size = min(_PAGE, limit - len(rows)) if limit else _PAGE
            page = list_tapes(person, wanted, sort=sort, after=after, limit=size)
            rows += page.items
            for row in page.items:
                self.print_line(_show(row))
            after = page.next or ""
            if not after or (limit and len(rows) >= limit):
                break
        more = "; there are more, see --limit" if after else ""
        values = {"tapes": [_values(row) for row in rows], "has_more": bool(after)}
        return Answer(f"{count_of(len(rows), 'tape')}{more}.", values)


def _show(row: TapeRow) -> str:
    outcome = f"{row.error_count} errors" if row.error_count else "no error"
    return f"{row.id}  {row.agent_name or '-'}  {row.step_count} steps, {outcome}  {row.title}"


def _values(row: TapeRow) -> dict[str, Any]:
    values = asdict(row)
    return {**values, **values.pop("totals"), "snippet": "".join(p.text for p in row.snippet)}
