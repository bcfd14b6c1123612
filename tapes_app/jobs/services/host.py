"""The host: one event loop in a worker process that works on many jobs at once.

It claims jobs of its queue as long as there is room, watches for what people want of them,
and ends when nothing is left; the next nudge starts it again.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from django.db import DatabaseError, InterfaceError

from tapes_app.engine.errors import StudioError
from tapes_app.jobs.current import current_job
from tapes_app.jobs.services.context import CancelledByPersonError, JobContext
from tapes_app.jobs.services.leases import LeaseKeeper
from tapes_app.jobs.services.loop_watch import LoopWatch, name_after_parent
from tapes_app.jobs.services.registry import Outcome, find_service
from tapes_app.jobs.store.claims import (
    RequestedControl,
    claim_jobs,
    end_claim,
    read_requested_control,
)
from tapes_app.jobs.store.events import EventWriter, FencedError
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.threads import Threads
from tapes_app.jobs.store.wake import listen
from tapes_app.jobs.worker_name import own_name

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.4
"""How often new jobs and requests of people are looked for when no hint comes."""

_THREADS = 8

AT_ONCE = {"train": 1, "serve": 8}
"""How many jobs of these queues one worker has; of others, as many as its settings say."""


class Signal(Protocol):
    """An event of threads or of processes."""

    def is_set(self) -> bool: ...


@dataclass(slots=True)
class _Running:
    context: JobContext
    task: asyncio.Task[None]
    is_ending: bool = False
    """Its end is being stored: whoever finds it running no more has lost nothing."""


class Host:
    """Works on the jobs of one queue in one process."""

    def __init__(
        self,
        queue: str,
        *,
        concurrency: int,
        stopping: Signal,
        replace: Callable[[], None] = lambda: None,
    ) -> None:
        """Make a host; `replace` is called, in any thread, when another one has to go on."""
        self._queue = queue
        self._concurrency = concurrency
        self._stopping = stopping
        self._replace = replace
        self._is_replaced = False
        self._worker = own_name()
        self._running: dict[UUID, _Running] = {}

    async def work(self) -> int:
        """Do every job that is queued or arrives in the meantime; return how many were taken."""
        count = 0
        loop = asyncio.get_running_loop()
        loop.set_task_factory(name_after_parent)
        self._changed = asyncio.Event()
        self._threads = Threads(_THREADS, name="job")
        self._writer = EventWriter()
        self._leases = LeaseKeeper(lambda id: _call_on(loop, self._lose, id))
        listener = listen("jobs", self._changed.set)
        watch = LoopWatch(loop, self._hand_over)
        try:
            while not self._stopping.is_set():
                self._changed.clear()
                count += await self._take_jobs()
                if not self._running:
                    break
                await self._wait_for_change()
                await self._read_requested_control()
            await self._give_back_all()
        finally:
            watch.close()
            await listener.close()
            self._leases.close()
            self._writer.close()
            self._threads.close()
        return count

    async def _take_jobs(self) -> int:
        room = self._concurrency - len(self._running)
        if room <= 0 or self._is_replaced:
            return 0
        try:
            jobs = await self._threads.run(claim_jobs, self._queue, limit=room, worker=self._worker)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Jobs could not be claimed: %s", error)
            return 0
        for job in jobs:
            self._start(job)
        return len(jobs)

    def _start(self, job: Job) -> None:
        self._leases.hold(job.id, job.attempt)
        context = JobContext(job, self._writer, self._threads)
        task = asyncio.get_running_loop().create_task(self._do(context), name=f"job {job.id}")
        task.add_done_callback(lambda _: self._forget(job.id))
        self._running[job.id] = _Running(context, task)

    def _forget(self, job_id: UUID) -> None:
        self._running.pop(job_id, None)
        self._leases.let_go(job_id)
        self._changed.set()

    def _lose(self, job_id: UUID) -> None:
        """Drop a job whose lease was found to be gone, unless it is just ending here."""
        running = self._running.get(job_id)
        if running is not None and not running.is_ending:
            logger.warning("Job %s was taken over by another worker", job_id)
            self._drop(job_id)

    def _drop(self, job_id: UUID) -> None:
        """Stop working on a job that another worker has."""
        running = self._running.get(job_id)
        if running is not None:
            running.task.cancel()

    def _hand_over(self, task_name: str) -> None:
        """Have another host go on with all jobs but the one whose task blocks this one's loop.

        Called in another thread, because nothing happens in the loop's own. What the jobs still
        do here, once the loop turns again, is fenced; they are dropped then.
        """
        running_now = list(self._running.items())
        others = [one for one in running_now if one[1].task.get_name() != task_name]
        if len(others) == len(running_now):
            return  # not a job's doing
        self._is_replaced = True
        for job_id, running in others:
            self._leases.let_go(job_id)
            running.task.get_loop().call_soon_threadsafe(self._drop, job_id)
            try:
                running.context.queue_again("Another run blocks its worker; it goes on elsewhere.")
            except (StudioError, DatabaseError, InterfaceError) as error:
                # Then its lease runs out, and it goes on a little later.
                logger.warning("Job %s could not be handed over: %s", job_id, error)
        self._replace()

    async def _wait_for_change(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), POLL_SECONDS)

    async def _read_requested_control(self) -> None:
        try:
            wanted = await self._threads.run(read_requested_control, list(self._running))
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Job commands could not be read: %s", error)
            return
        for job_id, control in wanted.items():
            running = self._running.get(job_id)
            if running is not None:
                _grant(control, running)

    async def _give_back_all(self) -> None:
        """Queue what is still running: the worker stops, another one continues."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _do(self, context: JobContext) -> None:
        """Let the service work and store how it ended."""
        job = context.job
        current_job.set(str(job.id))  # of this task alone
        try:
            outcome = await find_service(job.kind)(context)
        except FencedError as error:
            logger.warning("%s", error.message)
            return
        except (asyncio.CancelledError, CancelledByPersonError):
            outcome = self._interrupted(context)
        except StudioError as error:
            logger.info("Job %s failed: %s", job.id, error.message)
            await self._end(context, Outcome("failed", error.message, error_code=error.code))
            return
        except Exception:
            logger.exception("Job %s crashed", job.id)
            message = "The studio hit an internal error; see the worker's log for details."
            await self._end(context, Outcome("failed", message, error_code="internal_error"))
            return
        await self._end(context, outcome)

    def _interrupted(self, context: JobContext) -> Outcome:
        if context.cancelled_by:
            said = f"Cancelled by {context.cancelled_by}. {context.remark}".rstrip()
            return Outcome("cancelled", said)
        return Outcome("queued", "Its worker stopped; another one is taking over.")

    async def _end(self, context: JobContext, outcome: Outcome) -> None:
        job_id, state = context.job.id, outcome.state
        self._running[job_id].is_ending = True
        result = context.result if outcome.result is None else outcome.result
        with suppress(FencedError):
            await context.commit(
                lambda: end_claim(
                    job_id,
                    state,
                    message=outcome.message,
                    error_code=outcome.error_code,
                    result=result,
                    hears_messages=outcome.hears_messages,
                )
            )


def _grant(wanted: RequestedControl, running: _Running) -> None:
    """Pass a request on to the service; cancelling interrupts it, the rest it sees in its time."""
    running.context.control = wanted.control
    if wanted.cancelled_by and not running.context.cancelled_by:
        running.context.cancelled_by = wanted.cancelled_by
        running.task.cancel()


def _call_on(loop: asyncio.AbstractEventLoop, call: Callable[[UUID], None], job_id: UUID) -> None:
    with suppress(RuntimeError):  # the loop has just been closed
        loop.call_soon_threadsafe(call, job_id)
