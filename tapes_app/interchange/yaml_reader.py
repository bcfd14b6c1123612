"""Reads YAML documents one by one as JSON data, safely.

This module builds values from libyaml's events, without PyYAML's constructors: so aliases are
counted before they are followed, tags build nothing, every problem has its line, and a file is
never in memory in full.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from tapes_app.interchange.packed_files import LimitedReader
from tapes_app.interchange.refusals import FormatProblem, ImportLimits
from tapes_app.interchange.values import plain_number

# libyaml is ten times as fast; a wheel without it still works.
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_CORE_TAGS = {
    f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")
}
_TRUE = {"yes", "true", "on"}


def read_yaml_documents(reader: LimitedReader, limits: ImportLimits) -> Iterator[Any]:
    """Yield the value of each document; empty documents are skipped.

    Raises:
        FormatProblem: the text is not YAML, or builds something that is not allowed.
    """
    try:
        loader = _Loader(_TextSource(reader))
        try:
            while loader.check_event():
                event = loader.get_event()
                if isinstance(event, DocumentStartEvent):
                    document = _Document(loader, limits)
                    value = document.build()
                    if value is not None:
                        yield value
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        # The reader's own message quotes bytes of the file; only the position is passed on.
        place = f"byte {error.position}"
        raise FormatProblem("it is not UTF-8 text valid in YAML", position=place) from error
    except yaml.MarkedYAMLError as error:
        raise FormatProblem(_worded(error), position=_place(error.problem_mark)) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise FormatProblem("it is not UTF-8 text valid in YAML") from error


class _TextSource:
    """The loader's source of text; problems of unpacking pass through it unchanged."""

    def __init__(self, reader: LimitedReader) -> None:
        self._reader = reader

    def read(self, size: int = -1) -> bytes:
        return self._reader.read(max(size, 1))


class _Document:
    """Builds the value of one document and counts how large it grows."""

    def __init__(self, loader: Any, limits: ImportLimits) -> None:
        self._loader = loader
        self._limits = limits
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._values = 0
        self._characters = 0

    def build(self) -> Any:
        value = self._build(self._next(), 1)
        end = self._next()
        if not isinstance(end, DocumentEndEvent):
            _fail("a document has more than one value", end)
        return value

    def _next(self) -> Event:
        event: Event = self._loader.get_event()
        if event is None:
            raise FormatProblem("it ends in the middle of a document; the file is truncated")
        return event

    def _build(self, event: Event, depth: int) -> Any:
        if depth > self._limits.max_depth:
            _fail(
                f"lists and objects are nested deeper than {self._limits.max_depth} levels", event
            )
        if isinstance(event, AliasEvent):
            return self._follow(event)
        before = self._values, self._characters
        value: Any
        if isinstance(event, ScalarEvent):
            value = self._scalar(event)
        elif isinstance(event, SequenceStartEvent):
            value = self._sequence(event, depth)
        elif isinstance(event, MappingStartEvent):
            value = self._mapping(event, depth)
        else:
            _fail("a value is missing", event)
        self._count(1, 0, event)
        anchor = event.anchor
        if anchor is not None:
            grown = self._values - before[0], self._characters - before[1]
            self._anchors[anchor] = (value, *grown)
        return value

    def _follow(self, event: AliasEvent) -> Any:
        try:
            value, values, characters = self._anchors[event.anchor or ""]
        except KeyError:
            _fail("an alias points at nothing, or at a value that contains it", event)
        self._count(values, characters, event)
        return value

    def _count(self, values: int, characters: int, event: Event) -> None:
        self._values += values
        self._characters += characters
        if self._values > self._limits.max_values:
            _fail(
                f"it has more than {self._limits.max_values:,} values after its aliases are "
                "expanded",
                event,
            )
        if self._characters > self._limits.max_tape_bytes:
            _fail(f"one tape is larger than {self._limits.max_tape_bytes:,} characters", event)

    def _sequence(self, event: SequenceStartEvent, depth: int) -> list[Any]:
        _check_tag(event.tag, event)
        items: list[Any] = []
        while not isinstance(item := self._next(), SequenceEndEvent):
            items.append(self._build(item, depth + 1))
        return items

    def _mapping(self, event: MappingStartEvent, depth: int) -> dict[str, Any]:
        _check_tag(event.tag, event)
        fields: dict[str, Any] = {}
        while not isinstance(key_event := self._next(), MappingEndEvent):
            key = self._name(key_event)
            if key in fields:
                _fail("an object has the same field twice", key_event)
            fields[key] = self._build(self._next(), depth + 1)
        return fields

    def _name(self, event: Event) -> str:
        # A name is its text: `on` and `1` are names in JSON, not a boolean and a number.
        if not isinstance(event, ScalarEvent) or event.anchor is not None:
            _fail("a field name is not plain text", event)
        if event.value == "<<" and event.implicit[0]:
            _fail("merge keys (<<) are not supported", event)
        _check_tag(event.tag, event)
        name: str = event.value
        self._count(1, len(name), event)
        return name

    def _scalar(self, event: ScalarEvent) -> Any:
        _check_tag(event.tag, event)
        text: str = event.value
        self._count(0, len(text), event)
        if event.tag is not None:
            tag = event.tag
        elif event.implicit[0]:
            tag = self._loader.resolve(yaml.ScalarNode, text, (True, False))
        else:
            return text
        return self._convert(tag, text, event)

    def _convert(self, tag: str, text: str, event: ScalarEvent) -> Any:
        try:
            match tag.rpartition(":")[2]:
                case "null":
                    return None
                case "bool":
                    return text.lower() in _TRUE
                case "int":
                    # The base-60 numbers of YAML 1.1 would make reading a long one quadratic.
                    if len(text) > self._limits.max_integer_digits:
                        _fail("a whole number has too many digits", event)
                    return self._loader.construct_yaml_int(yaml.ScalarNode(tag, text))
                case "float":
                    number = self._loader.construct_yaml_float(yaml.ScalarNode(tag, text))
                    return plain_number(number)
                case _:
                    # Dates and similar values remain text: JSON has no type for them.
                    return text
        except (ValueError, IndexError) as error:
            reason = f"a value is not a valid {tag.rpartition(':')[2]}"
            raise FormatProblem(reason, position=_place(event.start_mark)) from error


def _check_tag(tag: str | None, event: Event) -> None:
    if tag is not None and tag != "!" and tag not in _CORE_TAGS:
        _fail(
            "it contains a YAML tag that would build an object; only plain data is supported", event
        )


def _fail(reason: str, event: Event) -> NoReturn:
    raise FormatProblem(reason, position=_place(event.start_mark))


def _place(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""


def _worded(error: yaml.MarkedYAMLError) -> str:
    # The parser's message may quote an anchor or a tag of the file; the quoted part is cut.
    problem = (error.problem or "it cannot be read").split("'")[0].split('"')[0].strip()
    return f"it is not valid YAML: {problem}"
