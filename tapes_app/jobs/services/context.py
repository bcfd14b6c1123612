"""What a service gets for working on a job: its request, its log, threads for database work."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

from tapes_app.engine.errors import StudioError
from tapes_app.jobs.domain.protocol import Event, JobProgress
from tapes_app.jobs.store.claims import end_claim
from tapes_app.jobs.store.events import Claim, EventWriter, FencedError, Work
from tapes_app.jobs.store.granting import store_checkpoint, store_progress
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.threads import Threads

P = ParamSpec("P")
T = TypeVar("T")


_SHARE_SECONDS = 0.02
"""How long a job may occupy the shared loop before the others get a turn."""


class Resident(Protocol):
    """Something that a service keeps between jobs, in the event loop of their host."""

    async def tidy(self) -> bool:
        """Give up what nobody needs any more; return whether the host must stay for the rest."""

    async def close(self) -> None: ...


R = TypeVar("R", bound=Resident)


class Residents:
    """What services keep between the jobs of one host; the host closes it when it ends."""

    def __init__(self) -> None:
        self._all: dict[type[Resident], Resident] = {}

    def get(self, cls: type[R]) -> R:
        found = self._all.get(cls)
        if not isinstance(found, cls):
            found = self._all[cls] = cls()
        return found

    async def tidy(self) -> bool:
        return any([await one.tidy() for one in self._all.values()])

    async def close(self) -> None:
        for one in self._all.values():
            await one.close()


class CancelledByPersonError(StudioError):
    """A person asked the job to stop; raised in services that work in a thread."""

    code = "cancelled"
    status = 409


class JobContext:
    """One claimed job, as its service sees it. All writes are fenced."""

    def __init__(
        self, job: Job, writer: EventWriter, threads: Threads, residents: "Residents | None" = None
    ) -> None:
        self.job = job
        self.cancelled_by = ""
        """The person who cancelled it; set before the service's task is cancelled."""

        self.control = job.control
        """What people currently request of the job; the host keeps it up to date."""

        self.result: dict[str, Any] | None = None
        """The job's result, for when it ends without an outcome of its own."""

        self.remark = ""
        """A sentence to add to the message that the job was cancelled."""

        self.news_count = 0
        """How often it has started other jobs or had news of them to report."""

        self._gives_way_at = 0.0
        self._last_news = ""
        self._claim = Claim(job.id, job.attempt)
        self._writer = writer
        self._threads = threads
        self._residents = residents or Residents()

    def resident(self, cls: type[R]) -> R:
        """Return what its host keeps between jobs, one of a class; made when first asked for."""
        return self._residents.get(cls)

    async def yield_loop(self) -> None:
        """Let this worker's other jobs run when this one has occupied the loop for long.

        Code that never has to wait, such as a model answering from memory, would keep it otherwise.
        """
        now = asyncio.get_running_loop().time()
        if now >= self._gives_way_at:
            self._gives_way_at = now + _SHARE_SECONDS
            await asyncio.sleep(0)

    def emit(self, event: Event) -> None:
        """Write an event soon; callable from any thread."""
        self._writer.emit(self._claim, event)

    async def commit(self, work: Work) -> None:
        """Run `work` and write the events that it returns, in one transaction, in order.

        Raises:
            FencedError: the job has gone to another worker; nothing was written.
        """
        future = self._writer.commit(self._claim, work)
        # Shielded: the service may be cancelled while the writer thread still needs the future.
        written = asyncio.wrap_future(future)
        # Retrieved in any case: a failure that a cancelled service does not wait for is expected.
        written.add_done_callback(lambda one: one.cancelled() or one.exception())
        await asyncio.shield(written)

    def commit_soon(self, work: Work) -> None:
        """Run `work` like `commit`, without waiting; nothing is written if the job is lost."""
        with suppress(FencedError):  # the worker is stopping
            self._writer.commit(self._claim, work)

    def queue_again(self, message: str) -> None:
        """Leave the job to another host; call this from a thread other than its service's.

        Raises:
            FencedError: the job has already gone to another worker.
        """
        job_id = self.job.id
        work = partial(end_claim, job_id, "queued", message=message)
        self._writer.commit(self._claim, work).result()

    def commit_in_thread(self, work: Work) -> None:
        """Commit like `commit`, for services that work in a thread."""
        self.raise_if_cancelled()
        self._writer.commit(self._claim, work).result()

    def write_in_thread(self, work: Callable[[], object]) -> None:
        """Run `work` like `commit_in_thread`, whatever it returns: it produces no events."""

        def write() -> None:
            work()

        self.commit_in_thread(write)

    def report_progress(self, done: int, total: int | None = None, message: str = "") -> None:
        """Report how far the job is; callable from any thread."""
        self._writer.commit(self._claim, lambda: self._store_progress(done, total, message))

    def report_news(self, done: int, total: int, message: str) -> None:
        """Report progress like `report_progress`, unless the message is the same as last time."""
        if message != self._last_news:
            self._last_news = message
            self.news_count += 1
            self.report_progress(done, total, message)

    def report_or_stop(self, done: int, total: int | None = None, message: str = "") -> None:
        """Report progress in a service that works in a thread, unless it is cancelled.

        Raises:
            CancelledByPersonError: somebody asked the job to stop.
        """
        self.raise_if_cancelled()
        self.report_progress(done, total, message)

    async def checkpoint(self, value: Any) -> None:
        """Store JSON from which the next attempt may continue."""
        await self.commit(lambda: store_checkpoint(self.job.id, value))

    def keep(self, value: Any) -> None:
        """Store JSON like `checkpoint`, in services that work in a thread, even while cancelled."""
        self._writer.commit(self._claim, lambda: store_checkpoint(self.job.id, value)).result()

    async def run_in_thread(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run blocking work (database, files) without blocking the event loop."""
        return await self._threads.run(function, *args, **kwargs)

    def raise_if_cancelled(self) -> None:
        """Stop a service that works in a thread; call it between pieces of work.

        Raises:
            CancelledByPersonError: somebody asked the job to stop.
        """
        if self.cancelled_by:
            raise CancelledByPersonError(f"Cancelled by {self.cancelled_by}.")

    def start_and_keep(self, start: Callable[[], Any]) -> None:
        """Start other jobs, and keep the JSON that `start` returns, in one transaction.

        So a worker that takes over knows about them, and starts none twice. `start` may be called
        again when the transaction fails. For services that work in a thread.
        """
        self.commit_in_thread(lambda: store_checkpoint(self.job.id, start()))
        self.news_count += 1

    def _store_progress(self, done: int, total: int | None, message: str) -> list[Event]:
        store_progress(self.job.id, done, total, message)
        return [JobProgress(done=done, total=total, message=message)]
