"""Many writers who start together."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from tapes_app.engine.errors import ConflictError

WRITERS = 6


def at_once(work: Callable[[int], object]) -> list[object]:
    """Run `work` in threads that start together; return results, conflicts as `None`."""
    barrier = threading.Barrier(WRITERS)

    def run(number: int) -> object:
        try:
            barrier.wait()
            return work(number)
        except ConflictError:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(run, range(WRITERS)))
