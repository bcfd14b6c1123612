"""Jobs that nobody took up: their workers are nudged again."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from tapes_app.jobs.store.nudge import nudge
from tapes_app.models import JobRecord

NUDGE_AGAIN_AFTER = timedelta(seconds=3)


def nudge_waiting_queues() -> tuple[str, ...]:
    """Nudge once for every queue in which a job waits for longer than a nudge takes.

    One is enough: a nudged worker looks at the whole queue. Otherwise messages would pile up
    behind a worker that is busy for long.
    """
    stale = Q(nudged_at__isnull=True) | Q(nudged_at__lt=timezone.now() - NUDGE_AGAIN_AFTER)
    waiting = JobRecord.objects.filter(stale, state=JobRecord.State.QUEUED)
    oldest = {queue: id for id, queue in waiting.order_by("-created_at").values_list("id", "queue")}
    if oldest:
        waiting.update(nudged_at=timezone.now())
    for queue, job_id in oldest.items():
        nudge(queue, job_id)
    return tuple(sorted(oldest))
