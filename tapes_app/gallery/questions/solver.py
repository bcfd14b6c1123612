"""From phrases, such as "population of X in 2020", to values.

X is an island or a phrase that names one, such as "the island where Ada Fenwick was born". The
solver asks a `Desk` for values and never computes itself, so the same rules plan and act.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from tapes_app.gallery.questions.sources import PHRASES, Lookup, Phrase

_ISLANDS = ("Island", "From", "To")
_SUM = "values = {rows}\nprint(round(sum(value for (value,) in values), 2))"


class Desk(Protocol):
    """Where values come from; it may interrupt the solver to get them first."""

    def find(self, lookup: Lookup) -> str: ...

    def list_rows(self, lookup: Lookup, *columns: str) -> str:
        """Return the rows that fit, as a Python list of tuples of these columns."""
        ...

    def calculate(self, expression: str) -> str: ...

    def run(self, what: str, code: str) -> str: ...

    def convert(self, value: str, factor: str) -> str:
        """Return an expression of a value in another unit."""
        ...


@dataclass(frozen=True, slots=True)
class Solver:
    desk: Desk
    decimals: int | None

    def value(self, phrase: str) -> str:
        phrase = phrase.removeprefix("the ")
        for known in PHRASES:
            if found := known.pattern.fullmatch(phrase):
                return self._find(known, phrase, found.groupdict())
        return phrase

    def _find(self, known: Phrase, phrase: str, parts: Mapping[str, str]) -> str:
        where = {name: self._resolve(name, text) for name, text in parts.items()}
        for name, text in parts.items():
            phrase = phrase.replace(text, where[name])
        lookup = Lookup(phrase, known.source, where, known.column, known.pick, known.by)
        if known.pick != "sum":
            return self.desk.find(lookup)
        rows = self.desk.list_rows(lookup, known.column)
        return self.desk.run(phrase, _SUM.format(rows=rows))

    def compute(self, expression: str) -> str:
        if self.decimals is not None:
            expression = f"round({expression}, {self.decimals})"
        return self.desk.calculate(expression)

    def convert(self, phrase: str, factor: str) -> str:
        return self.desk.convert(self.value(phrase), factor)

    def _resolve(self, name: str, text: str) -> str:
        return self.value(text) if name in _ISLANDS and text.startswith("the ") else text
