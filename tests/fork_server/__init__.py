"""Forks the programs that load torch from one process that has loaded it already.

Loading torch, transformers and peft takes eight seconds of a core, and tests start dozens of
trainers and model servers. Here whatever starts one (`at_start/sitecustomize.py` lists them) gets a
process that only passes on: standard streams and signals go to a fork, its exit status comes back,
and the fork dies with the process that asked for it. The fork leads a process group of its own, as
programs on a folder do. Tests that are about the processes themselves ask for `own_processes`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent.parent
_AT_START = Path(__file__).parent / "at_start"
_ADDRESS = "FORK_SERVER"


def pytest_configure(config: pytest.Config) -> None:
    """Start one server for all processes of this run of pytest; it loads torch when first asked."""
    if hasattr(config, "workerinput"):  # its variables come from the process that started it
        return
    stack = ExitStack()
    stack.enter_context(forking_programs())
    config.add_cleanup(stack.close)


@pytest.fixture
def own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test starts be processes of their own, and start as they do elsewhere."""
    monkeypatch.delenv(_ADDRESS)
    folders = os.environ["PYTHONPATH"].split(os.pathsep)
    left = [folder for folder in folders if folder != str(_AT_START)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(left))


@contextmanager
def forking_programs() -> Iterator[None]:
    """Run a server until the block ends, for the programs that this process starts."""
    before = os.environ.get("PYTHONPATH", "")
    with tempfile.TemporaryDirectory(prefix="fork-server-") as folder:
        address = str(Path(folder) / "socket")
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server", address],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert server.stdout is not None
        server.stdout.readline()  # it listens
        os.environ[_ADDRESS] = address
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_AT_START), before)))
        try:
            yield
        finally:
            del os.environ[_ADDRESS]
            os.environ["PYTHONPATH"] = before
            server.communicate()  # it ends with its standard input
