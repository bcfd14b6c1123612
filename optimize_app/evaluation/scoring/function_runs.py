"""Asks a scorer function, which runs in a separate process, for the scores of attempts.

The process inherits no environment variables of the studio, and so none of its secrets.
"""

import json
import selectors
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Self

from optimize_app.evaluation.scoring.functions import check_function, scorer_functions
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.thoughts import answered_json

_ROOT = Path(__file__).resolve().parents[3]
_PROGRAM = "optimize_app.evaluation.scoring.function_program"
_PATIENCE_SECONDS = 60.0
"""Longer than the program takes to load the function and to score; after that it is killed."""


class FunctionError(InvalidInputError):
    """A scorer function did not give a score."""

    code = "scorer_function"


class FunctionRuns:
    """A scorer function, ready to be asked; its process starts with the first attempt.

    A process that ends early is started again for the next attempt.
    """

    def __init__(
        self, name: str, hidden: Collection[Path] = (), *, may_be_unwalled: bool = False
    ) -> None:
        """Prepare a function that cannot read what is in the folders `hidden`.

        Where the system cannot wall it in, it is refused, unless it `may_be_unwalled`.
        """
        self._name = name
        self._hidden = [str(folder) for folder in hidden]
        self._may_be_unwalled = may_be_unwalled
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, tape: Tape, expected: str) -> tuple[float | None, str]:
        """Return the score of an attempt, from 0 to 1, and the function's explanation.

        `None`: the function reports that it cannot decide.

        Raises:
            FunctionError: it gave no score; the message has the reason.
        """
        steps = [answered_json(step) for step in tape.steps]
        attempt = {"tape": {**tape.to_json(), "steps": steps}, "expected": expected}
        try:
            answer = self._exchange(json.dumps(attempt, default=str))
        except (OSError, ValueError) as error:
            self._end()
            raise FunctionError(f"The process of {self._name!r} ended or hung.") from error
        if "problem" in answer:
            raise FunctionError(f"The scorer function {self._name!r} failed. {answer['problem']}")
        value = answer["value"]
        return None if value is None else float(value), str(answer["explanation"])

    def _exchange(self, line: str) -> Any:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not selector.select(_PATIENCE_SECONDS):
                raise TimeoutError(self._name)
        return json.loads(process.stdout.readline())

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[str]:
        check_function(self._name)  # the plugin may have been removed since
        function = scorer_functions.get(self._name)
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-X", "utf8", "-m", _PROGRAM],
            cwd=_ROOT,
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        assert process.stdin is not None
        place = {
            "path": sys.path,
            "module": function.__module__,
            "name": self._name,
            "hidden": self._hidden,
            "may_be_unwalled": self._may_be_unwalled,
        }
        process.stdin.write(json.dumps(place) + "\n")
        return process

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.communicate()
        self._process = None
