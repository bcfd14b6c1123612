"""Converting the rows of a file to examples, counting those that are skipped, with reasons."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tapes_app.exchange.domain.example_cells import RowProblem
from tapes_app.exchange.domain.example_mapping import Example, ExampleMapping, map_row
from tapes_app.interchange.example_rows import Row


@dataclass(frozen=True, slots=True)
class LeftOutRows:
    """Rows that do not become examples, or of which something is lost."""

    why: str
    count: int
    first_row: int


@dataclass
class RowCount:
    """How many rows were read, and which of them do not become examples."""

    rows: int = 0
    examples: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    first_rows: dict[str, int] = field(default_factory=dict)

    def list_left_out(self) -> list[LeftOutRows]:
        return self._list(self.left_out)

    def list_lost(self) -> list[LeftOutRows]:
        return self._list(self.lost)

    def note(self, reasons: Counter[str], why: str, row: int) -> None:
        reasons[why] += 1
        self.first_rows.setdefault(why, row)

    def _list(self, reasons: Counter[str]) -> list[LeftOutRows]:
        return [
            LeftOutRows(why, count, self.first_rows[why]) for why, count in reasons.most_common()
        ]


def map_rows(
    rows: Iterable[Row], mapping: ExampleMapping, count: RowCount
) -> Iterator[tuple[Row, Example]]:
    """Yield the examples of rows, and count the rows that do not become one."""
    seen: set[str] = set()
    for row in rows:
        count.rows += 1
        try:
            example = _map(row, mapping, seen)
        except RowProblem as problem:
            count.note(count.left_out, str(problem), row.number)
            continue
        count.examples += 1
        if example.note:
            count.note(count.lost, example.note, row.number)
        yield row, example


def _map(row: Row, mapping: ExampleMapping, seen: set[str]) -> Example:
    if row.problem:
        raise RowProblem(row.problem)
    example = map_row(mapping, row.values)
    key = example.id or example.digest
    if key in seen:
        raise RowProblem("an id that an earlier row has" if example.id else "an earlier row again")
    seen.add(key)
    return example
