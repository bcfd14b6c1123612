"""Who listens to which queue: told by queue, whatever processes there are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from tapes_app.jobs.store.folding import JobGroup
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.workers import Worker, list_workers
from tapes_app.projects.domain.rows import row_of


@dataclass(frozen=True, slots=True)
class Listening:
    """When somebody last listened to a queue."""

    queue: str
    seconds_ago: float | None
    """`None`: nobody is known to have listened to it."""

    is_heard: bool
    """Whether somebody listens to it now."""


@dataclass(frozen=True, slots=True)
class ShownJob(Job):
    """A job with what is not in its row."""

    unheard_queue: str
    """The queue in which it waits although no worker listens to it; empty otherwise."""

    group: JobGroup | None = None
    """The runs that it stands for, in a list that is folded."""


def tell_listening(queues: Iterable[str], workers: Iterable[Worker]) -> dict[str, Listening]:
    """Return for each queue when one of these workers last listened to it."""
    known = list(workers)
    return {queue: _tell(queue, known) for queue in queues}


def read_listening(*queues: str) -> dict[str, Listening]:
    """Return for each queue when any worker last listened to it."""
    return tell_listening(queues, list_workers())


def show_jobs(
    jobs: Sequence[Job], groups: Mapping[UUID, JobGroup] = MappingProxyType({})
) -> list[ShownJob]:
    """Add to jobs the groups that they stand for, and to those that wait who does not listen."""
    waiting = {job.queue for job in jobs if job.state == "queued"}
    heard = read_listening(*waiting) if waiting else {}
    unheard = {queue for queue, listening in heard.items() if not listening.is_heard}
    return [
        row_of(
            ShownJob,
            job,
            unheard_queue=job.queue if job.state == "queued" and job.queue in unheard else "",
            group=groups.get(job.id),
        )
        for job in jobs
    ]


def show_job(job: Job) -> ShownJob:
    (shown,) = show_jobs([job])
    return shown


def _tell(queue: str, workers: Sequence[Worker]) -> Listening:
    known = [one for one in workers if queue in one.listened_seconds]
    return Listening(
        queue,
        seconds_ago=min((one.listened_seconds[queue] for one in known), default=None),
        is_heard=any(one.hears(queue) for one in known),
    )
