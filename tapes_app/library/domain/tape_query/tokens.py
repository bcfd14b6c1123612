"""The tokens of a query's text with their positions, and the error that locates a wrong one."""

import re
from dataclasses import dataclass
from typing import Literal

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.domain.tape_query.fields import FIELDS, ORDERED

LONGEST_QUERY = 2_000
TokenType = Literal["open", "close", "minus", "word", "quoted", "field", "end"]


class QueryError(InvalidInputError):
    """A query cannot be parsed.

    `details["start"]` and `details["end"]` delimit the wrong characters, `details["suggestion"]` is
    what may replace them, empty if there is no suggestion.
    """

    code = "query_invalid"


def query_error(message: str, start: int, end: int, suggestion: str = "") -> QueryError:
    return QueryError(message, start=start, end=end, suggestion=suggestion)


@dataclass(frozen=True, slots=True)
class Token:
    type: TokenType
    text: str
    """For a field, its name; for quoted text, the text without quotes."""

    start: int
    end: int
    operator: str = ""
    """For a field: `:` or a comparison."""

    def error(self, message: str, suggestion: str = "") -> QueryError:
        """Return the error that describes what is wrong with this token."""
        return query_error(message, self.start, self.end, suggestion)


_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_FIELD = re.compile(r"([A-Za-z][A-Za-z_-]*)(!=|<=|>=|:|=|<|>)")
# A pasted address is searched for as text: its words, next to each other.
_ADDRESS = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*://[^\s()"]+')
# With blanks around the sign, only known comparable names are fields: `a < b` are words.
_SPACED_FIELD = re.compile(rf"({'|'.join(ORDERED)})\s*(!=|<=|>=|=|<|>)", re.IGNORECASE)
_WORD = re.compile(r'[^\s()"]+')
_BLANKS = re.compile(r"\s*")
_VALUE = re.compile(r'[^\s()",]+')
STEP_VALUE = re.compile(r'(?:(?!->)[^\s()",→])+')
"""A value inside a sequence ends where an arrow begins."""


def next_token(text: str, start: int) -> Token:
    """Return the token that begins at or after a position.

    Raises:
        QueryError: a quotation mark is never closed.
    """
    at = skip_blanks(text, start)
    if at >= len(text):
        return Token("end", "", len(text), len(text))
    sign = text[at]
    if sign in "()":
        return Token("open" if sign == "(" else "close", sign, at, at + 1)
    if sign == '"':
        return _quoted(text, at)
    if sign == "-" and at + 1 < len(text) and not text[at + 1].isspace():
        return Token("minus", sign, at, at + 1)
    address = _ADDRESS.match(text, at)
    if address is not None:
        return Token("quoted", address.group(), at, address.end())
    found = _FIELD.match(text, at) or _SPACED_FIELD.match(text, at)
    if found is not None:
        return Token("field", found[1].lower(), at, found.end(), found[2])
    word = _WORD.match(text, at)
    assert word is not None, "what is no sign and no blank is a word"
    return Token("word", word.group(), at, word.end())


def read_values(text: str, start: int, plain: re.Pattern[str] = _VALUE) -> tuple[Token, ...]:
    """Return the values after a field, separated by commas; none if there is no value.

    Raises:
        QueryError: a quotation mark is never closed, or no value follows a comma.
    """
    at = skip_blanks(text, start)
    values: list[Token] = []
    while True:
        if at < len(text) and text[at] == '"':
            values.append(_quoted(text, at))
        else:
            found = plain.match(text, at)
            if found is None:
                if values:
                    raise query_error("A value is missing after the comma.", at - 1, at)
                return ()
            values.append(Token("word", found.group(), at, found.end()))
        at = values[-1].end
        if at >= len(text) or text[at] != ",":
            return tuple(values)
        at += 1


def skip_blanks(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return found.end() if found is not None else start


def quote(text: str) -> str:
    """Return a text in quotation marks, as `next_token` reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def write_value(text: str, plain: re.Pattern[str] = _VALUE) -> str:
    """Return a value, in quotation marks if it needs them."""
    return text if plain.fullmatch(text) else quote(text)


def is_plain_word(text: str) -> bool:
    """Return whether a text parses as a single search word."""
    if not text or text in ("OR", "AND", "NOT") or text.lower() in FIELDS:
        return False
    token = next_token(f"{text} ", 0) if '"' not in text else None
    return token is not None and token.type == "word" and token.text == text


def _quoted(text: str, at: int) -> Token:
    found = _QUOTED.match(text, at)
    if found is None:
        raise query_error(
            "This quotation mark is never closed.", at, len(text), f'{text[at:].rstrip()}"'
        )
    return Token("quoted", re.sub(r"(?s)\\(.)", r"\1", found[1]), at, found.end())
