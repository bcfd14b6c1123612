"""Many tapes of one task on one axis: their steps in columns, and the path that most of them take.

Progressive alignment (Feng and Doolittle 1987, J. Mol. Evol. 25:351) over symbols instead of amino
acids: tapes are added one after the other to a list of columns. A column holds steps of one symbol
only, so a step is next to equal steps or alone, and the only score is how many tapes go the same
way.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Symbol = TypeVar("Symbol", bound=Hashable)

MOST_CELLS = 3_000_000
"""Upper limit on the pairs of a step and a column that are compared; later tapes are left out."""


@dataclass(frozen=True, slots=True)
class Column(Generic[Symbol]):
    """Steps of one symbol; `positions` has an entry for each row, `None` if it has no step here."""

    symbol: Symbol
    positions: tuple[int | None, ...]

    @property
    def count(self) -> int:
        return sum(position is not None for position in self.positions)


@dataclass(frozen=True, slots=True)
class PathAlignment(Generic[Symbol]):
    """Columns in an order that is consistent with every row."""

    columns: tuple[Column[Symbol], ...]
    row_count: int
    """How many of the rows were aligned, counted from the first."""

    def is_consensus(self, column: Column[Symbol]) -> bool:
        """Whether more than half of the rows have a step there."""
        return 2 * column.count > self.row_count


def align_paths(
    rows: Sequence[Sequence[Symbol]], *, most_cells: int = MOST_CELLS
) -> PathAlignment[Symbol]:
    """Return the steps of all rows in columns: every step once, in the order of its row."""
    symbols: list[Symbol] = []
    members: list[dict[int, int]] = []
    """For each column, the position by row."""

    cells = 0
    for number, row in enumerate(rows):
        cells += len(row) * len(symbols)
        if cells > most_cells:
            return _built(symbols, members, number)
        pairs = _best_pairs(row, symbols, [len(member) for member in members])
        symbols, members = _merged(number, row, pairs, symbols, members)
    return _built(symbols, members, len(rows))


def _best_pairs(
    row: Sequence[Symbol], symbols: Sequence[Symbol], weights: Sequence[int]
) -> dict[int, int]:
    """Return the column of each step that has one, so that it meets as many others as possible.

    This is the heaviest common subsequence, by dynamic programming from the end.
    """
    width = len(symbols)
    best = [[0] * (width + 1) for _ in range(len(row) + 1)]
    for i in range(len(row) - 1, -1, -1):
        own, below, symbol = best[i], best[i + 1], row[i]
        for j in range(width - 1, -1, -1):
            value = max(below[j], own[j + 1])
            if symbol == symbols[j]:
                met = below[j + 1] + weights[j]
                value = max(value, met)
            own[j] = value
    pairs: dict[int, int] = {}
    i = j = 0
    while i < len(row) and j < width:
        if row[i] == symbols[j] and best[i][j] == best[i + 1][j + 1] + weights[j]:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return pairs


def _merged(
    number: int,
    row: Sequence[Symbol],
    pairs: dict[int, int],
    symbols: Sequence[Symbol],
    members: Sequence[dict[int, int]],
) -> tuple[list[Symbol], list[dict[int, int]]]:
    new_symbols: list[Symbol] = []
    new_members: list[dict[int, int]] = []
    done = 0

    def keep_until(stop: int) -> None:
        new_symbols.extend(symbols[done:stop])
        new_members.extend(members[done:stop])

    for position, symbol in enumerate(row):
        column = pairs.get(position)
        if column is None:
            new_symbols.append(symbol)
            new_members.append({number: position})
            continue
        keep_until(column)
        new_symbols.append(symbol)
        new_members.append({**members[column], number: position})
        done = column + 1
    keep_until(len(symbols))
    return new_symbols, new_members


def _built(
    symbols: Sequence[Symbol], members: Sequence[dict[int, int]], row_count: int
) -> PathAlignment[Symbol]:
    columns = tuple(
        Column(symbol, tuple(member.get(row) for row in range(row_count)))
        for symbol, member in zip(symbols, members, strict=True)
    )
    return PathAlignment(columns, row_count)
