"""The heartbeat: a thread that renews the leases of every job that this process holds.

A thread, because an event loop may be kept busy for longer than a lease lasts.
"""

import logging
import threading
from collections.abc import Callable
from uuid import UUID

from django.db import DatabaseError, InterfaceError, connection

from tapes_app.jobs.store.claims import lease_seconds, renew_leases

logger = logging.getLogger(__name__)


class LeaseKeeper:
    """Renews leases four times in their length and reports the jobs that are lost."""

    def __init__(self, on_lost: Callable[[UUID], None]) -> None:
        self._on_lost = on_lost
        self._held: dict[UUID, int] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease-keeper", daemon=True)
        self._thread.start()

    def hold(self, job_id: UUID, attempt: int) -> None:
        with self._lock:
            self._held[job_id] = attempt

    def let_go(self, job_id: UUID) -> None:
        with self._lock:
            self._held.pop(job_id, None)

    def close(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopped.wait(lease_seconds() / 4):
                self._renew()
        finally:
            connection.close()

    def _renew(self) -> None:
        with self._lock:
            held = list(self._held.items())
        try:
            lost = renew_leases(held)
        except (DatabaseError, InterfaceError) as error:
            # The next beat tries again; if the lease expires in the meantime, the fence holds.
            logger.warning("Leases could not be renewed: %s", error)
            connection.close()
            return
        for job_id in lost:
            with self._lock:
                is_still_held = self._held.pop(job_id, None) is not None
            if is_still_held:
                self._on_lost(job_id)
