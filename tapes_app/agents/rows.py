"""Agents and LLM models as the store gives them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from tapes_app.engine.spec import AgentSpec


@dataclass(frozen=True)
class ComparedVersion:
    """A version of an agent by its name and number."""

    id: UUID
    agent_id: UUID
    agent_name: str
    number: int
    created_at: datetime


@dataclass(frozen=True)
class AgentVersion:
    """A version of an agent that is known, with what it is made of."""

    id: UUID
    number: int
    digest: str
    created_at: datetime
    spec: AgentSpec
    needs_model: bool
    """It has no model of its own: where none is chosen, a script answers that it is none."""


@dataclass(frozen=True)
class AgentVersionRow(AgentVersion, ComparedVersion):
    """One immutable version of an agent."""


@dataclass(frozen=True, slots=True)
class NumberedVersion:
    """A version of an agent, to be chosen."""

    id: UUID
    number: int


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent in a list, with its versions and the one that is published."""

    id: UUID
    name: str
    description: str
    latest_version_id: UUID
    latest_version: int
    published_version: int | None
    """`None`: none was published."""

    default_version_id: UUID
    """What new runs are offered: the published version, or the newest one where none is."""

    version_count: int
    numbered_versions: list[NumberedVersion]
    """Newest first."""

    created_at: datetime


@dataclass(frozen=True, slots=True)
class Publication:
    """That a version was published, by whom and when."""

    id: UUID
    version_id: UUID
    number: int
    published_by: str
    created_at: datetime
    despite: str
    """What had not passed when an owner published it anyway; empty: nothing was open."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that can be asked. The key itself is never in it.

    Prices in micro US dollars for a million tokens; `None` = unknown.
    """

    id: UUID
    name: str
    litellm_model: str
    base_url: str
    api_key_env: str
    has_api_key: bool
    created_at: datetime
    parameters: dict[str, Any] = field(default_factory=dict)
    input_price: int | None = None
    cache_read_price: int | None = None
    cache_write_price: int | None = None
    output_price: int | None = None
    silence_seconds: float | None = None
    """How long it may say nothing; `None` = the default, as for the next two."""

    deadline_seconds: float | None = None
    """How long one answer may take, with all attempts."""

    max_attempts: int | None = None
    record_tokens: bool = False
    """Its calls keep token ids and log-probabilities."""

    is_served_here: bool = False
    """The studio serves it, and sets its address and key."""

    key_retired_at: datetime | None = None
    """Since when it cannot be asked, because its key was retired; a new key ends that."""
