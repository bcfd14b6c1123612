"""A scorer function in a process of its own: started by `function_runs`, which talks to it.

The first line that it is given says where the function is, each further one holds an attempt;
each is answered with one line. An attempt is scored in a process forked for it alone, so that
whatever the function does to its process, the next attempt finds it as it was.
"""

import ctypes
import importlib
import json
import os
import resource
import selectors
import signal
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

from optimize_app.evaluation.scoring.functions import (
    ScorerFunction,
    read_returned,
    scorer_functions,
)
from tapes_app.engine.tape import Tape

MOST_SECONDS = 10.0
"""For one attempt, by the clock on the wall."""

MOST_MEMORY_BYTES = 2 * 1024**3
"""Of address space, which is what the system can limit."""

MOST_PRINTED_BYTES = 64 * 1024

_MOST_ANSWERED_BYTES = 64 * 1024
_LONGEST_REASON = 300
_PIECE_BYTES = 64 * 1024
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000


def main() -> None:
    """Answer one line with another until there is none left."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    _send_to_nowhere(1, 2)  # what a module prints while it is loaded is no answer
    place = json.loads(sys.stdin.readline())
    sys.path[:] = place["path"]
    function = _load(place["module"], place["name"])
    for line in sys.stdin:
        print(json.dumps(_score_apart(function, line)), file=answers, flush=True)


def _load(module: str, name: str) -> ScorerFunction:
    """Return the function; one that cannot be loaded says so in place of each score."""
    try:
        importlib.import_module(module)
        return scorer_functions.get(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a person's module may fail in any way
        reason = _describe(error)

    def explain(*_: object) -> NoReturn:
        raise ImportError(f"its module cannot be loaded by itself: {reason}")

    return explain


def _score_apart(function: ScorerFunction, line: str) -> dict[str, Any]:
    answered, answers_here = os.pipe()
    printed, prints_here = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.dup2(prints_here, 1)
        os.dup2(prints_here, 2)
        _score_here(function, line, answers_here)
    os.close(answers_here)
    os.close(prints_here)
    try:
        text, problem = _read(answered, printed)
    finally:
        os.close(answered)
        os.close(printed)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # and whatever it has started
        _, status = os.waitpid(pid, 0)
    if problem:
        return {"problem": problem}
    try:
        answer: dict[str, Any] = json.loads(text)
    except ValueError:
        return {"problem": f"Its process ended ({_tell_end(status)}) before it gave a score."}
    return answer


def _score_here(function: ScorerFunction, line: str, answers: int) -> NoReturn:
    """Score one attempt in this process, which ends with it."""
    try:
        _limit_process()
        attempt = json.loads(line)
        tape = Tape.model_validate(attempt["tape"])
        returned = function(tape, attempt["expected"])
        answer = _read_returned(returned)
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
        return {"problem": f"It returned what is no score: {_shorten(str(error))}."}
    return {"value": value, "explanation": explanation}


def _limit_process() -> None:
    """Bound this process; where the system lets a user do so, it has no network either."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    seconds = int(MOST_SECONDS) + 1
    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY_BYTES),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(what, (most, most))
    if sys.platform == "linux":
        ctypes.CDLL(None).unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _read(answered: int, printed: int) -> tuple[str, str]:
    """Return what was answered, or why nobody waits for it any longer."""
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


def _tell_end(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"exit {code}" if code >= 0 else f"signal {-code}"


def _describe(error: BaseException) -> str:
    said = str(error).strip()
    return _shorten(f"{type(error).__name__}: {said}" if said else type(error).__name__)


def _shorten(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def _send_to_nowhere(*files: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    for file in files:
        os.dup2(null, file)


if __name__ == "__main__":
    main()
