"""Celery entry points. A message means "check the queue"; the jobs table defines the work."""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections import defaultdict
from functools import partial
from uuid import UUID

from celery import shared_task
from celery.signals import worker_init, worker_process_init, worker_shutting_down
from django.conf import settings
from django.db import connections

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.engine.environment.process_groups import end_left_groups
from tapes_app.engine.environment.tool_threads import is_worn_out, list_abandoned
from tapes_app.jobs.services.host import AT_ONCE, Host
from tapes_app.jobs.store.nudge import NUDGE_TASK, nudge
from tapes_app.runs.services.session import process_notes

logger = logging.getLogger(__name__)


class _Stopping:
    """Whether hosts should end: their worker shuts down, is worn out, or was killed before them."""

    def __init__(self) -> None:
        self.begin_worker()
        self._parent: int | None = None

    def begin_worker(self) -> None:
        """Begin anew: what a worker shares with its pool, it shares with no other worker."""
        self._is_asked = multiprocessing.get_context("fork").Event()

    def begin_child(self) -> None:
        """Record the worker's process id, in a child of its pool."""
        self._parent = os.getppid()

    def ask(self) -> None:
        self._is_asked.set()

    def is_asked(self) -> bool:
        return self._is_asked.is_set()

    def is_set(self) -> bool:
        is_orphan = self._parent is not None and os.getppid() != self._parent
        return self.is_asked() or is_worn_out() or is_orphan


stopping = _Stopping()


class _Hosting:
    """Ensures that a process has only one host per queue: further nudges only set a flag."""

    def __init__(self) -> None:
        self.is_going = threading.Lock()
        self.is_wanted = threading.Event()
        """Set by every nudge, cleared when the host starts to check the queue."""


_hosting: defaultdict[str, _Hosting] = defaultdict(_Hosting)


@shared_task(name=NUDGE_TASK, ignore_result=True)
def work_on_jobs(queue: str, job_id: str) -> int:
    """Work on the jobs of a queue until none are left; return how many were taken."""
    hosting = _hosting[queue]
    hosting.is_wanted.set()
    count = 0
    # Checked again after the lock is released: otherwise a nudge that came while the host was
    # leaving would wait for the sweeper.
    while hosting.is_wanted.is_set() and hosting.is_going.acquire(blocking=False):
        try:
            hosting.is_wanted.clear()
            concurrency = AT_ONCE.get(queue, settings.STUDIO_AGENT_CONCURRENCY)
            host = Host(
                queue,
                concurrency=concurrency,
                stopping=stopping,
                replace=partial(_replace_host, queue, hosting, job_id),
            )
            count += asyncio.run(host.work())
        finally:
            hosting.is_going.release()
            connections.close_all()
    if is_worn_out() and not stopping.is_asked():
        logger.error(
            "This worker ends, and another one takes its runs over: tools that were given up and "
            "never end hold it up: %s.",
            ", ".join(sorted(set(list_abandoned()))),
        )
        os.kill(os.getpid(), signal.SIGTERM)
    return count


def _replace_host(queue: str, blocked: _Hosting, job_id: str) -> None:
    """Let the next nudge start another host, because the current one is blocked."""
    if _hosting[queue] is blocked:
        del _hosting[queue]
    nudge(queue, UUID(job_id))


@worker_init.connect
def _begin_worker(**_: object) -> None:
    """Create it here: two workers may be forked from one process that has loaded this module."""
    stopping.begin_worker()
    end_left_groups(process_notes())  # of workers that were killed: nobody else knows of them


@worker_shutting_down.connect
def _stop_hosts(**_: object) -> None:
    stopping.ask()


@worker_process_init.connect
def _begin_child(**_: object) -> None:
    """Drop the worker's database connections: a child of its pool must not share them."""
    connections.close_all()
    stopping.begin_child()
    end_left_groups(process_notes())  # another child of the pool may have been killed
