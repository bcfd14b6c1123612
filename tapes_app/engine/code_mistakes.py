"""Mistakes in an agent's code, reported with the last lines of it that ran."""

import linecache
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from tapes_app.engine.errors import AgentCodeError

MOST_FRAMES = 5
LONGEST_REASON = 1_000
LONGEST_LINE = 200


def describe_mistake(who: str, error: Exception) -> AgentCodeError:
    """Return the error to raise when an agent's code raised an unexpected exception."""
    frames = pick_lines(list(traceback.walk_tb(error.__traceback__)))
    reason = f"{type(error).__name__}: {str(error) or 'no reason given'}"[:LONGEST_REASON]
    where = f" ({frames[-1]['file']}, line {frames[-1]['line']})" if frames else ""
    return AgentCodeError(
        f"{who} failed with {reason}{where}. Fix its code, then resume.", frames=frames
    )


def pick_lines(way: Sequence[tuple[FrameType, int | None]]) -> list[dict[str, Any]]:
    """Return the last lines that ran in the agent's package; in `way` the innermost frame is last.

    The agent's package is the first on the way that is not the studio's. If there is none, return
    the last lines of any code.
    """
    modules = [str(frame.f_globals.get("__name__", "")) for frame, _ in way]
    first = next((module for module in modules if _is_own(module)), "")
    package = first.rpartition(".")[0] or first
    own = [
        step
        for step, module in zip(way, modules, strict=True)
        if package and f"{module}.".startswith(f"{package}.")
    ]
    return [_describe_line(frame, line) for frame, line in (own or way)[-MOST_FRAMES:]]


def _describe_line(frame: FrameType, line: int | None) -> dict[str, Any]:
    """Describe a frame; one running in another thread may be between two lines, and have none."""
    code = frame.f_code
    number = line or code.co_firstlineno
    return {
        "file": Path(code.co_filename).name,
        "line": number,
        "function": code.co_name,
        "code": linecache.getline(code.co_filename, number).strip()[:LONGEST_LINE],
    }


def _is_own(module: str) -> bool:
    top = module.partition(".")[0]
    is_studio = top == "tapes_app" and not module.startswith("tapes_app.gallery.")
    return not is_studio and top not in sys.stdlib_module_names
