"""Child processes that are restarted, with back-off, when they die."""

import contextlib
import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studio.env import PROJECT_DIR, child_environment

logger = logging.getLogger(__name__)

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
_STEADY_AFTER_SECONDS = 30.0
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class ChildSpec:
    """How to start one child."""

    name: str
    command: Sequence[str]
    inherited_fds: tuple[int, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Child:
    """One child process and its history."""

    spec: ChildSpec
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    failure_count: int = 0
    start_again_at: float = field(default=0.0)

    def start(self, now: float) -> None:
        """Start in a separate process group, so that Ctrl-C reaches only the parent."""
        self.process = subprocess.Popen(  # noqa: S603  # the commands are ours
            list(self.spec.command),
            cwd=PROJECT_DIR,
            env=child_environment(**self.spec.variables),
            start_new_session=True,
            pass_fds=self.spec.inherited_fds,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
        )
        self.started_at = now

    def revive(self, now: float) -> None:
        """Restart if dead, waiting longer the more often it dies soon after its start."""
        if self.process is None:
            if now >= self.start_again_at:
                self.start(now)
            return
        status = self.process.poll()
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
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal_number)

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None


def back_off_seconds(failure_count: int) -> float:
    """Return how long to wait before the next start: doubled each time, up to a limit."""
    return float(min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** min(failure_count, 16)))


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
            child.process.wait()


def _die_with_parent() -> None:
    """Have the kernel end this process if the supervisor is killed abruptly."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
