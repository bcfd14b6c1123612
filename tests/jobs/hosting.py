"""Workers beside a test."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connection

from tapes_app.jobs.services.host import Host
from tapes_app.models import JobRecord
from tests.waiting import PATIENCE_SECONDS

QUEUES = ("agents", "train", "serve")


@contextmanager
def host_beside(queue: str, *, concurrency: int = 8) -> Iterator[threading.Event]:
    """Let a worker do what waits in a queue, in a thread; setting the event shuts it down.

    It ends when nothing waits any more, and at once when the test fails: whoever waited for it
    then would wait for ever.
    """
    stopping = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        host = Host(queue, concurrency=concurrency, stopping=stopping)
        hosting = threads.submit(lambda: asyncio.run(host.work()))
        try:
            yield stopping
            hosting.result(timeout=2 * PATIENCE_SECONDS)
        finally:
            stopping.set()


@contextmanager
def workers_beside(*queues: str) -> Iterator[None]:
    """Let a worker of each queue, or of all, do whatever comes; they stop with the test."""
    stopping = threading.Event()

    def work(queue: str) -> None:
        # A host starts threads and listens to the server: only where something is to be done.
        unfinished = JobRecord.objects.filter(queue=queue, finished_at__isnull=True)
        try:
            while not stopping.is_set():
                if unfinished.exists():
                    asyncio.run(Host(queue, concurrency=4, stopping=stopping).work())
                stopping.wait(0.05)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(QUEUES)) as threads:
        working = [threads.submit(work, queue) for queue in queues or QUEUES]
        try:
            yield
        finally:
            stopping.set()
            for one in working:
                one.result(timeout=PATIENCE_SECONDS)
