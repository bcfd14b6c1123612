"""Reads JSON tapes one by one from a stream, with bounded memory and exact positions.

The standard decoder reads one object at a time from a growing window. The alternative, `ijson`,
builds values from single events in Python, is several times slower, and yields decimals.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from json.decoder import JSONDecodeError
from typing import Any, NamedTuple, NoReturn

from tapes_app.interchange.packed_files import LimitedReader
from tapes_app.interchange.refusals import FormatProblem, ImportLimits
from tapes_app.interchange.values import plain_number

_FIRST_READ = 64 * 1024
_BLANK = re.compile(r"[ \t\r\n]*")
_CUT_SLACK = 16
"""An error this close to the end of the window may only mean that the text continues."""


class JSONItem(NamedTuple):
    """A value of a file, and its position."""

    place: int | None
    """From 0, in the file's list; `None` when the file is a single value, or lines of values."""

    value: dict[str, Any] | list[dict[str, Any]]
    line: int
    """The line where it starts, from 1."""

    is_further_line: bool = False
    """It is on a separate line after other values: the file is JSON Lines."""


IsPart = Callable[[dict[str, Any]], bool]


def read_json_items(
    reader: LimitedReader, limits: ImportLimits, *, is_part: IsPart
) -> Iterator[JSONItem]:
    """Yield the contents of a file: one object, the objects of a list, or the values of its lines.

    A list of objects is one value if `is_part` holds for the first one, and so is a nested list.

    Raises:
        FormatProblem: the text is not JSON, or contains anything other than objects.
    """
    window = _Window(reader, limits)
    first = window.next_sign()
    line = window.line
    if first == "{":
        yield JSONItem(None, window.take_object(), line)
    else:
        yield from _read_list(window, is_part)
    if window.next_sign():
        if window.line == line or window.past_line > line:
            window.fail(
                "it contains several JSON values in a row; a file must be one object, one list, "
                "or JSON Lines with one value per line"
            )
        while window.next_sign():
            line = window.line
            yield JSONItem(None, window.take_line(), line, is_further_line=True)


def _read_list(window: "_Window", is_part: IsPart) -> Iterator[JSONItem]:
    start = window.line
    window.skip(1)
    if window.next_sign() == "]":
        window.skip(1)
        return
    for index in count():
        sign, line = window.next_sign(), window.line
        if sign == "[":
            window.skip(1)
            yield JSONItem(index, _take_parts(window), line)
        elif sign == "{":
            value = window.take_object()
            if not index and is_part(value):
                window.next_sign()
                yield JSONItem(None, _take_parts(window, value), start)
                return
            yield JSONItem(index, value, line)
        else:
            window.fail("the list contains something other than tapes, which are JSON objects")
        if window.end_item():
            return


def _take_parts(window: "_Window", *first: dict[str, Any]) -> list[dict[str, Any]]:
    """Read the objects of a list to its end, starting after its bracket or its first object."""
    parts = list(first)
    if not parts and window.next_sign() == "]":
        window.skip(1)
        return parts
    is_over = bool(parts) and window.end_item()
    window.start_value()
    while not is_over:
        if window.next_sign() != "{":
            window.fail("the list contains something other than tapes, which are JSON objects")
        parts.append(window.take_object())
        is_over = window.end_item()
    window.end_value()
    return parts


