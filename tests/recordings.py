"""Where recordings are: ours, and those in the folder next to the repository if it exists."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

_TESTS = Path(__file__).resolve().parent
OWN = _TESTS / "recorded" / "tapeagents"
"""Made by `tests/recorded/make.py`, in the layout of the others."""

SHARED = _TESTS.parent.parent / "shared" / "data" / "tapeagents"
RECORDINGS = [OWN, SHARED] if SHARED.is_dir() else [OWN]
FOLDERS = [
    "data_science",
    "delegate_stack",
    "form_filler",
    "gaia_agent",
    "gsm8k_tuning",
    "intro_notebook",
    "optimize",
    "workarena",
]


def for_each(list_names: Callable[[Path], Iterable[str]]) -> list[Any]:
    """Return the parameters for a test of each name in the recordings; ours come first."""
    return [
        pytest.param(recordings / name, id=name if recordings == OWN else f"shared-{name}")
        for recordings in RECORDINGS
        for name in list_names(recordings)
    ]


EACH_FOLDER = for_each(lambda _: FOLDERS)
