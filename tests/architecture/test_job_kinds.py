"""Every process that works on jobs knows every kind of job, whatever else it has imported."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import importlib
import django
django.setup()
importlib.import_module({module!r})
from tapes_app.jobs.services.registry import find_service
for kind in {kinds!r}:
    find_service(kind)
"""
KINDS = ("run", "check_experiment", "export", "import", "lint", "playground", "rerun", "transform")


@pytest.mark.parametrize(
    "module",
    [
        "tapes_app.tasks",
        "tapes_app.management.jobs",
        "tapes_app.management.commands.run_agent",
    ],
)
def test_what_works_on_jobs_knows_every_kind(module: str) -> None:
    # In a separate process, as this one has imported much for other tests.
    outcome = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(module=module, kinds=KINDS)],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome.returncode == 0, outcome.stderr
