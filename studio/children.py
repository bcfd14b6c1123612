"""Child processes that are restarted, with back-off, when they die.

On Linux, they are forked from a process that has loaded the studio already (`studio.loaded`). So
they start in a fraction of a second, and most of their memory is shared.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import forkserver
from multiprocessing.context import (
    ForkServerContext,
    ForkServerProcess,
    SpawnContext,
    SpawnProcess,
)
from typing import Any

from setproctitle import setproctitle

from studio.env import PROJECT_DIR, set_variable
from studio.parent import FOR_CHILDREN, die_with_parent
from tapes_app.agents.services.plugins import load_own_modules

logger = logging.getLogger(__name__)

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
_STEADY_AFTER_SECONDS = 30.0
_FORKS = sys.platform == "linux"  # libraries of macOS do not survive a fork
_processes: ForkServerContext | SpawnContext = (
    multiprocessing.get_context("forkserver") if _FORKS else multiprocessing.get_context("spawn")
)


@dataclass(frozen=True)
class ChildSpec:
    """How to start one child."""

    name: str
    program: Callable[..., object]
    """A function of a module, which runs in the child."""

    arguments: tuple[Any, ...] = ()
    """What it gets: anything that can be pickled, or a socket."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables on top of this process's."""


@dataclass
class Child:
    """One child process and its history."""

    spec: ChildSpec
    process: ForkServerProcess | SpawnProcess | None = None
    started_at: float = 0.0
    failure_count: int = 0
    start_again_at: float = field(default=0.0)

    def start(self, now: float) -> None:
        self.process = _processes.Process(target=_run, args=(self.spec,), name=self.spec.name)
        self.process.start()
        self.started_at = now

    def revive(self, now: float) -> None:
        """Restart if dead, waiting longer the more often it dies soon after its start."""
        if self.process is None:
            if now >= self.start_again_at:
                self.start(now)
            return
        status = self.process.exitcode
        if status is None:
            return
        if now - self.started_at > _STEADY_AFTER_SECONDS:
            self.failure_count = 0
        delay = back_off_seconds(self.failure_count)
        logger.warning(
            "%s exited with status %s; restarting in %.1f s", self.spec.name, status, delay
        )
        self.failure_count += 1
        self.start_again_at = now + delay
        self.process = None

    def renew(self) -> None:
        """Restart a child immediately after it was stopped on purpose."""
        self.process = None
        self.failure_count = 0
        self.start_again_at = 0.0

    def send(self, signal_number: int) -> None:
        """Signal the entire group: the child and what it started."""
        if self.pid is None or not self.is_alive():
            return
        with contextlib.suppress(ProcessLookupError):
            try:
                os.killpg(self.pid, signal_number)
            except ProcessLookupError:  # it was forked just now and does not lead a group yet
                os.kill(self.pid, signal_number)

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process is not None else None

    def is_alive(self) -> bool:
        return self.process is not None and self.process.exitcode is None


def back_off_seconds(failure_count: int) -> float:
    """Return how long to wait before the next start: doubled each time, up to a limit."""
    return float(min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** min(failure_count, 16)))


def load_ahead() -> None:
    """Begin to load what children need, in a process of its own; starting one waits for it.

    The variables of this process are those of all children from now on.
    """
    if _FORKS:
        _processes.set_forkserver_preload(["studio.loaded"])
        with contextlib.chdir(PROJECT_DIR):  # where it finds that module
            forkserver.ensure_running()


def stop_children(children: Sequence[Child], *, grace_seconds: float) -> None:
    """Ask all to end together; kill those that are still alive after the grace period.

    Killing a worker in the middle of a run loses nothing: the run continues after the next start.
    """
    for child in children:
        child.send(signal.SIGTERM)
    deadline = time.monotonic() + grace_seconds
    while any(child.is_alive() for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    for child in children:
        child.send(signal.SIGKILL)
    for child in children:
        if child.process is not None:
            child.process.join()


def _run(spec: ChildSpec) -> None:
    """Be the child, in a process group of its own: Ctrl-C reaches only the parent."""
    os.setsid()
    for number in FOR_CHILDREN:
        signal.signal(number, signal.SIG_DFL)
    die_with_parent()
    os.chdir(PROJECT_DIR)
    for name, value in spec.variables.items():
        set_variable(name, value)
    setproctitle(f"tape-studio: {spec.name}")
    load_own_modules()
    spec.program(*spec.arguments)