class _Window:
    """The part of the text that is in memory, and where it starts in the file."""

    def __init__(self, reader: LimitedReader, limits: ImportLimits) -> None:
        self._reader = reader
        self._limits = limits
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._json = _STRICT
        self._text = ""
        self._at = 0
        self._line = 1
        self._column = 1
        self._bytes = 0
        self._ended = False
        self._value_size: int | None = None
        self.past_line = 1
        """The line on which the last object ended."""

    @property
    def line(self) -> int:
        return self._place(self._at)[0]

    def next_sign(self) -> str:
        """Return the next character that is not blank; empty at the end of the file."""
        while True:
            match = _BLANK.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow(_FIRST_READ):
                return ""

    def skip(self, count: int) -> None:
        self._at += count

    def end_item(self) -> bool:
        """Skip the comma or the bracket that follows an item; return whether the list ends."""
        self.past_line = self.line
        sign = self.next_sign()
        if sign not in (",", "]"):
            self.fail("a comma or the end of the list is missing" if sign else "it was cut off")
        if sign == "]":
            self.past_line = self.line
        self.skip(1)
        return sign == "]"

    def start_value(self) -> None:
        """From here on, objects are parts of one value, which must not be larger than a tape."""
        self._value_size = 0

    def end_value(self) -> None:
        self._value_size = None

    def take_object(self) -> dict[str, Any]:
        """Read the object that starts here, reading on while it is incomplete."""
        self._drop_past()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, 0)
            except JSONDecodeError as error:
                if self._is_complete(error) or not self._grow(len(self._text)):
                    self._fail_at(error)
                continue
            except RecursionError:
                self.fail("lists and objects are nested too deep")
            except FormatProblem as problem:
                place = f"in the object at {self._name_place(0)}"
                raise FormatProblem(problem.reason, position=place) from problem
            self._at = end
            self.past_line = self.line
            self._count(end)
            return value  # type: ignore[no-any-return]  # it starts with a brace

    def _count(self, size: int) -> None:
        if self._value_size is None:
            return
        self._value_size += size
        if self._value_size > self._limits.max_tape_bytes:
            self.fail(f"one tape is larger than {self._limits.max_tape_bytes:,} bytes")

    def take_line(self) -> Any:
        """Read the value that makes up the rest of this line."""
        self._drop_past()
        looked = 0
        while (end := self._text.find("\n", looked)) < 0:
            looked = len(self._text)
            if not self._grow(looked):
                end = len(self._text)
                break
        text = self._text[:end]
        try:
            value = self._json.decode(text)
        except JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated string") or not text[error.pos :].strip()
            reason = "the line ends in the middle of a value" if cut else _worded(error)
            raise FormatProblem(reason, position=self._name_place(error.pos)) from error
        except RecursionError:
            self.fail("lists and objects are nested too deep")
        except FormatProblem as problem:
            raise FormatProblem(problem.reason, position=f"line {self._line}") from problem
        self._at = end
        return value

    def _is_complete(self, error: JSONDecodeError) -> bool:
        cut = error.msg.startswith("Unterminated string")
        return not cut and error.pos < len(self._text) - _CUT_SLACK

    def _grow(self, count: int) -> bool:
        """Read about `count` more bytes; return whether there were any."""
        if self._ended:
            return False
        if len(self._text) - self._at > self._limits.max_tape_bytes:
            self.fail(f"one tape is larger than {self._limits.max_tape_bytes:,} bytes")
        parts: list[str] = []
        wanted = max(count, _FIRST_READ)
        while wanted > 0:
            chunk = self._reader.read(min(wanted, 1024 * 1024))
            parts.append(self._decode(chunk))
            wanted -= len(chunk)
            if not chunk:
                self._ended = True
                break
        self._drop_past()
        self._text += "".join(parts)
        return bool(self._text) or not self._ended

    def _decode(self, chunk: bytes) -> str:
        try:
            text = self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            place = self._bytes + error.start
            raise FormatProblem("it is not UTF-8 text", position=f"byte {place}") from error
        self._bytes += len(chunk)
        return text

    def _drop_past(self) -> None:
        self._line, self._column = self._place(self._at)
        self._text = self._text[self._at :]
        self._at = 0

    def _place(self, at: int) -> tuple[int, int]:
        breaks = self._text.count("\n", 0, at)
        if not breaks:
            return self._line, self._column + at
        return self._line + breaks, at - self._text.rfind("\n", 0, at)

    def _name_place(self, at: int) -> str:
        line, column = self._place(at)
        return f"line {line}, column {column}"

    def fail(self, reason: str) -> NoReturn:
        raise FormatProblem(reason, position=self._name_place(self._at))

    def _fail_at(self, error: JSONDecodeError) -> NoReturn:
        cut = error.msg.startswith("Unterminated string") or not self._text[error.pos :].strip()
        reason = "it ends in the middle of a value; it was cut off" if cut else _worded(error)
        at = len(self._text) if cut else error.pos
        raise FormatProblem(reason, position=self._name_place(at)) from error


def _worded(error: JSONDecodeError) -> str:
    return f"it is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise FormatProblem("an object has the same field twice")
    return fields


def _parse_float(text: str) -> Any:
    """Read a number, or one of the names `NaN`, `Infinity` and `-Infinity`."""
    return plain_number(float(text))


def _parse_int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:
        raise FormatProblem("a whole number has too many digits") from error


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique_fields,
    parse_constant=_parse_float,
    parse_float=_parse_float,
    parse_int=_parse_int,
)


def parse_json_text(text: str) -> Any:
    """Read one JSON text, such as a cell of a database, by the same rules.

    Raises:
        FormatProblem: it is not JSON.
    """
    try:
        return _STRICT.decode(text)
    except JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatProblem(_worded(error), position=place) from error
    except RecursionError as error:
        raise FormatProblem("lists and objects are nested too deep") from error
