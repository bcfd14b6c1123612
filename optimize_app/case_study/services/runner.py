"""Who carries out a study: a command that does all the work itself, or a worker of the studio."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol
from uuid import UUID

from tapes_app.jobs.store.job import Job
from tapes_app.projects.services.people import Person


class Runner(Protocol):
    """What a study asks of its surroundings. Each call may raise to end the study there."""

    def say(self, line: str) -> None:
        """Report that a piece begins, or that a part of one is done."""

    def note(self, line: str) -> None:
        """Report how far the piece in progress is; called often."""

    def start(self, piece: str, start: Callable[[], Job]) -> UUID:
        """Start the job of a piece, or return the one that an earlier attempt has started."""

    def finish(self, person: Person, job_id: UUID) -> Job:
        """Return a job when it is over."""

    def working_on(self, queue: str) -> AbstractContextManager[None]:
        """See that jobs of a queue are done during the body."""
