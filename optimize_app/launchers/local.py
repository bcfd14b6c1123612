"""Runs programs as process groups on this machine."""

import signal
import subprocess
from pathlib import Path

from optimize_app.launchers.launcher import Program, Standing
from optimize_app.programs import ProgramFolder

_KILLED = "Signal 9 (SIGKILL)"
"""What torchrun prints about a process that the system killed."""


class LocalLauncher:
    """Starts programs alongside the worker; a folder never has two programs at once."""

    name = "local"
    poll_seconds = 0.5
    outlives_workers = False
    carries_folder = False

    def __init__(self) -> None:
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def submit(self, program: Program) -> str:
        handle = str(program.folder.path)
        if not program.folder.is_at_work():
            self._children[handle] = program.folder.start(program.command)
        return handle

    def poll(self, handle: str) -> Standing:
        child = self._children.get(handle)
        if child is None:
            return Standing("running" if self._folder(handle).is_at_work() else "ended")
        status = child.poll()
        if status is None:
            return Standing("running")
        was_killed = -status == signal.SIGKILL or _KILLED in self.logs(handle)
        return Standing("ended", is_out_of_memory=status != 0 and was_killed)

    def cancel(self, handle: str) -> None:
        self._folder(handle).kill()

    def logs(self, handle: str) -> str:
        return self._folder(handle).read_log()

    def _folder(self, handle: str) -> ProgramFolder:
        return ProgramFolder(Path(handle))
