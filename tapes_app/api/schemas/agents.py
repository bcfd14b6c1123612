"""Agents and their versions."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from tapes_app.api.schemas.bodies import In, Out
from tapes_app.api.schemas.comparing import FieldDiffOut
from tapes_app.engine.spec import AgentSpec


class AgentVersionOut(Out):
    id: UUID
    number: int
    digest: str
    created_at: datetime
    spec: AgentSpec


class AgentRowOut(Out):
    id: UUID
    name: str
    description: str
    latest_version_id: UUID
    latest_version: int
    version_count: int
    created_at: datetime


class ToolOut(Out):
    name: str
    description: str
    parameters: dict[str, Any]
    is_irreversible: bool = False
    """Nobody can take back what it does: a run asks before it, unless it is named as live."""


class AgentOut(AgentRowOut):
    versions: list[AgentVersionOut]
    tools: list[ToolOut]
    """What the latest version's environment offers."""


class ComparedVersionOut(Out):
    id: UUID
    agent_id: UUID
    agent_name: str
    number: int
    created_at: datetime


class AgentDiffOut(Out):
    """Two agent versions, and what of their specs differs; nodes are found by name."""

    left: ComparedVersionOut
    right: ComparedVersionOut
    fields: list[FieldDiffOut]


class GalleryAgentOut(Out):
    """An agent that ships with the studio or comes from a plugin."""

    name: str
    description: str
    spec: AgentSpec


class AgentVersionIn(In):
    spec: AgentSpec
