"""Runs a scorer function in a separate process; `function_runs` starts it and talks to it.

The first input line says where the function is, and each further line holds an attempt; each
attempt is answered with one line. Every attempt is scored in its own forked process, so that
whatever the function does to its process, the next attempt is not affected. That process is walled
in before it sees the attempt; the module of the function is loaded outside.
"""

import importlib
import json
import os
import resource
import selectors
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from optimize_app.evaluation.scoring.functions import (
    ScorerFunction,
    prepare_function,
    read_returned,
    scorer_functions,
)
from tapes_app.engine.tape.tape import Tape
from tapes_app.sandbox import Room, WallError, enter

MOST_SECONDS = 10.0
"""Limit for one attempt, in wall-clock time."""

MOST_MEMORY_BYTES = 2 * 1024**3
"""Limit of address space, which is what the system can limit."""

MOST_PRINTED_BYTES = 64 * 1024

_MOST_ANSWERED_BYTES = 64 * 1024
_LONGEST_REASON = 300
_STANDARD_ERROR = 2
_PIECE_BYTES = 64 * 1024
_ADVICE = (
    "Run the worker on such a system, or set STUDIO_UNWALLED_FUNCTIONS=1 if the function may read "
    "what the worker can read."
)


def main() -> None:
    """Answer each input line with one output line until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    _send_to_nowhere(1, 2)  # what a module prints while loading is not an answer
    place = json.loads(sys.stdin.readline())
    sys.path[:] = place["path"]
    function = _load(place["module"], place["name"])
    room = Room.for_python(sys.path, place["hidden"])
    wall_in = partial(enter, room, must=not place["may_be_unwalled"])
    for line in sys.stdin:
        print(json.dumps(_score_apart(function, line, wall_in)), file=answers, flush=True)


def _load(module: str, name: str) -> ScorerFunction:
    """Return the function; if it cannot be loaded, one that raises the reason for each attempt."""
    try:
        importlib.import_module(module)
        function = scorer_functions.get(name)
        prepare_function(function)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a person's module may fail in any way
        reason = _describe(error)
    else:
        return function

    def explain(*_: object) -> NoReturn:
        raise ImportError(f"its module cannot be loaded by itself: {reason}")

    return explain


def _score_apart(
    function: ScorerFunction, line: str, wall_in: Callable[[], object]
) -> dict[str, Any]:
    answered, answers_here = os.pipe()
    printed, prints_here = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.dup2(prints_here, 1)
        os.dup2(prints_here, 2)
        _score_here(function, line, answers_here, wall_in)
    os.close(answers_here)
    os.close(prints_here)
    try:
        text, problem = _read(answered, printed)
    finally:
        os.close(answered)
        os.close(printed)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # and every process it has started
        _, status = os.waitpid(pid, 0)
    if problem:
        return {"problem": problem}
    try:
        answer: dict[str, Any] = json.loads(text)
    except ValueError:
        return {"problem": f"Its process ended ({_describe_end(status)}) before it gave a score."}
    return answer


def _score_here(
    function: ScorerFunction, line: str, answers: int, wall_in: Callable[[], object]
) -> NoReturn:
    """Score one attempt in this process, which then exits."""
    try:
        _limit_process(answers)
        wall_in()
        attempt = json.loads(line)
        tape = Tape.model_validate(attempt["tape"])
        returned = function(tape, attempt["expected"])
        answer = _read_returned(returned)
    except WallError as error:
        answer = {"problem": f"It was not run. {error} {_ADVICE}"}
    except MemoryError:
        answer = {"problem": f"It needed more than {MOST_MEMORY_BYTES // 1024**3} GiB of memory."}
    except BaseException as error:  # noqa: BLE001 - all that it raises ends here, `SystemExit` too
        answer = {"problem": f"It raised {_describe(error)}."}
    with suppress(BaseException):
        sys.stdout.flush()
        with os.fdopen(answers, "w", encoding="utf-8") as file:
            json.dump(answer, file)
    os._exit(0)


def _read_returned(returned: Any) -> dict[str, Any]:
    try:
        value, explanation = read_returned(returned)
    except (ValueError, TypeError, OverflowError) as error:
        return {"problem": f"It did not return a score: {_shorten(str(error))}."}
    return {"value": value, "explanation": explanation}


def _limit_process(answers: int) -> None:
    """Limit this process, and close all that it has inherited except `answers` and its output."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for descriptor in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 - numbers, not paths
        if descriptor > _STANDARD_ERROR and descriptor != answers:
            with suppress(OSError):  # that of the list itself
                os.close(descriptor)
    seconds = int(MOST_SECONDS) + 1
    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY_BYTES),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _read(answered: int, printed: int) -> tuple[str, str]:
    """Return what the child answered, or else the reason why it is no longer waited for."""
    deadline = time.monotonic() + MOST_SECONDS
    room = {answered: _MOST_ANSWERED_BYTES, printed: MOST_PRINTED_BYTES}
    pieces: list[bytes] = []
    with selectors.DefaultSelector() as selector:
        for pipe in room:
            selector.register(pipe, selectors.EVENT_READ)
        while answered in selector.get_map():
            ready = selector.select(deadline - time.monotonic())
            if not ready:
                return "", f"It took more than {MOST_SECONDS:g} seconds."
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE_BYTES)
                room[key.fd] -= len(piece)
                if not piece:
                    selector.unregister(key.fd)
                if key.fd == answered:
                    pieces.append(piece)
            if min(room.values()) < 0:
                return "", f"It printed more than {MOST_PRINTED_BYTES // 1024} KiB."
    return b"".join(pieces).decode(errors="replace"), ""


def _describe_end(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"exit {code}" if code >= 0 else f"signal {-code}"


def _describe(error: BaseException) -> str:
    message = str(error).strip()
    return _shorten(f"{type(error).__name__}: {message}" if message else type(error).__name__)


def _shorten(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def _send_to_nowhere(*files: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    for file in files:
        os.dup2(null, file)


if __name__ == "__main__":
    main()
