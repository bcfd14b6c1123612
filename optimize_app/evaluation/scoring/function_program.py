"""Runs a scorer function in a separate process; `function_runs` starts it and talks to it.

The first input line says where the function is, and each further line holds an attempt; each
attempt is answered with one line. Every attempt is scored in its own forked process, so that
whatever the function does to its process, the next attempt is not affected. That process is walled
in before it sees the attempt; the module of the function is loaded outside.
"""

import importlib
import json
import sys
from collections.abc import Callable
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
from tapes_app.sandbox.apart import Limits, run_apart
from tapes_app.sandbox.program import answer_lines

MOST_SECONDS = 10.0
"""Limit for one attempt, in wall-clock time."""

MOST_MEMORY_BYTES = 2 * 1024**3
"""Limit of address space, which is what the system can limit."""

MOST_PRINTED_BYTES = 64 * 1024

_MOST_ANSWERED_BYTES = 64 * 1024
_LONGEST_REASON = 300
_LIMITS = Limits(MOST_SECONDS, MOST_MEMORY_BYTES, _MOST_ANSWERED_BYTES, MOST_PRINTED_BYTES)
_ADVICE = (
    "Run the worker on such a system, or set STUDIO_UNWALLED_FUNCTIONS=1 if the function may read "
    "what the worker can read."
)


def main() -> None:
    """Answer each input line with one output line until the input ends."""
    answer_lines(_prepare)


def _prepare(place: dict[str, Any]) -> Callable[[str], dict[str, Any]]:
    sys.path[:] = place["path"]
    function = _load(place["module"], place["name"])
    room = Room.for_python(sys.path, place["hidden"])
    wall_in = partial(enter, room, must=not place["may_be_unwalled"])
    return lambda line: _score_apart(function, line, wall_in)


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
    ended = run_apart(partial(_score_here, function, line, wall_in), _LIMITS)
    if ended.exceeded == "seconds":
        return {"problem": f"It took more than {MOST_SECONDS:g} seconds."}
    if ended.exceeded == "bytes":
        return {"problem": f"It printed more than {MOST_PRINTED_BYTES // 1024} KiB."}
    if ended.answer is None:
        return {"problem": f"Its process ended ({ended.end}) before it gave a score."}
    answer: dict[str, Any] = ended.answer
    return answer


def _score_here(
    function: ScorerFunction, line: str, wall_in: Callable[[], object]
) -> dict[str, Any]:
    """Score one attempt in the process that it has for itself."""
    try:
        wall_in()
        attempt = json.loads(line)
        tape = Tape.model_validate(attempt["tape"])
        return _read_returned(function(tape, attempt["expected"]))
    except WallError as error:
        return {"problem": f"It was not run. {error} {_ADVICE}"}
    except MemoryError:
        return {"problem": f"It needed more than {MOST_MEMORY_BYTES // 1024**3} GiB of memory."}
    except BaseException as error:  # noqa: BLE001 - all that it raises ends here, `SystemExit` too
        return {"problem": f"It raised {_describe(error)}."}


def _read_returned(returned: Any) -> dict[str, Any]:
    try:
        value, explanation = read_returned(returned)
    except (ValueError, TypeError, OverflowError) as error:
        return {"problem": f"It did not return a score: {_shorten(str(error))}."}
    return {"value": value, "explanation": explanation}


def _describe(error: BaseException) -> str:
    message = str(error).strip()
    return _shorten(f"{type(error).__name__}: {message}" if message else type(error).__name__)


def _shorten(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


if __name__ == "__main__":
    main()
