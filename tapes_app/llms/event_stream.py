"""Server-sent events, as the standard defines them and as servers really send them."""

import json
import re
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, NamedTuple

from tapes_app.engine.errors import LLMTransientError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
_END = b"[DONE]"
_LONGEST_EVENT = 16 * 1024 * 1024


class ServerEvent(NamedTuple):
    """One event whose data is JSON."""

    name: str
    data: Any


async def read_events(pieces: AsyncIterable[bytes]) -> AsyncIterator[ServerEvent]:
    """Yield the events of a stream until OpenAI's end mark.

    An event has as many `data:` lines as it likes and ends at an empty line. An object that one
    line contains completely is yielded at once: some servers send no empty lines.

    Raises:
        ValueError: the data of an event is not JSON.
        LLMTransientError: an event is too long.
    """
    name, data, size = b"", list[bytes](), 0
    async for line in _lines(pieces):
        field, _, value = line.partition(b":")
        value = value.strip()
        is_end = field == b"data" and value == _END
        if data and (is_end or not line):
            yield ServerEvent(name.decode(), json.loads(b"\n".join(data)))
            data, size = [], 0
        if is_end:
            return
        if not line:
            name = b""
        elif field == b"event":
            name = value
        elif field == b"data" and value:  # an empty one keeps the connection alive
            if not data and (whole := _parse_object(value)) is not None:
                yield ServerEvent(name.decode(), whole)
                continue
            data.append(value)
            size += len(value)
            _check_length(size)
    if data:
        yield ServerEvent(name.decode(), json.loads(b"\n".join(data)))


def _parse_object(text: bytes) -> dict[str, Any] | None:
    """Return the object that a line contains; `None` if it continues on the next."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


async def _lines(pieces: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Split a body at line feeds and carriage returns: JSON text may contain other separators.

    The pieces of a line are joined once, at its end: so a long line takes linear time.
    """
    parts: list[bytes] = []
    size, is_after_return, is_first = 0, False, True
    async for piece in pieces:
        text = piece.removeprefix(b"\n") if is_after_return else piece
        is_after_return = piece.endswith(b"\r")
        first, *others = _LINE_END.split(text)
        parts.append(first)
        size += len(first)
        if others:
            line = b"".join(parts)
            yield line.removeprefix(_BYTE_ORDER_MARK) if is_first else line
            *lines, last = others
            for line in lines:
                yield line
            parts, size, is_first = [last], len(last), False
        _check_length(size)
    if size:
        line = b"".join(parts)
        yield line.removeprefix(_BYTE_ORDER_MARK) if is_first else line


def _check_length(size: int) -> None:
    if size > _LONGEST_EVENT:
        raise LLMTransientError(
            "The model sent an event longer than 16 MiB, which is not a valid response."
        )
