"""Persons: who asks, in which project, with which role."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings

from tapes_app.engine.errors import NotAllowedError, NotFoundError
from tapes_app.projects.rows import ProjectRow, Role
from tapes_app.projects.store import projects


@dataclass(frozen=True)
class Person:
    """A signed-in person in one project; every service is asked by one."""

    user_id: int
    name: str
    project_id: UUID
    project: str
    role: Role

    @property
    def can_write(self) -> bool:
        return self.role != "viewer"


def identify(user: Any, wanted_project: str = "") -> Person:
    """Return the person behind a signed-in user, in the project asked for or the first one.

    Raises:
        NotFoundError: no such project, or the person is not in it.
        NotAllowedError: the person is in no project at all.
    """
    rows = projects.list_projects(user.pk)
    if not rows and (user.is_superuser or not settings.STUDIO_ACCOUNTS):
        rows = [projects.ensure_default_project(user.pk)]
    if not rows:
        raise NotAllowedError(
            f"{user.get_username()!r} is not a member of any project yet; ask an owner to add "
            "you to one."
        )
    row = _choose(rows, wanted_project)
    return Person(user.pk, user.get_username(), row.id, row.name, row.role)


def list_projects(person: Person) -> tuple[ProjectRow, ...]:
    """Return the projects that the person is in."""
    return tuple(projects.list_projects(person.user_id))


def _choose(rows: Sequence[ProjectRow], wanted: str) -> ProjectRow:
    if not wanted:
        return rows[0]
    for row in rows:
        if str(row.id) == wanted.strip().lower():
            return row
    raise NotFoundError("Project not found, or you are not a member of it.")
