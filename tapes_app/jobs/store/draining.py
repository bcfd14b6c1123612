"""Workers that take no new job: each goes on with what it holds, then stands idle.

That a worker is drained is said of its process; one that is started in its place takes work.
"""

from tapes_app.jobs.store.wake import notify
from tapes_app.models import DrainedWorkerRecord


def is_drained(worker: str) -> bool:
    """Say whether a worker is to take no new job."""
    return DrainedWorkerRecord.objects.filter(worker=worker).exists()


def list_drained() -> frozenset[str]:
    """Return the names of the workers that are to take no new job."""
    return frozenset(DrainedWorkerRecord.objects.values_list("worker", flat=True))


def drain(worker: str, *, person: str) -> bool:
    """Have a worker take no new job; return whether it took some before."""
    values = {"person": person}
    return DrainedWorkerRecord.objects.get_or_create(worker=worker, defaults=values)[1]


def take_work_again(worker: str) -> bool:
    """Have a worker take jobs; return whether it was drained."""
    is_changed = bool(DrainedWorkerRecord.objects.filter(worker=worker).delete()[0])
    if is_changed:
        notify("jobs")
    return is_changed
