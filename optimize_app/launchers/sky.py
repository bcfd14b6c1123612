"""Programs as managed jobs of SkyPilot, on whichever cloud it finds, through its command line.

A person's task file describes the machine and its setup; the launcher adds the command. The machine
gets the folder from the artefact store and returns it there.
"""

import json
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

from optimize_app.launchers.launcher import LauncherError, Program, Standing

_WAITING = frozenset({"PENDING", "SUBMITTED", "STARTING", "RECOVERING", "DEPRECATED_SUBMITTED"})
_RUNNING = frozenset({"RUNNING", "CANCELLING", "WINDING_DOWN"})
_LINES_SHOWN = "100"
_PATIENCE_SECONDS = 600.0
"""`sky jobs launch` returns once the job is accepted, which may first start a controller."""


class SkyLauncher:
    """Runs `sky jobs launch`, `queue`, `cancel` and `logs`."""

    name = "sky"
    poll_seconds = 5.0
    outlives_workers = True
    carries_folder = True

    def __init__(self, task_file: str, store: str) -> None:
        """Read the person's task file, and the address of the artefact store.

        Raises:
            LauncherError: the program `sky`, the task file or the address is missing.
        """
        if shutil.which("sky") is None:
            raise LauncherError(
                "The launcher sky needs the program sky: pip install skypilot, with your cloud."
            )
        if not store:
            raise LauncherError(
                "The launcher sky brings runs to a cloud through a store. Set STUDIO_ARTEFACTS."
            )
        self._store = store
        self._task = _read_task(task_file)

    def submit(self, program: Program) -> str:
        remote = ["python", "-m", "optimize_app.finetune.carried", self._store, program.artefact]
        run = shlex.join([*remote, "--attempt", str(program.attempt)])
        file = program.folder.path / "sky.yaml"
        file.write_text(yaml.safe_dump({**self._task, "name": program.name, "run": run}))
        _sky("jobs", "launch", "--yes", "--detach-run", "--name", program.name, str(file))
        return program.name

    def poll(self, handle: str) -> Standing:
        try:
            listed = json.loads(_sky("jobs", "queue", "--all", "--output", "json"))
        except (LauncherError, ValueError):
            return Standing("waiting", "SkyPilot does not answer; it is asked again")
        states = [str(job["status"]) for job in listed if job.get("job_name") == handle]
        if not states:
            return Standing("ended", "SkyPilot no longer knows the job.")
        state = states[0].rpartition(".")[2]  # the newest one is listed first
        if state in _WAITING:
            return Standing("waiting", f"SkyPilot looks for a machine ({state.lower()})")
        if state in _RUNNING:
            return Standing("running")
        message = "" if state == "SUCCEEDED" else f"SkyPilot ended the job: {state.lower()}."
        return Standing("ended", message)

    def cancel(self, handle: str) -> None:
        _sky("jobs", "cancel", "--yes", "--name", handle)

    def logs(self, handle: str) -> str:
        try:
            return _sky("jobs", "logs", "--no-follow", "--tail", _LINES_SHOWN, "--name", handle)
        except LauncherError as error:
            return error.message


def _read_task(task_file: str) -> dict[str, Any]:
    try:
        task = yaml.safe_load(Path(task_file).read_text())
    except (OSError, yaml.YAMLError) as error:
        raise LauncherError(f"STUDIO_SKY_TASK {task_file!r} cannot be read: {error}") from error
    if not isinstance(task, dict):
        raise LauncherError(f"STUDIO_SKY_TASK {task_file!r} holds no task of SkyPilot.")
    return task


def _sky(*arguments: str) -> str:
    try:
        ended = subprocess.run(  # noqa: S603 - the person's own sky
            ["sky", *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LauncherError(f"sky {arguments[1]} did not answer: {error}") from error
    if ended.returncode:
        lines = (ended.stderr or ended.stdout).strip().splitlines()
        raise LauncherError(
            f"sky {arguments[1]} failed: {lines[-1] if lines else ended.returncode}"
        )
    return ended.stdout
