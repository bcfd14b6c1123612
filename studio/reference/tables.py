"""Markdown tables for the reference pages."""

from collections.abc import Iterable, Iterator, Sequence


def write_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table, after an empty one; bars in cells are escaped."""
    yield ""
    yield _write_row(head)
    yield "|" + "---|" * len(head)
    yield from map(_write_row, rows)


def _write_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
