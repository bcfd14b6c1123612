"""Workers beside a test."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connection

from tapes_app.jobs.services.host import Host
from tapes_app.models import JobRecord
from tests.waiting import PATIENCE_SECONDS, wait_until

QUEUES = ("agents", "train", "serve")


class WatchedHost(Host):
    """A worker that a test can stop, and can ask to read what people have ordered."""

    def __init__(self, queue: str, *, concurrency: int) -> None:
        self.stopping = threading.Event()
        super().__init__(queue, concurrency=concurrency, stopping=self.stopping)
        self._reads = 0

    async def _read_requested_control(self) -> None:
        await super()._read_requested_control()
        self._reads += 1

    def catch_up(self) -> None:
        """Wait until the jobs at work here know all that has been ordered so far."""
        enough = self._reads + 2  # the next one may have begun before the order
        wait_until(lambda: self._reads >= enough, "a worker that has read all orders")


@contextmanager
def host_beside(queue: str, *, concurrency: int = 8) -> Iterator[WatchedHost]:
    """Let a worker do what waits in a queue, in a thread.

    It ends when nothing waits any more, and at once when the test fails: whoever waited for it
    then would wait for ever.
    """
    host = WatchedHost(queue, concurrency=concurrency)
    with ThreadPoolExecutor(1) as threads:
        hosting = threads.submit(lambda: asyncio.run(host.work()))
        try:
            yield host
            hosting.result(timeout=2 * PATIENCE_SECONDS)
        finally:
            host.stopping.set()


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
