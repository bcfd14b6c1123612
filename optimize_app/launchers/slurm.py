"""Programs as jobs of a Slurm cluster, through submitit.

All nodes must see the folder under the same path, as is usual for home folders.
"""

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from optimize_app.launchers.launcher import LauncherError, Program, Standing
from optimize_app.programs import ROOT

_WAITING = frozenset({"PENDING", "CONFIGURING", "REQUEUED", "READY", "SUSPENDED", "UNKNOWN"})
_RUNNING = frozenset({"RUNNING", "COMPLETING"})
_ENDS = {
    "TIMEOUT": "Slurm ended the job at its time limit; resume continues from the last checkpoint.",
    "PREEMPTED": "Slurm gave the node to another job; resume continues from the last checkpoint.",
    "NODE_FAIL": "The node failed; resume continues from the last checkpoint.",
    "CANCELLED": "The Slurm job was cancelled.",
}
_TAIL = 64_000
_USUAL_MINUTES = 24 * 60


class SlurmLauncher:
    """Submits jobs with `sbatch`, and polls them with `sacct`."""

    name = "slurm"
    poll_seconds = 3.0
    outlives_workers = True
    carries_folder = False

    def __init__(self, options: Mapping[str, str]) -> None:
        """Accept the options of `sbatch`, under submitit's names for them.

        Raises:
            LauncherError: submitit is not installed.
        """
        try:
            import submitit
        except ImportError as error:
            raise LauncherError(
                "The launcher slurm needs the package submitit: pip install submitit."
            ) from error
        self._submitit: Any = submitit
        self._options = {name: _read_number(value) for name, value in options.items()}

    def submit(self, program: Program) -> str:
        place = program.folder.path / "slurm"
        options = {"job_name": program.name, "nodes": 1, "time": _USUAL_MINUTES, **self._options}
        if program.gpus and not {"gres", "gpus_per_task"} & options.keys():
            options.setdefault("gpus_per_node", program.gpus)
        program.folder.stop_file.unlink(missing_ok=True)
        try:
            executor = self._submitit.SlurmExecutor(folder=place)
            executor.update_parameters(**options)
            job = executor.submit(subprocess.run, list(program.command), cwd=str(ROOT), check=False)
        except (RuntimeError, ValueError, OSError, subprocess.CalledProcessError) as error:
            raise LauncherError(f"Slurm refused the job: {_first_line(error)}") from error
        return f"{job.job_id}:{place}"

    def poll(self, handle: str) -> Standing:
        number = handle.partition(":")[0]
        state = str(self._job(handle).watcher.get_state(number, mode="force")).split(" ")[0]
        if state in _WAITING:
            return Standing("waiting", f"Waiting in the queue of Slurm (job {number})")
        if state in _RUNNING:
            return Standing("running")
        return Standing("ended", _ENDS.get(state, ""), is_out_of_memory=state == "OUT_OF_MEMORY")

    def cancel(self, handle: str) -> None:
        with suppress(OSError, subprocess.CalledProcessError):
            self._job(handle).cancel()

    def logs(self, handle: str) -> str:
        paths = self._job(handle).paths
        return "".join(_read_tail(path) for path in (paths.stdout, paths.stderr))

    def _job(self, handle: str) -> Any:
        number, _, place = handle.partition(":")
        return self._submitit.SlurmJob(folder=place, job_id=number)


def _read_number(value: str) -> str | int:
    return int(value) if value.isdigit() else value


def _read_tail(path: Path) -> str:
    try:
        return path.read_bytes()[-_TAIL:].decode(errors="replace")
    except OSError:
        return ""


def _first_line(error: Exception) -> str:
    message = getattr(error, "stderr", None) or str(error)
    return str(message).strip().split("\n", 1)[0][:300]
