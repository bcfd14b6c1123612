"""Parses the text of a query into its conditions.

    agent:analyst errors>0 cost<0.05 text:"Vulcan" has:tool_error -tag:bad
    (outcome:fail OR score<0.5) created>7d seq: tool_error -> same_call within 2

Bare words are searched for in the steps, `-` and NOT negate, OR and parentheses combine, and `seq:`
comes last.
"""

from tapes_app.library.domain.tape_query.conditions import (
    Clause,
    TapeQuery,
    Words,
    all_of,
    any_of,
    negate,
)
from tapes_app.library.domain.tape_query.fields import FIELDS
from tapes_app.library.domain.tape_query.sequences import read_sequence
from tapes_app.library.domain.tape_query.tokens import (
    LONGEST_QUERY,
    Token,
    next_token,
    query_error,
    quote,
    read_values,
)
from tapes_app.library.domain.tape_query.values import closest, read_condition

MOST_CLAUSES = 60
DEEPEST = 20


def parse_query(text: str) -> TapeQuery:
    """Return the parsed query; an empty text picks every tape.

    Raises:
        QueryError: the text cannot be parsed; the error contains the position and a suggestion.
    """
    if len(text) > LONGEST_QUERY:
        raise query_error(
            f"A query can have at most {LONGEST_QUERY:,} characters.", LONGEST_QUERY, len(text)
        )
    reader = _Reader(text)
    clause = reader.read_any(depth=0)
    token = reader.token
    if token.type == "close":
        raise token.error("This parenthesis was never opened.")
    sequence = read_sequence(text, token.end) if token.type == "field" else ()
    return TapeQuery(clause, sequence)


class _Reader:
    """Reads tokens from left to right; `token` is the next one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.token = next_token(text, 0)
        self.count = 0

    def read_any(self, depth: int) -> Clause | None:
        """Read conditions joined by OR; return `None` if there are none."""
        parts: list[Clause] = []
        while True:
            start = self.token
            part = self._read_all(depth)
            if part is not None:
                parts.append(part)
            elif parts or _is_word(self.token, "OR"):
                raise start.error("OR must be between two conditions.")
            if not _is_word(self.token, "OR"):
                return any_of(tuple(parts)) if parts else None
            joiner = self.token
            self._advance()
            if self.token.type in ("end", "close"):
                raise joiner.error("OR must be between two conditions.")

    def _read_all(self, depth: int) -> Clause | None:
        parts: list[Clause] = []
        while self.token.type not in ("end", "close") and not _is_word(self.token, "OR"):
            if self.token.type == "field" and self.token.text == "seq":
                self._check_sequence(depth)
                break
            if _is_word(self.token, "AND"):
                self._advance()
                continue
            parts.append(self._read_one(depth))
        return all_of(tuple(parts))

    def _read_one(self, depth: int) -> Clause:
        token = self.token
        self._check_size(token, depth)
        if token.type == "minus" or _is_word(token, "NOT"):
            self._advance()
            if self.token.type in ("end", "close") or _is_word(self.token, "OR"):
                raise token.error("A condition is missing after '-'.")
            if self.token.type == "field" and self.token.text == "seq":
                self._check_sequence(depth + 1)
            return negate(self._read_one(depth + 1))
        if token.type == "open":
            return self._read_parentheses(depth)
        if token.type == "field":
            return self._read_field(token)
        self._advance()
        return Words(token.text, is_phrase=token.type == "quoted")

    def _read_parentheses(self, depth: int) -> Clause:
        opening = self.token
        self._advance()
        found = self.read_any(depth + 1)
        if self.token.type != "close":
            raise opening.error("This parenthesis is never closed.")
        if found is None:
            raise query_error("These parentheses are empty.", opening.start, self.token.end)
        self._advance()
        return found

    def _read_field(self, token: Token) -> Clause:
        field = FIELDS.get(token.text)
        if field is None:
            raise self._unknown_field(token)
        values = read_values(self.text, token.end)
        if not values:
            example = field.choices[0] if field.choices else ""
            written = f"{token.text}{token.operator}"
            raise token.error(
                f"A value is missing after {written}.", f"{written}{example}" if example else ""
            )
        self.token = next_token(self.text, values[-1].end)
        if field.name == "text":
            found = any_of(
                tuple(Words(value.text, is_phrase=value.type == "quoted") for value in values)
            )
            return negate(found) if token.operator == "!=" else found
        return read_condition(field, token, values)

    def _unknown_field(self, token: Token) -> Exception:
        name = self.text[token.start : token.end].rstrip("!=<>:")
        near = closest(token.text, [*FIELDS, "seq"])
        values = read_values(self.text, token.end)
        end = values[-1].end if values else token.end
        if near:
            operator = token.operator if near == "seq" or FIELDS[near].is_ordered else ":"
            return token.error(
                f"There is no field {name!r}; did you mean {near!r}?", f"{near}{operator}"
            )
        return query_error(
            f"There is no field {name!r}; put search words in quotation marks.",
            token.start,
            end,
            quote(self.text[token.start : end].strip()),
        )

    def _check_sequence(self, depth: int) -> None:
        if depth:
            raise self.token.error(
                "seq: must come last, outside parentheses, and cannot be negated."
            )

    def _check_size(self, token: Token, depth: int) -> None:
        self.count += 1
        if self.count > MOST_CLAUSES:
            raise token.error(f"A query can have at most {MOST_CLAUSES} conditions.")
        if depth > DEEPEST:
            raise token.error(f"Conditions can be nested at most {DEEPEST} levels deep.")

    def _advance(self) -> None:
        self.token = next_token(self.text, self.token.end)


def _is_word(token: Token, word: str) -> bool:
    return token.type == "word" and token.text == word
