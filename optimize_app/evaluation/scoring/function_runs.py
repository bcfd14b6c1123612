"""Asks a scorer function, which runs in a separate process, for the scores of attempts."""

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Self

from optimize_app.evaluation.scoring.functions import check_function, scorer_functions
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.thoughts import answered_json
from tapes_app.sandbox.program import LineProgram

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
        self._program = LineProgram(_PROGRAM, self._describe, patience_seconds=_PATIENCE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._program.end()

    def ask(self, tape: Tape, expected: str) -> tuple[float | None, str]:
        """Return the score of an attempt, from 0 to 1, and the function's explanation.

        `None`: the function reports that it cannot decide.

        Raises:
            FunctionError: it gave no score; the message has the reason.
        """
        steps = [answered_json(step) for step in tape.steps]
        attempt = {"tape": {**tape.to_json(), "steps": steps}, "expected": expected}
        try:
            answer = self._program.ask(json.dumps(attempt, default=str))
        except (OSError, ValueError) as error:
            raise FunctionError(f"The process of {self._name!r} ended or hung.") from error
        if "problem" in answer:
            raise FunctionError(f"The scorer function {self._name!r} failed. {answer['problem']}")
        value = answer["value"]
        return None if value is None else float(value), str(answer["explanation"])

    def _describe(self) -> dict[str, Any]:
        check_function(self._name)  # the plugin may have been removed since
        return {
            "path": sys.path,
            "module": scorer_functions.get(self._name).__module__,
            "name": self._name,
            "hidden": self._hidden,
            "may_be_unwalled": self._may_be_unwalled,
        }
