"""Nudges: Celery messages that tell a worker to look at the jobs table.

A nudge holds no job. Losing it costs a sweep, getting it twice costs a look.
"""

import logging
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from tapes_app.jobs.store.wake import notify

logger = logging.getLogger(__name__)

NUDGE_TASK = "tapes_app.work_on_jobs"
_EXPIRES_SECONDS = 600


def nudge(queue: str, job_id: UUID) -> None:
    """Tell the workers of a queue that a job waits; call outside of transactions."""
    notify("jobs")
    try:
        current_app.send_task(
            NUDGE_TASK, args=[queue, str(job_id)], queue=queue, expires=_EXPIRES_SECONDS
        )
    except (OperationalError, OSError) as error:
        logger.warning("The broker is not accepting messages; the sweeper will retry: %s", error)


def nudge_after_commit(queue: str, job_id: UUID) -> None:
    transaction.on_commit(lambda: nudge(queue, job_id))
