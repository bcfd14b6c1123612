"""A process of its own for one piece of work: forked, limited, and ended whatever it does."""

import json
import os
import resource
import selectors
import signal
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NoReturn

_STANDARD_ERROR = 2
_PIECE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What the process may take."""

    seconds: float
    """Wall-clock time."""

    memory_bytes: int
    """Address space, which is what the system can limit; beyond it comes a `MemoryError`."""

    answered_bytes: int
    printed_bytes: int


class Ended(NamedTuple):
    """How a process ended."""

    answer: Any
    """JSON; `None` if it gave none."""

    exceeded: Literal["", "seconds", "bytes"]
    """The limit for which it was ended: of time, or of what it answers and prints."""

    end: str
    """Its exit status or signal, in words."""


def run_apart(
    work: Callable[[], Any], limits: Limits, *, descriptors: Collection[int] = ()
) -> Ended:
    """Run `work` in a fork of this process, which must have one thread, and return what it answers.

    It begins within its limits, and walls itself in. Of what is open here it has only
    `descriptors`. Its answer is JSON; what it prints is counted and thrown away. When it ends,
    however it does, so do all processes that it has started.
    """
    answered, answers_here = os.pipe()
    printed, prints_here = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.dup2(prints_here, 1)
        os.dup2(prints_here, 2)
        _work_here(work, limits, answers_here, {*descriptors, answers_here})
    os.close(answers_here)
    os.close(prints_here)
    exceeded: Literal["", "seconds", "bytes"] = "bytes"
    text = b""
    try:
        text, exceeded = _read(answered, printed, limits)
    finally:
        os.close(answered)
        os.close(printed)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # and every process it has started
        _, status = os.waitpid(pid, 0)
    return Ended(None if exceeded else _parse(text), exceeded, _describe_end(status))


def _work_here(
    work: Callable[[], Any], limits: Limits, answers: int, descriptors: Collection[int]
) -> NoReturn:
    with suppress(BaseException):
        _limit_process(limits, descriptors)
        answer = work()
        sys.stdout.flush()
        with os.fdopen(answers, "w", encoding="utf-8") as file:
            json.dump(answer, file)
    os._exit(0)


def _limit_process(limits: Limits, descriptors: Collection[int]) -> None:
    """Limit this process, and close all that it has inherited except these and its output."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for descriptor in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 - numbers, not paths
        if descriptor > _STANDARD_ERROR and descriptor not in descriptors:
            with suppress(OSError):  # that of the list itself
                os.close(descriptor)
    for what, most in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CPU, int(limits.seconds) + 1),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _read(
    answered: int, printed: int, limits: Limits
) -> tuple[bytes, Literal["", "seconds", "bytes"]]:
    """Return what the child answered, and the limit for which it is no longer waited for."""
    deadline = time.monotonic() + limits.seconds
    room = {answered: limits.answered_bytes, printed: limits.printed_bytes}
    pieces: list[bytes] = []
    with selectors.DefaultSelector() as selector:
        for pipe in room:
            selector.register(pipe, selectors.EVENT_READ)
        while answered in selector.get_map():
            ready = selector.select(deadline - time.monotonic())
            if not ready:
                return b"", "seconds"
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE_BYTES)
                room[key.fd] -= len(piece)
                if not piece:
                    selector.unregister(key.fd)
                if key.fd == answered:
                    pieces.append(piece)
            if min(room.values()) < 0:
                return b"", "bytes"
    return b"".join(pieces), ""


def _parse(text: bytes) -> Any:
    try:
        return json.loads(text.decode(errors="replace"))
    except ValueError:
        return None


def _describe_end(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"exit {code}" if code >= 0 else f"signal {-code}"
