"""The files and folders named in our pages for contributors exist."""

import re
from pathlib import Path

import pytest

from tests.architecture.naming import ROOT, TAPES_APP, list_subjects

_TOP = ("tapes_app", "studio", "optimize_app", "frontend", "tests", "docs", "deploy", "benchmarks")
_BUILT = {"frontend/node_modules"}
OPTIMIZE_APP = ROOT / "optimize_app"
_NO_SUBJECTS = {"__pycache__", "management", "migrations", "models"}
_FOR_ALL = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"]


@pytest.mark.parametrize("page", _FOR_ALL, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page: Path) -> None:
    named = re.findall(rf"`((?:{'|'.join(_TOP)})/[\w./-]+)`", page.read_text("utf-8"))

    assert named
    assert {name for name in named if not (ROOT / name).exists()} <= _BUILT


_SUBJECTS = [*(TAPES_APP / name for name in list_subjects()), *OPTIMIZE_APP.glob("*/")]


@pytest.mark.parametrize(
    "folder", [one for one in _SUBJECTS if one.name not in _NO_SUBJECTS], ids=lambda one: one.name
)
def test_a_subject_says_where_to_begin_reading(folder: Path) -> None:
    text = (folder / "README.md").read_text("utf-8")

    modules = re.findall(r"`([\w/]+\.py)`", text)
    assert modules
    places = (folder, folder.parent)
    assert [name for name in modules if not any((top / name).exists() for top in places)] == []
    pages = re.findall(r"`(frontend/[\w/-]+)`", text)
    assert [name for name in pages if not (ROOT / name).exists()] == []
