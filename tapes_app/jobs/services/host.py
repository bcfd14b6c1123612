"""The host: one event loop in a worker process that works on many jobs concurrently.

It claims jobs from its queue while there is room, watches for people's requests, and ends when
nothing is left; the next nudge starts it again.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from django.db import DatabaseError, InterfaceError

from tapes_app.engine.errors import StudioError
from tapes_app.jobs.domain.current import current_job
from tapes_app.jobs.domain.worker_name import own_name
from tapes_app.jobs.services.context import CancelledByPersonError, JobContext, Residents
from tapes_app.jobs.services.leases import LeaseKeeper
from tapes_app.jobs.services.loop_watch import LoopWatch, name_after_parent
from tapes_app.jobs.services.registry import Outcome, find_service
from tapes_app.jobs.store.claims import (
    RequestedControl,
    claim_jobs,
    end_claim,
    read_requested_control,
)
from tapes_app.jobs.store.events import Claim, EventWriter, FencedError
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.threads import Threads
from tapes_app.jobs.store.wake import listen

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.4
"""How often to check for new jobs and requests when no hint arrives."""

_THREADS = 8

AT_ONCE = {"train": 1, "serve": 8}
"""How many jobs of these queues one worker takes; for others, the limit is in the settings."""


class Signal(Protocol):
    """An event of threads or of processes."""

    def is_set(self) -> bool: ...


@dataclass(slots=True)
class _Running:
    context: JobContext
    task: asyncio.Task[None]
    is_ending: bool = False
    """Its end is being stored, or it was lost already: if it is not running, nothing is lost."""


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
        """Make a host; `replace` is called, in any thread, when another host has to take over."""
        self._queue = queue
        self._concurrency = concurrency
        self._stopping = stopping
        self._replace = replace
        self._is_replaced = False
        self._worker = own_name()
        self._running: dict[Claim, _Running] = {}
        """A job that is lost and taken again is here twice until its earlier attempt has ended."""

    async def work(self) -> int:
        """Do every job that is queued or arrives in the meantime; return how many were taken.

        It also stays while something is kept open for later jobs.
        """
        count = 0
        loop = asyncio.get_running_loop()
        loop.set_task_factory(name_after_parent)
        self._changed = asyncio.Event()
        self._threads = Threads(_THREADS, name="job")
        self._writer = EventWriter()
        self._leases = LeaseKeeper(lambda claim: _call_on(loop, self._lose, claim))
        self._residents = Residents()
        listener = listen("jobs", self._changed.set)
        watch = LoopWatch(loop, self._hand_over)
        try:
            while not self._stopping.is_set():
                self._changed.clear()
                count += await self._take_jobs()
                is_wanted = await self._residents.tidy() and not self._is_replaced
                if not self._running and not is_wanted:
                    break
                await self._wait_for_change()
                await self._read_requested_control()
            await self._requeue_all()
        finally:
            listener.close()
            await self._residents.close()
            watch.close()
            await listener.wait_closed()
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
        for earlier in [claim for claim in self._running if claim.job_id == job.id]:
            self._leases.let_go(earlier)
            self._lose(earlier)
        claim = Claim(job.id, job.attempt)
        self._leases.hold(claim)
        context = JobContext(job, self._writer, self._threads, self._residents)
        name = f"job {job.id}, attempt {job.attempt}"
        task = asyncio.get_running_loop().create_task(self._do(context), name=name)
        task.add_done_callback(lambda _: self._forget(claim))
        self._running[claim] = _Running(context, task)

    def _forget(self, claim: Claim) -> None:
        self._running.pop(claim, None)
        self._leases.let_go(claim)
        self._changed.set()

    def _lose(self, claim: Claim) -> None:
        """Drop a job whose lease is gone, unless it is just ending here."""
        running = self._running.get(claim)
        if running is not None and not running.is_ending:
            running.is_ending = True
            logger.warning("Job %s was taken over by another worker", claim.job_id)
            self._drop(claim)

    def _drop(self, claim: Claim) -> None:
        """Stop working on a job that another worker, or a later attempt, has."""
        running = self._running.get(claim)
        if running is not None:
            running.task.cancel()

    def _hand_over(self, task_name: str) -> None:
        """Hand all jobs to another host, except the one whose task blocks this host's loop.

        Called in another thread, because the loop's own thread is blocked. What the jobs still do
        here once the loop turns again is fenced; they are dropped then.
        """
        running_now = list(self._running.items())
        others = [one for one in running_now if one[1].task.get_name() != task_name]
        if len(others) == len(running_now):
            return  # not caused by a job
        self._is_replaced = True
        for claim, running in others:
            self._leases.let_go(claim)
            running.task.get_loop().call_soon_threadsafe(self._drop, claim)
            try:
                running.context.queue_again(
                    "Another run blocks its worker; it continues elsewhere."
                )
            except (StudioError, DatabaseError, InterfaceError) as error:
                # Then its lease runs out, and it continues a little later.
                logger.warning("Job %s could not be handed over: %s", claim.job_id, error)
        self._replace()

    async def _wait_for_change(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), POLL_SECONDS)

    async def _read_requested_control(self) -> None:
        at_work = {claim.job_id: one for claim, one in self._running.items() if not one.is_ending}
        try:
            wanted = await self._threads.run(read_requested_control, list(at_work))
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Job commands could not be read: %s", error)
            return
        for job_id, control in wanted.items():
            if not at_work[job_id].is_ending:
                _grant(control, at_work[job_id])

    async def _requeue_all(self) -> None:
        """Queue what is still running: the worker stops, another one continues."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _do(self, context: JobContext) -> None:
        """Let the service work and store how it ended."""
        job = context.job
        current_job.set(str(job.id))  # for this task alone
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
            message = f"Cancelled by {context.cancelled_by}. {context.remark}".rstrip()
            return Outcome("cancelled", message)
        return Outcome("queued", "Its worker stopped; another one is taking over.")

    async def _end(self, context: JobContext, outcome: Outcome) -> None:
        job_id, state = context.job.id, outcome.state
        self._running[Claim(job_id, context.job.attempt)].is_ending = True
        result = context.result if outcome.result is None else outcome.result
        with suppress(FencedError):
            await context.commit(
                lambda: end_claim(
                    job_id,
                    state,
                    message=outcome.message,
                    error_code=outcome.error_code,
                    result=result,
                    accepts_messages=outcome.accepts_messages,
                )
            )


def _grant(wanted: RequestedControl, running: _Running) -> None:
    """Pass a request on to the service; cancelling interrupts it, the rest can wait."""
    running.context.control = wanted.control
    if wanted.cancelled_by and not running.context.cancelled_by:
        running.context.cancelled_by = wanted.cancelled_by
        running.task.cancel()


def _call_on(loop: asyncio.AbstractEventLoop, call: Callable[[Claim], None], claim: Claim) -> None:
    with suppress(RuntimeError):  # the loop has just been closed
        loop.call_soon_threadsafe(call, claim)
