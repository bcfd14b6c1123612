"""What environments need of the machine: whether it is there, and what to do if it is not.

`doctor` and the page of environments say the same sentences, which are these.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from tapes_app.environments.browser.chromium import chromium
from tapes_app.environments.browser.tools import TYPE as BROWSER
from tapes_app.environments.code.environment import TYPE as CODE
from tapes_app.environments.code.interpreter import explain_interpreter


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether this machine has what an environment needs; `advice` is empty if there is none."""

    is_ready: bool
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """What a type of environment needs."""

    look: Callable[[], Readiness]
    """Tell as much as can be told without starting anything."""

    start: Callable[[], Readiness]
    """Start it, for up to half a minute, and end it."""


def _judge_code(problem: str | None) -> Readiness:
    if not problem:
        return Readiness(is_ready=True, found="the interpreter of the tool run_code answers")
    advice = "Install requirements.txt again; until then, agents read that code cannot be run."
    return Readiness(
        is_ready=False, found=f"the interpreter does not answer: {problem}", advice=advice
    )


def _look_for_interpreter() -> Readiness:
    missing = find_spec("pydantic_monty") is None
    return _judge_code("No module named 'pydantic_monty'" if missing else None)


def _judge_browser(problem: str) -> Readiness:
    if not problem:
        return Readiness(is_ready=True, found=f"agents browse with {chromium.find()}")
    advice = "Until then, agents with the environment browser read this when they open a page."
    return Readiness(is_ready=False, found=problem, advice=advice)


NEEDS: Final[Mapping[str, Need]] = MappingProxyType(
    {
        CODE: Need(_look_for_interpreter, lambda: _judge_code(explain_interpreter())),
        BROWSER: Need(
            lambda: _judge_browser(chromium.explain()),
            lambda: _judge_browser(chromium.find_problem()),
        ),
    }
)
"""By type of environment; those that need nothing are left out."""
