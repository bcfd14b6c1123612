"""What a page should know at its start: the person, the projects, the studio's version."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from uuid import UUID

from django.conf import settings

from tapes_app.projects.rows import ProjectRow, Role
from tapes_app.projects.services.people import Person, list_projects

_FALLBACK_VERSION = "0.1.0"


@dataclass(frozen=True)
class Session:
    user: str
    project_id: UUID
    project: str
    projects: tuple[ProjectRow, ...]
    role: Role
    has_accounts: bool
    version: str


def describe_session(person: Person) -> Session:
    return Session(
        user=person.name,
        project_id=person.project_id,
        project=person.project,
        projects=list_projects(person),
        role=person.role,
        has_accounts=settings.STUDIO_ACCOUNTS,
        version=_version(),
    )


def _version() -> str:
    try:
        return version("tape-studio")
    except PackageNotFoundError:  # run from a clone that is not installed
        return _FALLBACK_VERSION
