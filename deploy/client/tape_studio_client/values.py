"""The studio's answers as frozen dataclasses; fields that a newer studio adds are dropped."""

from dataclasses import dataclass
from typing import Any, Literal

JobState = Literal["queued", "running", "waiting", "paused", "succeeded", "failed", "cancelled"]
Until = Literal["over", "rest"]
"""`over`: succeeded, failed or cancelled; `rest`: also when it is waiting for a person."""

OVER: frozenset[str] = frozenset({"succeeded", "failed", "cancelled"})
REST: frozenset[str] = OVER | {"waiting", "paused"}


@dataclass(frozen=True)
class Session:
    """The person and project of the token."""

    user: str
    project: str
    project_id: str
    role: str
    version: str


@dataclass(frozen=True)
class AgentRow:
    id: str
    name: str
    description: str
    latest_version: int
    latest_version_id: str
    default_version_id: str
    """The published version, or the newest one if none is published."""


@dataclass(frozen=True)
class TapeRow:
    """A tape as the list shows it."""

    id: str
    title: str
    agent_name: str
    batch_name: str
    parent_id: str | None
    step_count: int
    has_error: bool
    outcome: str
    score: float | None
    tags: list[str]
    created_at: str


@dataclass(frozen=True)
class OutlineRow:
    """A step in one line."""

    position: int
    kind: str
    family: str
    writer: str
    agent: str
    node: str
    gist: str
    is_error: bool


@dataclass(frozen=True)
class OpenDraft:
    """Operations on a tape that itself stays unchanged."""

    version: int
    operations: list[dict[str, Any]]
    applied_count: int
    step_count: int


@dataclass(frozen=True)
class StartedRun:
    """A run, and the tape that it extends."""

    tape_id: str
    job_id: str


@dataclass(frozen=True)
class JobOut:
    """The state of a job."""

    id: str
    kind: str
    state: JobState
    title: str
    tape_id: str | None
    message: str
    error_code: str
    progress_done: int
    progress_total: int | None
    last_seq: int
    result: dict[str, Any] | None


@dataclass(frozen=True)
class ImportResultOut:
    """The result of an upload."""

    batch_id: str | None
    batch_name: str
    imported: int
    already_there: int
    llm_calls: int
    refused: list[dict[str, Any]]


@dataclass(frozen=True)
class Event:
    """Something that happened in a job; `data` is what the websocket sends."""

    seq: int
    type: str
    data: dict[str, Any]
