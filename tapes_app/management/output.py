"""What several commands say alike: rates, changes of many tapes and how they are taken back."""

from collections.abc import Callable
from typing import Any, TypeVar

from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.management.command import Answer
from tapes_app.projects.rows import Page
from tapes_app.projects.wording import count_of
from tapes_app.statistics.estimate import Estimate

Row = TypeVar("Row")


def show_rate(rate: Estimate | None) -> str:
    """Return "62% of 8 judged passed (31% to 86%)"."""
    if rate is None:
        return "none judged"
    return f"{rate.value:.0%} of {rate.count} judged passed ({rate.low:.0%} to {rate.high:.0%})"


def cost_values(micro_usd: int, *, is_known: bool) -> dict[str, int | bool | None]:
    """Return what an answer as JSON says of a cost, in millionths of a US dollar.

    Where not every LLM call has a price it cost at least so much; `None` where none has one.
    """
    known = micro_usd if is_known or micro_usd else None
    return {"cost_micro_usd": known, "is_cost_known": is_known}


def tell_discarded(gone: Discarded) -> Answer:
    """Return what is said when the tapes that a bulk action made were removed."""
    kept = f"; {gone.kept_count} kept because somebody is using them" if gone.kept_count else ""
    values = {"removed": gone.tape_count, "kept": gone.kept_count}
    return Answer(f"{count_of(gone.tape_count, 'tape')} removed{kept}.", values)


def tell_change(
    change: UndoableChange, done: str = "changed", *, undo: str = "--undo", **values: Any
) -> Answer:
    """Return what is said of a change of many tapes, and by which id it is taken back."""
    told = f"{count_of(change.changed_count, 'tape')} of {change.tape_count} {done}"
    back = f"; undo with {undo} {change.id}" if change.id else ""
    counts = {"tapes": change.tape_count, "changed": change.changed_count}
    undone_by = str(change.id) if change.id else None
    return Answer(f"{told}{back}.", {**counts, **values, "undo": undone_by})


def tell_taken_back(tape_count: int) -> Answer:
    """Return what is said when a change of many tapes was undone."""
    return Answer(f"Undone on {count_of(tape_count, 'tape')}.", {"changed": tape_count})


def read_all(read: Callable[[str], Page[Row]]) -> list[Row]:
    """Return the rows of all pages; `read` takes the cursor of a page, empty for the first."""
    rows: list[Row] = []
    after: str | None = ""
    while after is not None:
        page = read(after)
        rows += page.items
        after = page.next
    return rows
