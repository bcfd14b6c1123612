"""Files of TapeAgents, both ways: JSON, YAML and `tapedata.sqlite`, plain or gzipped.

Conversations of chat completions (see `openai_chat`) and logs of Inspect (see `inspect_reader`) are
read too. Reading is lazy and bounded; a file's type is determined from its bytes, not its name. An
unreadable file is refused with an `ImportRefusedError` that names file, position and reason.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import yaml

from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.tape.tape import Tape
from tapes_app.interchange.call_codec import ImportedCall, decode_call
from tapes_app.interchange.inspect_reader import is_inspect_log, read_inspect_log
from tapes_app.interchange.json_reader import JSONItem, read_json_items
from tapes_app.interchange.openai_chat import decode_conversation, is_conversation, is_message
from tapes_app.interchange.packed_files import FileForm, detect_form, open_unpacked
from tapes_app.interchange.refusals import (
    DEFAULT_LIMITS,
    FormatProblem,
    ImportLimits,
    NoTapeProblem,
    refusal,
)
from tapes_app.interchange.tape_codec import (
    TAPE_FIELDS,
    ImportedTape,
    TapeSource,
    decode_tape,
    encode_tape,
)
from tapes_app.interchange.tapedata import SourceRow, read_rows
from tapes_app.interchange.yaml_reader import read_yaml_documents

ImportedItem = ImportedTape | ImportedCall

_Dumper: type[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def read_file(
    path: Path, *, name: str = "", limits: ImportLimits = DEFAULT_LIMITS
) -> Iterator[ImportedItem]:
    """Yield the tapes and LLM calls of a file, one by one.

    `name` is the name the person knows; `path` may be a name that the server made.

    Raises:
        ImportRefusedError: the file is refused. Items before the faulty place have already been
            yielded: discard them.
    """
    shown = name or path.name
    is_first = True
    try:
        for item in _read_items(path, shown, limits):
            yield item
            is_first = False
    except FormatProblem as problem:
        # Anything else after tapes makes the file a broken one, not a file of another kind.
        is_other = is_first and isinstance(problem, NoTapeProblem)
        raise refusal(
            shown, problem.reason, position=problem.position, is_other=is_other
        ) from problem


def _read_items(path: Path, name: str, limits: ImportLimits) -> Iterator[ImportedItem]:
    match detect_form(path, limits):
        case FileForm.SQLITE:
            yield from _read_database(path, name, limits)
        case FileForm.JSON:
            yield from _read_json(path, name, limits)
        case FileForm.YAML:
            yield from _read_yaml(path, name, limits)
        case FileForm.ZIP:
            if not is_inspect_log(path):  # its members identify it
                raise FormatProblem("it is a zip archive; unpack it and import the files in it")
            yield from read_inspect_log(path, name, limits)


def _read_json(path: Path, name: str, limits: ImportLimits) -> Iterator[ImportedTape]:
    count = 0
    with open_unpacked(path, limits) as reader:
        for item in read_json_items(reader, limits, is_part=is_message):
            if is_conversation(item.value):
                source = TapeSource(file=name, form="chat", index=count)
                yield decode_conversation(item.value, source, limits, position=_place(item))
            elif item.is_further_line:
                raise FormatProblem(_NO_LINE, position=f"line {item.line}, column 1")
            elif item.place is None:
                yield _decode(item.value, TapeSource(file=name, form="json"), limits, "")
            else:
                source = TapeSource(file=name, form="json_list", index=item.place)
                yield _decode(item.value, source, limits, f"tape {item.place}")
            count += 1
    if not count:
        raise FormatProblem("it contains no tape: the list is empty")


_NO_LINE = (
    "it contains several JSON values in a row; JSON Lines can only hold conversations, with "
    "'messages' or a list of messages on each line"
)


def _place(item: JSONItem) -> str:
    return f"line {item.line}" if item.place is None else f"conversation {item.place}"


def _read_yaml(path: Path, name: str, limits: ImportLimits) -> Iterator[ImportedTape]:
    count = 0
    with open_unpacked(path, limits) as reader:
        for number, document in enumerate(read_yaml_documents(reader, limits)):
            for value in document if isinstance(document, list) else [document]:
                source = TapeSource(file=name, form="yaml", index=count)
                yield _decode(value, source, limits, f"document {number}, tape {count}")
                count += 1
    if not count:
        raise FormatProblem("it contains no tape: all its documents are empty")


def _read_database(path: Path, name: str, limits: ImportLimits) -> Iterator[ImportedItem]:
    for row in read_rows(path, limits):
        if row.table == "LLMCalls":
            yield decode_call(row, file=name)
        else:
            yield _decode_row(row, name, limits)


def _decode_row(row: SourceRow, name: str, limits: ImportLimits) -> ImportedTape:
    tape = {field: row.columns[field] for field in ("metadata", "context", "steps")}
    rest = {field: value for field, value in row.columns.items() if field not in tape}
    source = TapeSource(file=name, form="tapedata", index=row.number - 1, row=rest)
    return _decode(tape, source, limits, f"table {row.table}, row {row.number}")


def _decode(value: Any, source: TapeSource, limits: ImportLimits, position: str) -> ImportedTape:
    try:
        return decode_tape(value, source, limits, position=position)
    except FormatProblem as problem:
        raise problem.inside(position) from problem


def write_json(file: TextIO, tapes: Iterable[Tape], *, as_list: bool) -> None:
    """Write one tape, or a list of tapes one after another."""
    separator = ""
    if as_list:
        file.write("[")
    for tape in tapes:
        file.write(separator)
        file.write(dump_json_text(encode_tape(tape), indent=2))
        separator = ",\n"
    if as_list:
        file.write("]")
    file.write("\n")


def write_yaml(file: TextIO, tapes: Iterable[Tape]) -> None:
    """Write one document per tape, with the fields in the order of its file."""
    for tape in tapes:
        # One by one: a dumper remembers every object that it has seen.
        yaml.dump(
            encode_tape(tape),
            file,
            Dumper=_PlainDumper,
            sort_keys=False,
            allow_unicode=True,
            explicit_start=True,
        )


class _PlainDumper(_Dumper):  # type: ignore[misc]  # which dumper there is depends on the wheel
    """Writes equal values out in full: an alias would send the reader elsewhere in the file."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True


def tape_row(tape: Tape, source: TapeSource, *, number: int) -> SourceRow:
    """Return the row of a tape that was imported from the table of tapes."""
    encoded = encode_tape(tape)
    columns = {**source.row, **{name: encoded.get(name) for name in TAPE_FIELDS}}
    return SourceRow(table="Tapes", number=number, columns=columns)
