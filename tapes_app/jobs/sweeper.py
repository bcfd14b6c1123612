"""The sweeper: queues lost jobs again, nudges for waiting ones, prunes logs, keeps lists quick.

Any number may run at the same time; each look is safe to repeat.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Q
from django.utils import timezone

from tapes_app.jobs.claims import lease_seconds, take_back_lost_jobs
from tapes_app.jobs.job import delete_old_short_lived_jobs
from tapes_app.jobs.log import prune_finished_logs
from tapes_app.jobs.nudge import nudge
from tapes_app.models import JobRecord
from tapes_app.storage.upkeep import keep_quick

logger = logging.getLogger(__name__)

NUDGE_AGAIN_AFTER = timedelta(seconds=3)
_LONGEST_PAUSE_SECONDS = 3.0
_PRUNE_EVERY = 20


@dataclass(frozen=True, slots=True)
class SweepReport:
    taken_back_count: int
    nudged_queues: tuple[str, ...]


def sweep() -> SweepReport:
    """Look once."""
    taken = take_back_lost_jobs()
    return SweepReport(len(taken), nudge_waiting_queues())


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


def sweep_until(stopped: threading.Event) -> None:
    """Look again and again; a database that is away is waited for."""
    count = known_steps = 0
    while not stopped.is_set():
        try:
            sweep()
            if count % _PRUNE_EVERY == 0:
                prune_finished_logs()
                delete_old_short_lived_jobs()
                known_steps = keep_quick(known_steps)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("The sweeper cannot reach the database: %s", error)
            connection.close()
        count += 1
        stopped.wait(min(_LONGEST_PAUSE_SECONDS, lease_seconds() / 4))
    connection.close()
