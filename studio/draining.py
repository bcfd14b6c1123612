"""Workers that an operator drains or resumes; both are recorded in the admin log."""

from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.engine.errors import NotFoundError
from tapes_app.jobs.store import draining
from tapes_app.jobs.store.numbers import JobAtWork, list_at_work, list_holders
from tapes_app.jobs.store.workers import Worker, list_workers
from tapes_app.projects.store.operator_log import log_action


@dataclass(frozen=True, slots=True)
class KnownWorker:
    """A worker, known by its heartbeat here or by the jobs that it holds elsewhere."""

    name: str
    queues: tuple[str, ...]
    """Empty for a worker on another machine, which sends no heartbeat here."""

    is_alive: bool
    is_drained: bool
    """It takes no new job."""

    jobs: tuple[JobAtWork, ...]
    memory_bytes: int | None = None
    beat_seconds: float | None = None
    """Since its last heartbeat; `None`, like its memory, for a worker on another machine."""


def list_known_workers() -> list[KnownWorker]:
    """Return all workers that there is a sign of, sorted by name.

    A worker of this machine whose process has ended is one only until its jobs are taken back.
    """
    holders = set(list_holders())
    known = [worker for worker in list_workers() if not worker.is_gone or worker.name in holders]
    beating = {worker.name: worker for worker in known}
    drained = draining.list_drained()
    names = sorted({*beating, *holders})
    jobs = list_at_work(names)
    return [_describe(name, beating.get(name), jobs, is_drained=name in drained) for name in names]


def find_worker(text: str) -> KnownWorker:
    """Return the worker with this name, or with this process id if only one has it.

    Raises:
        NotFoundError: there is none, or there are several.
    """
    workers = list_known_workers()
    found = [one for one in workers if text in (one.name, one.name.rpartition(":")[2])]
    if len(found) != 1:
        known = ", ".join(repr(one.name) for one in workers) or "none"
        raise NotFoundError(f"There is no worker {text!r}; known: {known}.")
    return found[0]


def drain_worker(user_id: int, person: str, name: str) -> KnownWorker:
    """Make a worker take no new job; it continues what it holds.

    Raises:
        NotFoundError: there is no such worker.
    """
    worker = find_worker(name)
    if draining.drain(worker.name, person=person):
        log_action(user_id, f"worker {worker.name}", "Drained: it takes no new job.")
    return worker


def resume_worker(user_id: int, name: str) -> KnownWorker:
    """Make a drained worker take jobs again.

    Raises:
        NotFoundError: there is no such worker.
    """
    worker = find_worker(name)
    if draining.undrain(worker.name):
        log_action(user_id, f"worker {worker.name}", "Takes work again.")
    return worker


def _describe(
    name: str, beat: Worker | None, jobs: Sequence[JobAtWork], *, is_drained: bool
) -> KnownWorker:
    held = tuple(job for job in jobs if job.worker == name)
    if beat is None:
        return KnownWorker(name, queues=(), is_alive=True, is_drained=is_drained, jobs=held)
    return KnownWorker(
        name,
        queues=beat.queues,
        is_alive=beat.is_alive,
        is_drained=is_drained,
        jobs=held,
        memory_bytes=beat.memory_bytes,
        beat_seconds=beat.beat_seconds,
    )
