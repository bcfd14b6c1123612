"""Workers that take no new jobs: each finishes what it holds, then sits idle.

Draining applies to one worker process; a process started in its place takes work.
"""

from tapes_app.jobs.store.wake import notify
from tapes_app.models import DrainedWorkerRecord


def is_drained(worker: str) -> bool:
    """Return whether a worker should take no new jobs."""
    return DrainedWorkerRecord.objects.filter(worker=worker).exists()


def list_drained() -> frozenset[str]:
    """Return the names of the workers that should take no new jobs."""
    return frozenset(DrainedWorkerRecord.objects.values_list("worker", flat=True))


def drain(worker: str, *, person: str) -> bool:
    """Make a worker take no new jobs; return whether it took some before."""
    values = {"person": person}
    return DrainedWorkerRecord.objects.get_or_create(worker=worker, defaults=values)[1]


def undrain(worker: str) -> bool:
    """Let a worker take jobs again; return whether it was drained."""
    is_changed = bool(DrainedWorkerRecord.objects.filter(worker=worker).delete()[0])
    if is_changed:
        notify("jobs")
    return is_changed
