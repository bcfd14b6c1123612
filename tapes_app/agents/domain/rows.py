"""Agents and LLM models as the store returns them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from tapes_app.engine.agent.spec import AgentSpec

LONGEST_NOTE = 1_000
"""Characters of the note on a version."""


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
    """A known version of an agent, with its spec."""

    id: UUID
    number: int
    digest: str
    created_at: datetime
    spec: AgentSpec
    needs_model: bool
    """It has no model: if none is chosen, a script answers and identifies itself as a stand-in."""

    tool_rules: tuple[str, ...]
    """The sentences that its tool rules mean, in their order."""

    note: str
    """What it is about, by the person who saved it."""

    saved_by: str
    is_trial: bool
    """Stored because a draft was run, with the number 0; no list has it."""


@dataclass(frozen=True)
class AgentVersionRow(AgentVersion, ComparedVersion):
    """One immutable version of an agent."""


@dataclass(frozen=True, slots=True)
class NumberedVersion:
    """A version of an agent, for choosing one."""

    id: UUID
    number: int


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent in a list, with its versions and the published one."""

    id: UUID
    name: str
    description: str
    latest_version_id: UUID
    latest_version: int
    published_version: int | None
    """`None`: none was published."""

    default_version_id: UUID
    """The version that new runs are offered: the published one, or else the newest."""

    version_count: int
    numbered_versions: list[NumberedVersion]
    """Newest first."""

    created_at: datetime


@dataclass(frozen=True, slots=True)
class AgentUse:
    """What the tapes of an agent say of it; archived ones do not count."""

    agent_id: UUID
    tape_count: int
    passed_count: int
    failed_count: int
    """The other tapes have no outcome."""

    cost_micro_usd: int
    llm_call_count: int
    unpriced_call_count: int
    """How many of these calls have an unknown cost: they are not in the sum."""

    last_used_at: datetime


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication of a version: by whom and when."""

    id: UUID
    version_id: UUID
    number: int
    published_by: str
    created_at: datetime
    despite: str
    """What had not passed when an owner published it anyway; empty: nothing was open."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that can be called. It never contains the key itself.

    Prices in micro US dollars per million tokens; `None` = unknown.
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
    """How long the model may send nothing; `None` = the default, as for the next two."""

    deadline_seconds: float | None = None
    """How long one answer may take, with all attempts."""

    max_attempts: int | None = None
    record_tokens: bool = False
    """Whether its calls keep token ids and log-probabilities."""

    is_served_here: bool = False
    """Whether the studio serves it, and sets its address and key."""

    key_retired_at: datetime | None = None
    """Since when it cannot be called, because its key was retired; a new key ends that."""
