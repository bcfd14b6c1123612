"""`new_agent`: the module that it writes is an agent, and the test beside it passes."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.commands.running import fail, run, run_json
from tests.studio.running_studio import ROOT, studio_environment


def test_the_written_test_passes_and_the_module_is_an_agent(tmp_path: Path) -> None:
    told = run_json("new_agent", "counter", "--dir", str(tmp_path / "mine"))

    outcome = subprocess.run(
        told["check"],
        shell=True,
        cwd=tmp_path,
        env=studio_environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert told["module"] == str(tmp_path / "mine" / "counter.py")
    assert "2 passed" in outcome.stdout, outcome.stdout + outcome.stderr


def test_what_it_says_starts_a_studio_that_offers_the_agent(tmp_path: Path) -> None:
    start = run("new_agent", "counter", "--dir", str(tmp_path / "a folder"))

    program = (
        "import django; django.setup();"
        "from tapes_app.agents.services.gallery import list_gallery;"
        "print('counter' in [agent.name for agent in list_gallery()])"
    )
    variables, make, _ = start.removeprefix("Start:   ").partition(" make run ")
    outcome = subprocess.run(
        f'{variables} {sys.executable} -c "{program}"',
        shell=True,
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(tmp_path / "data")),
        capture_output=True,
        text=True,
        check=False,
    )

    assert make
    assert outcome.stdout == "True\n", outcome.stderr


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Counter", "'Counter' is not a valid name for an agent's module; use lowercase letters"),
        ("my-agent", "'my-agent' is not a valid name"),
        ("../up", "'../up' is not a valid name"),
        ("class", "'class' is not a valid name"),
        ("chat", "An agent 'chat' already exists"),
        ("json", "A Python module 'json' already exists"),
        ("django", "A Python module 'django' already exists"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(
    tmp_path: Path, name: str, complaint: str
) -> None:
    assert complaint in fail("new_agent", name, "--dir", str(tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("taken", ["counter.py", "test_counter.py"])
def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).write_text("mine")

    complaint = fail("new_agent", "counter", "--dir", str(tmp_path))

    assert f"{str(tmp_path / taken)!r} already exists" in complaint
    assert [path.name for path in tmp_path.iterdir()] == [taken]
    assert (tmp_path / taken).read_text() == "mine"


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert "cannot be written" in fail("new_agent", "counter", "--dir", str(tmp_path / "file"))


def test_it_needs_no_database(tmp_path: Path) -> None:
    call_command("new_agent", "counter", "--dir", str(tmp_path), verbosity=0)

    assert (tmp_path / "counter.py").is_file()
