"""Output that several commands share: rates, changes of many tapes and how to undo them."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from tapes_app.bulk.services.tape_changes import undo_change
from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.management.command import Answer
from tapes_app.management.named import find_id
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.statistics.estimate import Estimate


def show_rate(rate: Estimate | None) -> str:
    """Return "62% of 8 judged passed (31% to 86%)"."""
    if rate is None:
        return "none judged"
    return f"{rate.value:.0%} of {rate.count} judged passed ({rate.low:.0%} to {rate.high:.0%})"


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each row as a line in which the cells of a column begin at the same place."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def cost_values(micro_usd: int, *, is_known: bool) -> dict[str, int | bool | None]:
    """Return a cost for an answer as JSON, in millionths of a US dollar.

    If not every LLM call has a price, the cost is a lower bound; it is `None` if none has one.
    """
    known = micro_usd if is_known or micro_usd else None
    return {"cost_micro_usd": known, "is_cost_known": is_known}


def describe_discarded(discarded: Discarded) -> Answer:
    """Return the answer after the tapes that a bulk action made were removed."""
    kept = (
        f"; {discarded.kept_count} kept because somebody is using them"
        if discarded.kept_count
        else ""
    )
    values = {"removed": discarded.tape_count, "kept": discarded.kept_count}
    return Answer(f"{count_of(discarded.tape_count, 'tape')} removed{kept}.", values)


def describe_change(
    change: UndoableChange, done: str = "changed", *, undo: str = "--undo", **values: Any
) -> Answer:
    """Return the answer for a change of many tapes, with the id that undoes it."""
    summary = f"{count_of(change.changed_count, 'tape')} of {change.tape_count} {done}"
    back = f"; undo with {undo} {change.id}" if change.id else ""
    counts = {"tapes": change.tape_count, "changed": change.changed_count}
    undone_by = str(change.id) if change.id else None
    return Answer(f"{summary}{back}.", {**counts, **values, "undo": undone_by})


def undo(person: Person, change: str, *, of: Literal["tapes", "tags", "datasets"]) -> Answer:
    """Undo a change of many tapes, given by its id or the beginning of it."""
    count = undo_change(person, find_id(person, change, "change"), of=of)
    return Answer(f"Undone on {count_of(count, 'tape')}.", {"changed": count})
