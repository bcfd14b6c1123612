"""Other machines: processes with a data folder of their own, in whose eyes the web's is empty."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as studio
from django.db import connection

from optimize_app.finetune.trainer.run_folder import RunFolder
from studio.env import child_environment
from tests.finetune.folders import ROOT
from tests.jobs.processes import read_test_database_url

_FOLDERS = (
    "models", "finetunes", "training_sets", "servers", "tokens", "uploads", "exports",
    "example_files",
)  # fmt: skip
# In a namespace of its own, nothing is in the folders of the other machine.
_UNSEEN = 'for folder in {folders}; do mount -t tmpfs none "$folder"; done; exec "$@"'


def has_namespaces() -> bool:
    command = ["unshare", "--map-root-user", "--mount", "true"]
    return (
        shutil.which("unshare") is not None
        and not subprocess.run(command, capture_output=True, check=False).returncode
    )


class OtherMachine:
    """A data folder elsewhere, and a worker on it."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self._environment = child_environment(
            DJANGO_SETTINGS_MODULE="tests.jobs.process_settings",
            TEST_PROCESS_DATABASE=str(connection.settings_dict["NAME"]),
            DATABASE_URL=read_test_database_url(),
            STUDIO_DATA_DIR=str(folder),
            STUDIO_ARTEFACTS=address,
        )

    def start_worker(self, queue: str = "train") -> subprocess.Popen[bytes]:
        """Start a worker that does what waits in a queue, and ends."""
        command = [sys.executable, "-m", "tests.artefacts.other_machine", queue]
        if has_namespaces():
            unseen = [str(studio.STUDIO_DATA_DIR / name) for name in _FOLDERS]
            for name in unseen:
                Path(name).mkdir(exist_ok=True)
            hiding = _UNSEEN.format(folders=" ".join(f"'{name}'" for name in unseen))
            around = ["unshare", "--map-root-user", "--mount", "sh", "-c", hiding, "worker"]
            command = [*around, *command, *unseen]
        return subprocess.Popen(command, cwd=ROOT, env=self._environment)

    def run_of(self, job: str) -> RunFolder:
        return RunFolder(self.folder / "finetunes" / job)


MakeMachine = Callable[[str], OtherMachine]


@pytest.fixture
def make_machine(settings: Any, tmp_path: Path) -> Iterator[MakeMachine]:
    """Return other machines; nothing that runs on them outlives the test."""
    settings.STUDIO_ARTEFACTS = f"file://{tmp_path}/store"
    made: list[OtherMachine] = []

    def make(name: str) -> OtherMachine:
        made.append(OtherMachine(tmp_path / name, settings.STUDIO_ARTEFACTS))
        return made[-1]

    yield make
    for machine in made:
        for run in (machine.folder / "finetunes").glob("*"):
            RunFolder(run).kill()
