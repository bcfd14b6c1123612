"""The heartbeat: a thread that renews the leases of every job that this process holds.

It is a thread, because an event loop may be kept busy for longer than a lease lasts.
"""

import logging
import threading
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, connection

from tapes_app.jobs.store.claims import lease_seconds, renew_leases
from tapes_app.jobs.store.events import Claim

logger = logging.getLogger(__name__)


class LeaseKeeper:
    """Renews leases four times during their length and reports lost jobs.

    A process may hold a job twice: it takes one again whose earlier attempt, lost, has not ended.
    """

    def __init__(self, on_lost: Callable[[Claim], None]) -> None:
        self._on_lost = on_lost
        self._held: set[Claim] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease-keeper", daemon=True)
        self._thread.start()

    def hold(self, claim: Claim) -> None:
        with self._lock:
            self._held.add(claim)

    def let_go(self, claim: Claim) -> None:
        with self._lock:
            self._held.discard(claim)

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
            held = list(self._held)
        try:
            lost = renew_leases(held)
        except (DatabaseError, InterfaceError) as error:
            # The next beat tries again; if the lease expires in the meantime, the fence holds.
            logger.warning("Leases could not be renewed: %s", error)
            connection.close()
            return
        for claim in (claim for claim in held if claim in lost):
            with self._lock:
                is_still_held = claim in self._held
                self._held.discard(claim)
            if is_still_held:
                self._on_lost(claim)
