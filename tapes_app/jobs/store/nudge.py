"""Nudges: Celery messages that tell a worker to check the jobs table.

A nudge contains no job. Losing it costs a sweep, receiving it twice costs a query.
"""

import logging
from datetime import timedelta
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from tapes_app.jobs.store.wake import notify
from tapes_app.models import JobRecord

logger = logging.getLogger(__name__)

NUDGE_TASK = "tapes_app.work_on_jobs"
NUDGE_AGAIN_AFTER = timedelta(seconds=3)
_EXPIRES_SECONDS = 600


def nudge(queue: str, job_id: UUID) -> None:
    """Notify the workers of a queue that a job waits; call this outside of transactions."""
    notify("jobs")
    try:
        current_app.send_task(
            NUDGE_TASK, args=[queue, str(job_id)], queue=queue, expires=_EXPIRES_SECONDS
        )
    except (OperationalError, OSError) as error:
        logger.warning("The broker is not accepting messages; the sweeper will retry: %s", error)


def nudge_after_commit(queue: str, job_id: UUID) -> None:
    transaction.on_commit(lambda: nudge(queue, job_id))


def nudge_waiting_queues() -> tuple[str, ...]:
    """Nudge once for every queue in which a job has waited for longer than a nudge takes.

    One is enough: a nudged worker checks the entire queue. Otherwise messages would pile up behind
    a worker that is busy for long.
    """
    stale = Q(nudged_at__isnull=True) | Q(nudged_at__lt=timezone.now() - NUDGE_AGAIN_AFTER)
    waiting = JobRecord.objects.filter(stale, state=JobRecord.State.QUEUED)
    oldest = {queue: id for id, queue in waiting.order_by("-created_at").values_list("id", "queue")}
    if oldest:
        waiting.update(nudged_at=timezone.now())
    for queue, job_id in oldest.items():
        nudge(queue, job_id)
    return tuple(sorted(oldest))
