"""Tape Studio from Python: import tapes, edit them, run agents on them, follow the runs."""

from tape_studio_client.answers import Retries
from tape_studio_client.async_job import AsyncJob
from tape_studio_client.async_studio import AsyncStudio
from tape_studio_client.errors import (
    ConflictError,
    JobFailedError,
    NotAllowedError,
    NotFoundError,
    StudioError,
    UnreachableError,
)
from tape_studio_client.job import Job
from tape_studio_client.studio import Studio
from tape_studio_client.values import (
    AgentRow,
    Event,
    ImportResultOut,
    JobOut,
    OpenDraft,
    OutlineRow,
    Session,
    TapeRow,
)

__all__ = [
    "AgentRow",
    "AsyncJob",
    "AsyncStudio",
    "ConflictError",
    "Event",
    "ImportResultOut",
    "Job",
    "JobFailedError",
    "JobOut",
    "NotAllowedError",
    "NotFoundError",
    "OpenDraft",
    "OutlineRow",
    "Retries",
    "Session",
    "Studio",
    "StudioError",
    "TapeRow",
    "UnreachableError",
]
