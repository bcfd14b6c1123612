"""A job that starts other jobs, and waits for them while its worker does other work."""

import asyncio
from typing import Any, Protocol
from uuid import UUID

from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.jobs.services.stopping import finish_in_thread
from tapes_app.jobs.store.events import FencedError
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.jobs.store.many_jobs import NewJob, create_jobs
from tapes_app.projects.services.people import Person

AT_ONCE = 3
"""How many such jobs of a group run: they wait for others, so must not fill a queue."""

_SHORTEST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.05, 0.5
_MOST_OF_A_PAUSE = 0.25
"""How long a check may take relative to the pause after it: checking ten thousand runs is slow."""


class Stages(Protocol):
    """One attempt at such a job; what was started before is found and not started again."""

    def advance(self) -> Outcome | None:
        """Check what is in progress, and start what comes next; return `None` until all is over."""

    def stop(self) -> None:
        """End what is in progress; its results stay."""


def start_stages(
    person: Person, kind: str, request: dict[str, Any], *, title: str, queue: str, group: UUID
) -> Job:
    """Queue such a job; it waits if its group is at the limit."""
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
    """Advance the stages until all are over.

    When a person cancels the job, or it fails, what it started ends too; when its worker stops,
    that continues, and the next worker finds it.
    """
    clock, pause = asyncio.get_running_loop().time, _SHORTEST_PAUSE_SECONDS
    try:
        while True:
            began, known = clock(), context.news_count
            outcome = await finish_in_thread(context, stages.advance)
            if outcome is not None:
                return outcome
            # If something has just started or ended, more may follow soon; otherwise it checks less
            # often.
            is_news = context.news_count > known
            pause = _SHORTEST_PAUSE_SECONDS if is_news else min(2 * pause, _LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(max(pause, (clock() - began) / _MOST_OF_A_PAUSE))
    except FencedError:
        raise
    except (asyncio.CancelledError, StudioError) as error:
        if context.cancelled_by or isinstance(error, StudioError):
            await context.run_in_thread(stages.stop)
        raise
