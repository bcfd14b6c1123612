"""The sweeper: requeues lost jobs, nudges for waiting ones, prunes logs, keeps lists fast.

Any number of them may run at the same time; every pass is safe to repeat.
"""

import logging
from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError, connection

from tapes_app.jobs.domain.stop_request import StopRequest
from tapes_app.jobs.store.claims import lease_seconds, requeue_lost_jobs
from tapes_app.jobs.store.job import delete_old_short_lived_jobs
from tapes_app.jobs.store.log import prune_finished_logs
from tapes_app.jobs.store.nudge import nudge_waiting_queues
from tapes_app.jobs.store.upkeep import keep_quick

logger = logging.getLogger(__name__)

_LONGEST_PAUSE_SECONDS = 3.0
_PRUNE_EVERY = 20


@dataclass(frozen=True, slots=True)
class SweepReport:
    taken_back_count: int
    nudged_queues: tuple[str, ...]


def sweep() -> SweepReport:
    """Sweep once."""
    taken = requeue_lost_jobs()
    return SweepReport(len(taken), nudge_waiting_queues())


def sweep_until(stopped: StopRequest) -> None:
    """Sweep repeatedly; if the database is unavailable, wait for it."""
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
