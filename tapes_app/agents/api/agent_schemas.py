"""Agents and their versions."""

from datetime import datetime
from uuid import UUID

from tapes_app.agents.services.agents import ToolRow
from tapes_app.engine.spec import AgentSpec
from tapes_app.projects.api.bodies import In, Out
from tapes_app.tapes.services.field_changes import FieldChange


class AgentVersionOut(Out):
    id: UUID
    number: int
    digest: str
    created_at: datetime
    spec: AgentSpec


class ComparedVersionOut(Out):
    id: UUID
    agent_id: UUID
    agent_name: str
    number: int
    created_at: datetime


class AgentVersionIn(In):
    spec: AgentSpec


class AgentOut(Out):
    """An agent with its versions, newest first."""

    id: UUID
    name: str
    description: str
    latest_version_id: UUID
    latest_version: int
    version_count: int
    created_at: datetime
    versions: list[AgentVersionOut]
    tools: list[ToolRow]
    """What the latest version's environment offers."""


class AgentDiffOut(Out):
    """Two agent versions, and what of their specs differs; nodes are found by name."""

    left: ComparedVersionOut
    right: ComparedVersionOut
    fields: list[FieldChange]
