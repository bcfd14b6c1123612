"""Work in a thread that ends soon after its job was stopped, and leaves nothing half made."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome


async def run_until_stopped(
    context: JobContext,
    work: Callable[[JobContext, threading.Event], Outcome],
    discard: Callable[[UUID, UUID], object],
) -> Outcome:
    """Run `work`, which watches the event it is given; a stop waits until it has seen it.

    When a person cancelled the job, `discard` is called with the job and its project; what an
    attempt that was only interrupted has made stays for the next one.
    """
    stopped = threading.Event()
    running = asyncio.ensure_future(context.run_in_thread(work, context, stopped))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stopped.set()
        with suppress(Exception):  # it was interrupted: what it says does not count any more
            await running
        if context.cancelled_by:
            await context.run_in_thread(discard, context.job.id, context.job.project_id)
        raise
