"""The guide for Python programs works as it is written, against a studio that runs."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studio.managing import make_token
from tests.studio.running_studio import ROOT, RunningStudio, run_studio

pytestmark = pytest.mark.slow

CLIENT = ROOT / "deploy" / "client"
_ONLY_THE_CLIENT = """
import sys
heavy = {"django", "torch", "pydantic", "celery", "studio", "tapes_app"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    with run_studio(tmp_path_factory.mktemp("studio")) as running:
        running.wait_until_ready()
        yield running


def test_the_guide_goes_once_around(studio: RunningStudio, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)) + _ONLY_THE_CLIENT
    (tmp_path / "guide.py").write_text(program, encoding="utf-8")

    ran = subprocess.run(
        [sys.executable, "guide.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(CLIENT), "STUDIO": studio.url, "TOKEN": make_token(studio.data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 imported, 0 refused" in ran.stdout
    assert "3 assistant 4 miles." in ran.stdout
    assert "5 km are 3.10685596119 mi." in ran.stdout
    assert ran.stdout.count("waiting\n") == 2
    assert "\nnot_found " in ran.stdout
    assert (tmp_path / "trip.zip").read_bytes().startswith(b"PK")
    *_, together = ran.stdout.strip().splitlines()
    assert together.count(" mi.") == 2


def test_both_guides_can_be_followed_in_one_project() -> None:
    """A transcript that is imported already is not imported again, and has no batch of that name."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("python.md", "http.md")]
    questions = [re.findall(r"How far is \d+ km\?", page)[0] for page in pages]

    assert len(set(questions)) == len(pages)
