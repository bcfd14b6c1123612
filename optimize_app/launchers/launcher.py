"""What a launcher does, and what it is asked to run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from optimize_app.programs import ProgramFolder
from tapes_app.engine.errors import StudioError

Phase = Literal["waiting", "running", "ended"]


class LauncherError(StudioError):
    """A launcher cannot be used with its settings, or its cluster refuses the program."""

    code = "launcher"
    status = 503


@dataclass(frozen=True)
class Program:
    """A program that works on a folder."""

    name: str
    """Unique to this program; clusters list it."""

    folder: ProgramFolder
    command: Sequence[str]
    gpus: int
    """How many GPUs it needs; 0: it runs without any."""

    artefact: str = ""
    """Name of the folder's artefact, for launchers that carry it elsewhere."""

    attempt: int = 0


@dataclass(frozen=True)
class Standing:
    """The state of a program."""

    phase: Phase
    message: str = ""
    """What it is waiting for, or how the cluster explains its end."""

    is_out_of_memory: bool = False


class Launcher(Protocol):
    """Starts programs somewhere."""

    name: str
    poll_seconds: float
    """How often it may be polled."""

    outlives_workers: bool
    """Programs continue without the worker that started them, and the next worker finds them."""

    carries_folder: bool
    """Programs work on a copy from the artefact store rather than on the folder itself."""

    def submit(self, program: Program) -> str:
        """Start a program, and return the handle by which it is found again.

        Raises:
            LauncherError: the cluster refuses, or cannot be reached.
        """

    def poll(self, handle: str) -> Standing:
        """Return the state of a program."""

    def cancel(self, handle: str) -> None:
        """End a program immediately."""

    def logs(self, handle: str) -> str:
        """Return the end of a program's output."""
