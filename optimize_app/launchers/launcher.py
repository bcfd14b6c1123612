"""What a launcher does, and what it is given to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from optimize_app.programs import ProgramFolder
from tapes_app.engine.errors import StudioError

Phase = Literal["waiting", "running", "ended"]


class LauncherError(StudioError):
    """A launcher cannot be used as it is set up, or its cluster refuses."""

    code = "launcher"
    status = 503


@dataclass(frozen=True)
class Program:
    """A program over a folder."""

    name: str
    """Of this program alone; clusters list it."""

    folder: ProgramFolder
    command: Sequence[str]
    gpus: int
    """How many it needs; 0: it works without."""

    artefact: str = ""
    """Of the folder, for launchers that carry it elsewhere."""

    attempt: int = 0


@dataclass(frozen=True)
class Standing:
    """Where a program stands."""

    phase: Phase
    message: str = ""
    """What it waits for, or what the cluster says of its end."""

    is_out_of_memory: bool = False


class Launcher(Protocol):
    """Starts programs somewhere."""

    name: str
    poll_seconds: float
    """How often it may be asked."""

    outlives_workers: bool
    """Programs go on without the worker that started them, and the next one finds them."""

    carries_folder: bool
    """Programs work on a copy that the store of artefacts has, not on the folder itself."""

    def submit(self, program: Program) -> str:
        """Start a program, and return by what it is found again.

        Raises:
            LauncherError: the cluster refuses, or cannot be reached.
        """

    def poll(self, handle: str) -> Standing:
        """Return where a program stands."""

    def cancel(self, handle: str) -> None:
        """End a program at once."""

    def logs(self, handle: str) -> str:
        """Return the end of what a program printed."""
