"""Jobs that start others: what ends those when the job ends while nobody works on it.

Whoever works on such a job ends them itself. Where nobody does, a server or the sweeper writes
the end, and neither knows the services: so these are imported when they are needed first.
"""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils.module_loading import import_string

from tapes_app.models import JobRecord

EndStarted = Callable[[UUID, UUID], None]
"""Ends what a job of a project has started; it is called in no transaction."""

_PLACES: dict[str, str] = {}


def register_ending(kind: str, place: str) -> None:
    """Say where the `EndStarted` of a kind is: module and name, with dots between."""
    _PLACES[kind] = place


def end_started_after_commit(record: JobRecord) -> None:
    place = _PLACES.get(record.kind)
    if place is not None:
        end = partial(_end_started, place, record.project_id, record.id)
        # Not before: no transaction may hold the rows of two jobs. The job's own end stays when
        # this fails.
        transaction.on_commit(end, robust=True)


def _end_started(place: str, project_id: UUID, job_id: UUID) -> None:
    end_started: EndStarted = import_string(place)
    end_started(project_id, job_id)
