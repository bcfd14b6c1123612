"""Reads vocabularies from short tables: one line each, its parts separated by bars."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from tapes_app.gallery.form_filler.companies.vocabulary import (
    Amount,
    Choice,
    Code,
    Option,
    Period,
    Plain,
    Request,
    Text,
)

Row = TypeVar("Row")


def _split(line: str, sign: str = "|") -> list[str]:
    return [part.strip() for part in line.split(sign)]


def _read(table: str, read: Callable[..., Row]) -> tuple[Row, ...]:
    return tuple(read(*_split(line)) for line in table.strip().splitlines())


def read_requests(table: str) -> tuple[Request, ...]:
    """Read lines of `verb | thing`."""
    return _read(table, Request)


def read_choices(table: str) -> tuple[Choice, ...]:
    """Read lines of `slot | about`, each followed by its `- value | trait | need`."""
    return tuple(_read_blocks(table.strip().splitlines()))


def _read_blocks(lines: list[str]) -> Iterator[Choice]:
    heads = [place for place, line in enumerate(lines) if not line.startswith("-")]
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        name, about = _split(lines[start])
        options = tuple(Option(*_split(line[1:])) for line in lines[start + 1 : end])
        yield Choice(name, about, options)


def read_plain(table: str) -> tuple[Plain, ...]:
    """Read lines of `slot | about`."""
    return _read(table, Plain)


def read_periods(table: str) -> tuple[Period, ...]:
    """Read lines of `first slot | about | last slot | about`."""
    return _read(table, lambda a, b, c, d: Period(Plain(a, b), Plain(c, d)))


def read_texts(table: str) -> tuple[Text, ...]:
    """Read lines of `slot | about | sample; sample; …`."""
    return _read(table, lambda name, about, all_: Text(name, about, tuple(_split(all_, ";"))))


def read_codes(table: str) -> tuple[Code, ...]:
    """Read lines of `slot | about | letters | number of digits`."""
    return _read(table, lambda name, about, letters, n: Code(name, about, letters, int(n)))


def read_amounts(table: str) -> tuple[Amount, ...]:
    """Read lines of `slot | about | least | most`."""
    return _read(table, lambda name, about, a, b: Amount(name, about, int(a), int(b)))
