"""Jobs that start others, or store pieces: ending those when nobody works on the ended job.

A worker that holds such a job does that itself. Otherwise a server or the sweeper writes the end,
and neither knows the services: so these are imported when they are first needed.
"""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils.module_loading import import_string

from tapes_app.models import JobRecord

EndStarted = Callable[[UUID, UUID], None]
"""Ends what a job of a project has started, jobs or files; called outside of transactions."""

_PLACES: dict[str, str] = {}


def register_ending(kind: str, place: str) -> None:
    """Register where the `EndStarted` of a kind is: module and name, separated by dots."""
    _PLACES[kind] = place


def end_started_after_commit(record: JobRecord) -> None:
    place = _PLACES.get(record.kind)
    if place is not None:
        end = partial(_end_started, place, record.project_id, record.id)
        # Not earlier: no transaction may hold the rows of two jobs. The job's own end is kept even
        # if this fails.
        transaction.on_commit(end, robust=True)


def _end_started(place: str, project_id: UUID, job_id: UUID) -> None:
    end_started: EndStarted = import_string(place)
    end_started(project_id, job_id)
