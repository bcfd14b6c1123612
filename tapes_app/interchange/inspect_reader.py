"""Reads logs of Inspect (`.eval`): each sample becomes a tape with its scores.

A log is a ZIP of JSON whose members are deflated, or compressed with zstd as Inspect itself does.
Only messages and a sample's own fields are read; its events repeat them.
"""

import json
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.tape.tape import TapeMetadata
from tapes_app.interchange.json_reader import parse_json_text
from tapes_app.interchange.openai_chat import decode_conversation
from tapes_app.interchange.packed_files import read_text
from tapes_app.interchange.refusals import FormatProblem, ImportLimits
from tapes_app.interchange.tape_codec import SOURCE_KEY, ImportedTape, TapeSource, digest_text
from tapes_app.interchange.values import check_value

JSON = dict[str, Any]

_HEADER, _START = "header.json", "_journal/start.json"
_SAMPLES = "samples/"
_ZSTD = 93
_LOCAL_HEADER_BYTES = 30
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""What Inspect writes for correct, partially correct, incorrect, and no answer."""

_OUTCOMES = {1.0: "pass", 0.0: "fail"}


def is_inspect_log(path: Path) -> bool:
    """Return whether a ZIP is a log, of either a finished or an interrupted evaluation."""
    try:
        with ZipFile(path) as file:
            names = file.namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    return _HEADER in names or _START in names


def read_inspect_log(path: Path, name: str, limits: ImportLimits) -> Iterator[ImportedTape]:
    """Yield the samples of a log as tapes, in the order in which they were written.

    Raises:
        FormatProblem: it is corrupt, has no samples, or becomes too large; the position names the
        member of the ZIP.
    """
    with path.open("rb") as raw, ZipFile(raw) as file:
        members = {info.filename: info for info in file.infolist()}
        _check_sizes(members, limits)
        head = _read_head(file, raw, members, limits)
        samples = [info for name, info in members.items() if name.startswith(_SAMPLES)]
        for index, info in enumerate(samples):
            source = TapeSource(file=name, form="inspect", index=index)
            try:
                yield _decode(_read_json(file, raw, info, limits), head, source, limits)
            except FormatProblem as problem:
                raise problem.inside(info.filename[:200]) from problem
    if not samples:
        raise FormatProblem("the log of Inspect has no samples")


def _read_head(
    file: ZipFile, raw: IO[bytes], members: Mapping[str, ZipInfo], limits: ImportLimits
) -> JSON:
    info = members.get(_HEADER) or members[_START]
    try:
        return _read_json(file, raw, info, limits)
    except FormatProblem as problem:
        raise problem.inside(info.filename) from problem


def _check_sizes(members: Mapping[str, ZipInfo], limits: ImportLimits) -> None:
    """Refuse logs that unpack to too much; no member yields more bytes than it declares."""
    total = sum(info.file_size for info in members.values())
    packed = sum(info.compress_size for info in members.values())
    if total > limits.max_unpacked_bytes:
        raise FormatProblem(f"it is larger than {limits.max_unpacked_bytes:,} bytes when unpacked")
    if limits.is_bomb(total, packed):
        raise FormatProblem(f"it unpacks to more than {limits.max_ratio} times its size")


def _read_json(file: ZipFile, raw: IO[bytes], info: ZipInfo, limits: ImportLimits) -> JSON:
    if info.file_size > limits.max_tape_bytes:
        raise FormatProblem(f"it has more than {limits.max_tape_bytes:,} bytes")
    try:
        value = parse_json_text(read_text(_unpack(file, raw, info)))
    except (BadZipFile, OSError, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise FormatProblem("a member of the ZIP is corrupt or encrypted") from error
    check_value(value, limits)
    if not isinstance(value, dict):
        raise FormatProblem("it is not a JSON object")
    return value


def _unpack(file: ZipFile, raw: IO[bytes], info: ZipInfo) -> bytes:
    if info.compress_type != _ZSTD:
        with file.open(info) as member:
            return member.read(info.file_size)
    import pyarrow as pa

    raw.seek(info.header_offset)
    local = raw.read(_LOCAL_HEADER_BYTES)
    lengths = (local[26:28], local[28:30])  # lengths of the name and of the extra field
    raw.seek(sum(int.from_bytes(part, "little") for part in lengths), 1)
    packed = pa.py_buffer(raw.read(info.compress_size))
    with pa.input_stream(packed, compression="zstd") as stream:
        unpacked = bytes(stream.read(info.file_size))
    if zlib.crc32(unpacked) != info.CRC:
        raise BadZipFile
    return unpacked


def _decode(sample: JSON, head: JSON, source: TapeSource, limits: ImportLimits) -> ImportedTape:
    messages = sample.get("messages")
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise FormatProblem("the sample has no list 'messages'")
    kept = _mapping(sample.get("attachments"))
    chat = {"messages": [_message(one, kept) for one in messages]}
    read = decode_conversation(chat, source, limits, position="")
    fields = _describe(sample, head)
    text = canonical_json({**chat, **fields})
    # What the log does not decide is not decided by comparing texts either.
    noted = {
        "outcome": "not judged",
        **fields,
        SOURCE_KEY: source.model_dump(exclude_defaults=True),
    }
    tape = read.tape.model_copy(update={"metadata": TapeMetadata.model_validate(noted)})
    return read.model_copy(update={"tape": tape, "digest": digest_text(text), "size": len(text)})


def _describe(sample: JSON, head: JSON) -> JSON:
    """Return what the tape records of its task: the expected result, the first and all scores."""
    scores = _mapping(sample.get("scores"))
    values = [_mapping(score).get("value") for score in scores.values()]
    score = _grade(values[0]) if values else None
    spec, error = _mapping(head.get("eval")), _mapping(sample.get("error"))
    fields = {
        "task_id": str(sample.get("id", "")),
        "expected": sample.get("target"),
        "score": score,
        "outcome": None if score is None else _OUTCOMES.get(score),
        "inspect": {
            "task": spec.get("task"),
            "model": spec.get("model"),
            "epoch": sample.get("epoch"),
            "scores": scores,
            "error": error.get("message"),
        },
    }
    return {name: value for name, value in fields.items() if value is not None}


def _grade(value: Any) -> float | None:
    """Return a score as a number; `None`, never zero, if it does not express one."""
    if isinstance(value, int | float):
        return float(value) if abs(value) <= sys.float_info.max else None
    return _GRADES.get(value) if isinstance(value, str) else None


def _message(message: JSON, kept: Mapping[str, Any]) -> JSON:
    """Return a message in chat-completions form."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    texts = [_resolve(part.get("text"), kept) for part in map(_mapping, parts)]
    thoughts = [_mapping(part).get("reasoning") for part in parts]
    fields: JSON = {"role": message.get("role"), "content": "".join(texts)}
    if thought := "\n".join(one for one in thoughts if isinstance(one, str)):
        fields["reasoning_content"] = thought
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        fields["tool_calls"] = [_call(_mapping(call)) for call in calls]
    if message.get("role") == "tool":
        fields["tool_call_id"] = message.get("tool_call_id") or ""
        fields |= {"name": message["function"]} if message.get("function") else {}
    return fields


def _resolve(text: Any, kept: Mapping[str, Any]) -> str:
    """Return a text; a long one may be stored among the attachments of its sample."""
    if not isinstance(text, str):
        return ""
    found = kept.get(text.removeprefix("attachment://")) if text.startswith("attachment://") else 0
    return found if isinstance(found, str) else text


def _call(call: Mapping[str, Any]) -> JSON:
    function = {
        "name": call.get("function") or "",
        "arguments": json.dumps(call.get("arguments") or {}, ensure_ascii=False),
    }
    return {"id": call.get("id") or "", "type": "function", "function": function}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
