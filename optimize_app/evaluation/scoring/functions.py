"""Scorers written in Python: registered here and by plugins, and what they may return."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from optimize_app.evaluation.scoring.math_answers import compare_mathematically
from optimize_app.evaluation.scoring.math_answers import prepare as prepare_mathematics
from tapes_app.engine.errors import InvalidInputError, StudioError
from tapes_app.engine.model.messages import DIGEST_BYTES
from tapes_app.engine.registry import Registry
from tapes_app.engine.tape.tape import Tape

LONGEST_EXPLANATION = 2_000
MATH = "math"
"""The function that comes with the studio."""

ScorerFunction = Callable[[Tape, str], Any]
"""Takes the complete tape of an attempt and what its example expects (empty: nothing).

The agent's texts come without the thoughts that a model wrote in front of them.

Returns True or False, a number from 0 to 1, or `{"value": …, "explanation": "…"}`, whose value is
`None` if it cannot decide. Its docstring describes it to users.
"""

_PREPARE = "prepare"


def prepared_by(prepare: Callable[[], object]) -> Callable[[ScorerFunction], ScorerFunction]:
    """Decorate a scorer function with what it needs to have loaded.

    `prepare` is called once, as the module is loaded once: before the walls stand and before the
    process forks for each attempt.
    """

    def mark(function: ScorerFunction) -> ScorerFunction:
        setattr(function, _PREPARE, prepare)
        return function

    return mark


def prepare_function(function: ScorerFunction) -> None:
    """Load what a scorer function is `prepared_by`, if anything."""
    getattr(function, _PREPARE, lambda: None)()


scorer_functions: Registry[ScorerFunction] = Registry("scorer function")
scorer_functions.add(MATH, prepared_by(prepare_mathematics)(compare_mathematically))


@dataclass(frozen=True, slots=True)
class DescribedFunction:
    """A scorer function as it is offered to users."""

    name: str
    description: str
    """Its docstring."""


def list_functions() -> list[DescribedFunction]:
    """Return the scorer functions of the studio and of plugins, by name."""
    return [
        DescribedFunction(name, inspect.getdoc(scorer_functions.get(name)) or "")
        for name in scorer_functions
    ]


def check_function(name: str) -> None:
    """Reject a name that is not registered.

    Raises:
        InvalidInputError: there is no such function; the message lists those there are.
    """
    if name not in scorer_functions:
        raise InvalidInputError(
            f"There is no scorer function {name!r}; there are {list(scorer_functions)}.",
            name=name,
        )


def hash_code(name: str) -> str:
    """Return the hash of the file that defines a scorer function, including what it calls there.

    Empty if the function or its file cannot be found.
    """
    try:
        source = inspect.getsourcefile(scorer_functions.get(name))
        code = Path(source).read_bytes() if source else b""
    except (StudioError, TypeError, OSError):
        return ""
    return blake2b(code, digest_size=DIGEST_BYTES).hexdigest() if code else ""


def read_returned(returned: Any) -> tuple[float | None, str]:
    """Return a scorer function's value and explanation; a value of `None`: it cannot decide.

    Raises:
        TypeError, ValueError: a scorer must not return this; the message has the reason.
    """
    value, explanation = returned, ""
    if isinstance(returned, dict):
        if not {"value"} <= set(returned) <= {"value", "explanation"}:
            raise ValueError("a dictionary needs a `value` and may have an `explanation`")
        value, explanation = returned["value"], returned.get("explanation", "")
    if not isinstance(explanation, str):
        raise TypeError(f"the explanation is not text but {type(explanation).__name__}")
    if len(explanation) > LONGEST_EXPLANATION:
        raise ValueError(f"an explanation has at most {LONGEST_EXPLANATION:,} characters")
    # Outside a dictionary, None means that the function forgot to return something.
    is_undecided = isinstance(returned, dict) and value is None
    return None if is_undecided else _read_number(value), explanation


def _read_number(value: Any) -> float:
    # numpy's numbers count as numbers: they are no Python numbers but convert with `__float__`.
    if not isinstance(value, bool | int | float) and not hasattr(value, "__float__"):
        raise TypeError(f"{type(value).__name__} is neither True, False nor a number")
    number = float(value)
    if not (math.isfinite(number) and 0 <= number <= 1):
        raise ValueError(f"{number:g} is not between 0 and 1")
    return number


def describe_value(value: float | None) -> str:
    """Return the explanation of a score whose function gave none."""
    return "The function cannot tell." if value is None else f"The function gives {value:g}."
