"""The program that interprets the code of models, apart from the studio and without its variables.

It is started as a file and imports nothing of the studio. The first line that it reads has its
limits; after that, each line is a call, and answered by one line. All of them are JSON.

The interpreter is Monty, which is written in Rust, has no access to files, variables, programs or
the network, and runs in one more process. Values that come out of it are made by the code of a
model, so they are shown here, in a process that may die of it, and never reach the studio.
"""

import base64
import binascii
import json
import os
import resource
import sys
import time
import zlib
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from typing import Any, TypedDict

from pydantic_monty import (
    Monty,
    MontyClassProxy,
    MontyClassTypeProxy,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontyStdTypeProxy,
    MontySyntaxError,
)

_MIB = 2**20
_OTHER_MEMORY_BYTES = 1024 * _MIB
"""Addresses that the two processes may take beside the memory of the code; most stay unused."""

_GRACE_SECONDS = 1.0
"""After its time, code that the interpreter cannot stop is ended together with it."""

_DEEPEST = 50
_LONGEST_LINE = 300
_LONGEST_TRACEBACK = 4_000
_LONGEST_INTEGER_BITS = 14_000
"""Python writes no longer ones, because that takes too long."""


class Limits(TypedDict):
    """What one call may take."""

    seconds: float
    memory_mb: int
    output_characters: int
    state_characters: int
    """Of the state as it is kept: compressed, in base64."""


class Answer(TypedDict):
    """What became of a call."""

    output: str
    """What was printed, and the value of the last expression."""

    error: str
    """Why the call failed; empty: it did not, and `state` is where it left the variables."""

    state: str
    is_lost: bool
    """Whether the state to begin with could not be loaded, so that there was none."""


class _FullError(Exception):
    """There is no room left for what is shown."""


