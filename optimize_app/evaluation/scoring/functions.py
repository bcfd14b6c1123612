"""Scorers written in Python: registered by plugins, and what they may return."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tapes_app.engine.errors import InvalidInputError, StudioError
from tapes_app.engine.messages import DIGEST_BYTES
from tapes_app.engine.registry import Registry
from tapes_app.engine.tape import Tape

LONGEST_EXPLANATION = 2_000

ScorerFunction = Callable[[Tape, str], Any]
"""Takes the whole tape of an attempt and what its example expects (empty: nothing).

Returns True or False, a number from 0 to 1, or `{"value": …, "explanation": "…"}`, whose value is
`None` where it cannot tell. Its docstring describes it.
"""

scorer_functions: Registry[ScorerFunction] = Registry("scorer function")


@dataclass(frozen=True, slots=True)
class DescribedFunction:
    """A scorer function as it is offered."""

    name: str
    description: str
    """Its docstring."""


def list_functions() -> list[DescribedFunction]:
    """Return the scorer functions that plugins bring, by name."""
    return [
        DescribedFunction(name, inspect.getdoc(scorer_functions.get(name)) or "")
        for name in scorer_functions
    ]


def check_function(name: str) -> None:
    """Refuse a name that no plugin has registered.

    Raises:
        InvalidInputError: it is none; the message lists what there is.
    """
    if name not in scorer_functions:
        raise InvalidInputError(
            f"There is no scorer function {name!r}; plugins provide {list(scorer_functions)}.",
            name=name,
        )


def hash_code(name: str) -> str:
    """Return the hash of the file that a scorer function is written in, with what it calls there.

    Empty where the function or its file cannot be found.
    """
    try:
        source = inspect.getsourcefile(scorer_functions.get(name))
        code = Path(source).read_bytes() if source else b""
    except (StudioError, TypeError, OSError):
        return ""
    return blake2b(code, digest_size=DIGEST_BYTES).hexdigest() if code else ""


def read_returned(returned: Any) -> tuple[float | None, str]:
    """Return value and explanation of what a scorer function returned; `None`: it cannot tell.

    Raises:
        TypeError, ValueError: it is nothing that a scorer may return; the message says why.
    """
    value, explanation = returned, ""
    if isinstance(returned, dict):
        if not {"value"} <= set(returned) <= {"value", "explanation"}:
            raise ValueError("a dictionary has a `value` and may have an `explanation`")
        value, explanation = returned["value"], returned.get("explanation", "")
    if not isinstance(explanation, str):
        raise TypeError(f"the explanation is no text but {type(explanation).__name__}")
    if len(explanation) > LONGEST_EXPLANATION:
        raise ValueError(f"an explanation has at most {LONGEST_EXPLANATION:,} characters")
    # Without a dictionary around it, None is what a function returns that forgot to.
    says_nothing = isinstance(returned, dict) and value is None
    return None if says_nothing else _read_number(value), explanation


def _read_number(value: Any) -> float:
    # What numpy calls a number is one: those of its types that are not Python's know how to be.
    if not isinstance(value, bool | int | float) and not hasattr(value, "__float__"):
        raise TypeError(f"{type(value).__name__} is neither True, False nor a number")
    number = float(value)
    if not (math.isfinite(number) and 0 <= number <= 1):
        raise ValueError(f"{number:g} is not between 0 and 1")
    return number


def tell_value(value: float | None) -> str:
    """Return what is said of a score whose function explains nothing."""
    return "The function cannot tell." if value is None else f"The function gives {value:g}."
