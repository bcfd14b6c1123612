"""What the web process and the command line must never load."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.studio.running_studio import put_tables, studio_environment

ROOT = Path(__file__).resolve().parent.parent.parent
_HEAVY = (
    "litellm", "torch", "transformers", "peft", "accelerate", "openai", "pyarrow",
    "scipy", "statsmodels", "pandas",
)  # fmt: skip
_PROGRAMS = {
    "the web application": "import studio.asgi; from django.urls import get_resolver; "
    "get_resolver().url_patterns",
    "manage.py check": "import django; django.setup(); "
    "from django.core.management import call_command; call_command('check')",
    "a worker": "import studio.celery as c; c.app.loader.import_default_modules()",
}


@pytest.mark.parametrize("name", _PROGRAMS)
def test_heavy_libraries_stay_out_of(name: str, tmp_path: Path) -> None:
    program = (
        f"import sys; {_PROGRAMS[name]}; print(sorted(set({_HEAVY!r}) & set(sys.modules)), end='')"
    )

    outcome = _run(program, tmp_path)

    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.splitlines()[-1] == "[]"


def test_the_engine_loads_without_django(tmp_path: Path) -> None:
    program = (
        "import importlib, pkgutil, sys, tapes_app.engine as engine\n"
        "for module in pkgutil.walk_packages(engine.__path__, 'tapes_app.engine.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(sorted({'django', 'celery', 'channels', 'httpx'} & set(sys.modules)), end='')"
    )

    outcome = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout == "[]"


@pytest.mark.parametrize("command", ["completion bash", "backup {folder}/copy.tar.gz"])
def test_a_command_reads_neither_the_api_nor_the_admin_pages(command: str, tmp_path: Path) -> None:
    put_tables(tmp_path)
    words = command.format(folder=tmp_path).split()
    program = (
        "import sys, django; django.setup()\n"
        "from django.core.management import execute_from_command_line\n"
        f"execute_from_command_line(['manage.py', *{words!r}])\n"
        "print(sorted({'studio.api', 'tapes_app.admin'} & set(sys.modules)), end='')"
    )

    outcome = _run(program, tmp_path)

    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.splitlines()[-1] == "[]"


def _run(program: str, data_dir: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(data_dir)),
        capture_output=True,
        text=True,
        check=False,
    )
