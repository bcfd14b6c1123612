"""Prints conditions as text, so that what a click changes reads as if somebody had typed it."""

from typing import assert_never

from tapes_app.library.domain.tape_query.conditions import (
    All,
    AnyOf,
    Between,
    Clause,
    Compare,
    Match,
    Not,
    StepPattern,
    StepTest,
    TapeQuery,
    Value,
    Words,
)
from tapes_app.library.domain.tape_query.fields import STEP_FIELDS
from tapes_app.library.domain.tape_query.tokens import STEP_VALUE, is_plain_word, quote, write_value


def print_query(query: TapeQuery) -> str:
    """Return the text of a query; parsing it returns the same query."""
    clause = _print(query.clause, is_inner=False) if query.clause is not None else ""
    if isinstance(query.clause, AnyOf) and query.sequence:
        clause = f"({clause})"
    steps = " -> ".join(map(_print_pattern, query.sequence))
    sequence = f"seq: {steps}" if query.sequence else ""
    return f"{clause} {sequence}".strip()


def _print(clause: Clause, *, is_inner: bool) -> str:
    match clause:
        case Words():
            return _print_words(clause)
        case Match(field, values):
            return f"{field}:{','.join(map(write_value, values))}"
        case Compare(field, operator, value):
            sign = ":" if operator == "=" else operator
            return f"{field}{sign}{_print_value(value)}"
        case Between(field, low, high):
            ends = ["" if end is None else _print_value(end) for end in (low, high)]
            return f"{field}:{'..'.join(ends)}"
        case Not(inner):
            text = _print(inner, is_inner=True)
            are_many = isinstance(inner, Words) and not inner.is_phrase and " " in inner.text
            return f"-({text})" if are_many else f"-{text}"
        case All(parts):
            text = " ".join(_print(part, is_inner=True) for part in parts)
            return f"({text})" if is_inner else text
        case AnyOf(parts):
            text = " OR ".join(_print(part, is_inner=True) for part in parts)
            return f"({text})" if is_inner else text
        case _:
            assert_never(clause)


def _print_words(words: Words) -> str:
    if words.is_phrase:
        return quote(words.text)
    return " ".join(
        word if is_plain_word(word) else f"text:{word}" for word in words.text.split(" ")
    )


def _print_value(value: Value) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else repr(value)


def _print_pattern(pattern: StepPattern) -> str:
    text = " ".join(map(_print_test, pattern.tests))
    return text if pattern.within is None else f"{text} within {pattern.within}"


def _print_test(test: StepTest) -> str:
    sign = "-" if test.is_negated else ""
    if test.name not in STEP_FIELDS:
        return f"{sign}{test.name}"
    values = (write_value(value, STEP_VALUE) for value in test.values)
    return f"{sign}{test.name}:{','.join(values)}"
