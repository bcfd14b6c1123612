"""Executing queued jobs in the process of a command, while workers elsewhere may help."""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connections

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.services.host import AT_ONCE, Host
from tapes_app.jobs.store.claims import requeue_lost_jobs
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.projects.services.people import Person

_CONCURRENCY = {"agents": 8, **AT_ONCE}
_POLL_SECONDS = 0.2


def work_until(is_done: Callable[[], bool], *, queue: str = "agents") -> None:
    """Work on a queue here until `is_done`, whether the work is done here or by another worker."""
    while True:
        _work_off(queue, threading.Event())
        if is_done():
            return
        time.sleep(_POLL_SECONDS)


def _work_off(queue: str, stopping: threading.Event) -> None:
    """Work on all that waits in a queue, also on what a killed worker left once its lease is over.

    Nobody else looks for that if no studio is running.
    """
    requeue_lost_jobs()
    asyncio.run(Host(queue, concurrency=_CONCURRENCY[queue], stopping=stopping).work())


def finish(person: Person, job_id: UUID, states: Collection[str] = FINAL_STATES) -> Job:
    """Work on a job's queue here until the job is in one of the given states, and return it."""
    queue = load_job(person.project_id, job_id).queue
    work_until(lambda: load_job(person.project_id, job_id).state in states, queue=queue)
    return load_job(person.project_id, job_id)


@contextmanager
def working_on(queue: str) -> Iterator[None]:
    """Work on a queue in a thread during the body; at its end, remaining jobs wait for others."""
    stopping = threading.Event()

    def work() -> None:
        while not stopping.is_set():
            _work_off(queue, stopping)
            stopping.wait(_POLL_SECONDS)
        connections.close_all()

    worker = threading.Thread(target=work, name=f"worker {queue}")
    worker.start()
    try:
        yield
    finally:
        stopping.set()
        worker.join()
