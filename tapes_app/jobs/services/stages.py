"""A job that starts other jobs, and waits for them beside its own worker's work."""

import asyncio
from contextlib import suppress
from typing import Any, Protocol
from uuid import UUID

from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.jobs.store.events import FencedError
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.jobs.store.many_jobs import NewJob, create_jobs
from tapes_app.projects.services.people import Person

AT_ONCE = 3
"""Such jobs of a group: they wait for others, so they must not take all places of a queue."""

_SHORTEST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.05, 0.5
_MOST_OF_A_PAUSE = 0.25
"""How long a look may take beside the pause after it: one at ten thousand runs takes long."""


class Stages(Protocol):
    """One attempt at such a job; what was started before is found and not started again."""

    def advance(self) -> Outcome | None:
        """Look at what is under way, and start what comes next; `None` until all is over."""

    def stop(self) -> None:
        """End what is under way; what it has made stays."""


def start_stages(
    person: Person, kind: str, request: dict[str, Any], *, title: str, queue: str, group: UUID
) -> Job:
    """Queue such a job; behind as many of its group as go on at once it waits."""
    (job_id,) = create_jobs(
        person.project_id,
        kind,
        [NewJob(request, title)],
        owner_id=person.user_id,
        queue=queue,
        group=group,
        group_limit=AT_ONCE,
    )
    return load_job(person.project_id, job_id)


async def run_stages(context: JobContext, stages: Stages) -> Outcome:
    """Go on until all is over.

    When a person cancels the job, or it fails, what it started ends too; when its worker stops,
    that goes on, and the next worker finds it.
    """
    clock, pause = asyncio.get_running_loop().time, _SHORTEST_PAUSE_SECONDS
    try:
        while True:
            began, known = clock(), context.news_count
            outcome = await _advance(context, stages)
            if outcome is not None:
                return outcome
            # Where something has just begun or ended, more may soon; else it looks less often.
            is_news = context.news_count > known
            pause = _SHORTEST_PAUSE_SECONDS if is_news else min(2 * pause, _LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(max(pause, (clock() - began) / _MOST_OF_A_PAUSE))
    except FencedError:
        raise
    except (asyncio.CancelledError, StudioError) as error:
        if context.cancelled_by or isinstance(error, StudioError):
            await context.run_in_thread(stages.stop)
        raise


async def _advance(context: JobContext, stages: Stages) -> Outcome | None:
    """Take one look in a thread; a stop waits until that is over, so nothing is started after."""
    looking = asyncio.ensure_future(context.run_in_thread(stages.advance))
    try:
        return await asyncio.shield(looking)
    except asyncio.CancelledError:
        with suppress(Exception):  # it was interrupted: what it says does not count any more
            await looking
        raise