class _Text:
    """Text up to some length; what does not fit is counted and dropped."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.total = 0
        self._pieces: list[str] = []
        self._last = "\n"

    def __call__(self, stream: str, text: str) -> None:
        del stream
        self.add(text)

    @property
    def room(self) -> int:
        return max(0, self.most - self.total)

    def add(self, text: str) -> None:
        if room := self.room:
            self._pieces.append(text[:room])
        self.total += len(text)
        self._last = text[-1:] or self._last

    def begin_line(self) -> None:
        if self._last != "\n":
            self.add("\n")

    def end(self) -> str:
        text = "".join(self._pieces)
        if self.total > self.most:
            return f"{text}\n[The first {self.most:,} characters of at least {self.total:,}.]"
        return text


class _Interpreter:
    """Interprets one call after the other, each from the state where it should begin."""

    def __init__(self, pool: Monty, limits: Limits) -> None:
        self._pool = pool
        self._limits = limits
        self._state = ""
        self._stack = ExitStack()
        self._session: MontySession | None = None

    def run(self, code: str, state: str | None) -> Answer:
        """Interpret code; `state`: where to begin, `None`: where the last call left it."""
        if state is not None:
            self._close()
            self._state = state
        text = _Text(self._limits["output_characters"])
        is_lost, began = False, time.monotonic()
        try:
            session, is_lost = self._open()
            value = self._feed(session, code, text)
            if value is not None:
                text.begin_line()
                _show(value, text)
            self._state = self._dump(session)
        except (MontyError, RuntimeError, ValueError, MemoryError, RecursionError) as error:
            self._close()  # whatever it did to the variables is dropped
            reason = _describe(error, time.monotonic() - began)
            return Answer(output=text.end(), error=reason, state="", is_lost=is_lost)
        return Answer(output=text.end(), error="", state=self._state, is_lost=is_lost)

    def _feed(self, session: MontySession, code: str, text: _Text) -> Any:
        """Return the value of the last expression, or a sentence if it does not fit in Python."""
        code.encode()  # a lone surrogate is an error of the call
        try:
            return session.feed_run(code, print_callback=text)
        except (ValueError, OverflowError) as error:
            text.add(f"[The last value cannot be shown: {error}.]")
            return None

    def _open(self) -> tuple[MontySession, bool]:
        """Return a session in the state of the last call, and whether that was lost."""
        if self._session is not None:
            return self._session, False
        if not self._state:
            return self._check_out(), False
        try:
            session = self._check_out()
            session.load_session(zlib.decompress(base64.b64decode(self._state)))
        except (MontyError, RuntimeError, ValueError, binascii.Error, zlib.error):
            self._close()
            self._state = ""
            return self._check_out(), True
        return session, False

    def _check_out(self) -> MontySession:
        checkout = self._pool.checkout(
            limits={
                "max_feed_duration_secs": self._limits["seconds"],
                "max_memory": self._limits["memory_mb"] * _MIB,
            },
            os_policy={"sleep": "zero"},
        )
        self._session = self._stack.enter_context(checkout)
        return self._session

    def _close(self) -> None:
        self._session = None
        self._stack.close()

    def _dump(self, session: MontySession) -> str:
        """Return the state as it is kept.

        Raises:
            ValueError: it is too large.
        """
        most = self._limits["state_characters"]
        data = session.dump()
        state = ""
        if len(data) <= 20 * most:  # no state of numbers or words is compressed that well
            state = base64.b64encode(zlib.compress(data)).decode("ascii")
        if not state or len(state) > most:
            size = f"{len(state):,}" if state else f"over {most:,}"
            raise ValueError(
                f"The variables take {size} characters as they are kept with the tape; at most "
                f"{most:,} are. Keep results in variables, and not what they were made of."
            )
        return state


def _describe(error: BaseException, seconds: float) -> str:
    """Return what a model reads of an error that came after some seconds."""
    if _is_stopped(error):
        return f"TimeoutError: it was stopped after {seconds:.1f} seconds."
    inner = error.exception() if isinstance(error, MontyError) else error
    if isinstance(error, MontyCrashedError) or isinstance(inner, MemoryError):
        name = "The interpreter ended" if isinstance(error, MontyCrashedError) else "MemoryError"
        return f"{name}: {inner}." if str(inner) else f"{name}."
    if isinstance(error, MontyRuntimeError | MontySyntaxError):
        return _shorten(error.display())
    return str(error) or type(error).__name__


def _is_stopped(error: BaseException) -> bool:
    """Return whether the time was over, and not whether the code raised such an error itself."""
    if isinstance(error, MontyCrashedError):
        return error.timed_out
    return (
        isinstance(error, MontyRuntimeError)
        and isinstance(error.exception(), TimeoutError)
        and not error.traceback()
    )


def _shorten(traceback: str) -> str:
    """Return a traceback whose lines are not long, with its beginning and its end."""
    lines = [
        line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} …"
        for line in traceback.splitlines()
    ]
    text = "\n".join(lines)
    half = _LONGEST_TRACEBACK // 2
    return text if len(text) <= 2 * half else f"{text[:half]}\n  …\n{text[-half:]}"


def _show(value: Any, text: _Text) -> None:
    """Add a value as Python writes it, as far as there is room.

    A small value can be endless to write, since its parts may be the same object many times.
    """
    try:
        _write(value, text, 0)
    except _FullError:
        return


def _write(value: Any, text: _Text, depth: int) -> None:
    if not text.room:
        text.add("…")
        raise _FullError
    match value:
        case str() | bytes():
            text.add(repr(value[: text.room + 1]))
        case _ if depth > _DEEPEST:
            text.add("…")
        case list():
            _write_all("[", value, "]", text, depth)
        case tuple():
            _write_all("(", value, ",)" if len(value) == 1 else ")", text, depth)
        case int() if value.bit_length() > _LONGEST_INTEGER_BITS:
            text.add(f"<an integer of {value.bit_length():,} bits>")
        case set() if value:
            _write_all("{", value, "}", text, depth)
        case set() | frozenset() | deque():
            _write_all(f"{type(value).__name__}([", value, "])", text, depth)
        case dict():
            _write_pairs("{", value, "}", ": ", text, depth)
        case MontyClassProxy():
            _write_pairs(f"{value.name}(", value.attributes, ")", "=", text, depth)
        case MontyStdTypeProxy() | MontyClassTypeProxy():
            text.add(value.name)
        case _:
            text.add(repr(value))


def _write_all(begin: str, values: Iterable[Any], end: str, text: _Text, depth: int) -> None:
    text.add(begin)
    for place, value in enumerate(values):
        if place:
            text.add(", ")
        _write(value, text, depth + 1)
    text.add(end)


def _write_pairs(
    begin: str, pairs: Mapping[Any, Any], end: str, between: str, text: _Text, depth: int
) -> None:
    text.add(begin)
    for place, (name, value) in enumerate(pairs.items()):
        if place:
            text.add(", ")
        if between == "=":
            text.add(str(name))
        else:
            _write(name, text, depth + 1)
        text.add(between)
        _write(value, text, depth + 1)
    text.add(end)


def _limit_process(memory_mb: int) -> None:
    """Take from this process and the interpreter's what neither needs."""
    most = 2 * memory_mb * _MIB + _OTHER_MEMORY_BYTES
    for kind, value in (
        (resource.RLIMIT_AS, most),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        with suppress(OSError, ValueError):  # the system has no such limit, or a lower one
            resource.setrlimit(kind, (value, value))


def main() -> None:
    limits: Limits = json.loads(sys.stdin.readline())
    _limit_process(limits["memory_mb"])
    patience = limits["seconds"] + _GRACE_SECONDS
    pool = Monty(min_processes=1, max_processes=1, request_timeout=patience)
    with pool:
        interpreter = _Interpreter(pool, limits)
        for line in sys.stdin:
            sys.stdout.write(json.dumps(interpreter.run(**json.loads(line))) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
    os._exit(0)  # the library's threads can abort a process whose interpreter goes first
