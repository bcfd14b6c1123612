"""What a page needs at its start: the person, the projects, the studio's version."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from uuid import UUID

from django.conf import settings

from tapes_app.projects.domain.rows import ProjectRow, Role
from tapes_app.projects.services.people import Person, list_projects

_FALLBACK_VERSION = "0.1.0"


@dataclass(frozen=True)
class Session:
    user: str
    project_id: UUID
    project: str
    projects: tuple[ProjectRow, ...]
    """The project itself and the person's other projects that are not archived."""

    role: Role
    can_write: bool
    """Whether the person may change anything in the project."""

    has_accounts: bool
    version: str


def describe_session(person: Person) -> Session:
    return Session(
        user=person.name,
        project_id=person.project_id,
        project=person.project,
        projects=tuple(
            row
            for row in list_projects(person)
            if row.archived_at is None or row.id == person.project_id
        ),
        role=person.role,
        can_write=person.can_write,
        has_accounts=settings.STUDIO_ACCOUNTS,
        version=read_version(),
    )


def read_version() -> str:
    """Return the version of the studio."""
    try:
        return version("tape-studio")
    except PackageNotFoundError:  # run from a clone that is not installed
        return _FALLBACK_VERSION
