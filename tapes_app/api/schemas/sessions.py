"""Who is signed in, and where."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from tapes_app.api.schemas.bodies import Out

Role = Literal["owner", "member", "viewer"]


class ProjectOut(Out):
    id: UUID
    name: str
    role: Role


class SessionOut(Out):
    """Who is signed in, where, and what the page should know at its start."""

    user: str
    project_id: UUID
    project: str
    projects: list[ProjectOut]
    role: Role
    has_accounts: bool
    version: str
