"""Work in a thread that ends soon after its job was stopped, and leaves nothing half finished."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar
from uuid import UUID

from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome

T = TypeVar("T")


async def run_until_stopped(
    context: JobContext,
    work: Callable[[JobContext, threading.Event], Outcome],
    discard: Callable[[UUID, UUID], object],
) -> Outcome:
    """Run `work`, which watches the event it is given; a stop waits until it has noticed.

    When a person cancelled the job, `discard` is called with the job and its project; the results
    of an attempt that was only interrupted stay for the next one.
    """
    stopped = threading.Event()
    try:
        return await finish_in_thread(context, partial(work, context, stopped), stopped.set)
    except asyncio.CancelledError:
        if context.cancelled_by:
            await context.run_in_thread(discard, context.job.id, context.job.project_id)
        raise


async def finish_in_thread(
    context: JobContext, work: Callable[[], T], on_stop: Callable[[], None] = lambda: None
) -> T:
    """Run work in a thread; a stop waits until it is over, so that it does nothing afterwards."""
    running = asyncio.ensure_future(context.run_in_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        on_stop()
        with suppress(Exception):  # it was interrupted: its result no longer counts
            await running
        raise
