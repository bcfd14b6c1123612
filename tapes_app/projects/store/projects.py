"""Projects, and which of them a person is in."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tapes_app.models import MembershipRecord, ProjectRecord
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.domain.rows import ProjectRow, Role, row_of
from tapes_app.projects.store.members import ROLES
from tapes_app.projects.store.records import get_record, refusing_duplicates

DEFAULT_PROJECT = "Studio"
NAME_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Place:
    """A project that a person is in, and when they were last seen there."""

    project: ProjectRow
    last_seen_at: datetime | None


def ensure_default_project(user_id: int | None = None) -> ProjectRow:
    """Return the project that every studio starts with; the given person becomes its owner."""
    project, _ = ProjectRecord.objects.get_or_create(name=DEFAULT_PROJECT)
    role: Role = "owner"
    if user_id is not None:
        member, _ = MembershipRecord.objects.get_or_create(
            project=project, user_id=user_id, defaults={"role": "owner"}
        )
        role = ROLES[member.role]
    return row_of(ProjectRow, project, role=role)


def create_project(name: str, *, owner: int) -> ProjectRow:
    """Create a project with its first owner.

    Raises:
        ConflictError: there is already a project of that name.
    """
    name = check_name(name, NAME_LENGTH, "The project's name")
    with refusing_duplicates(_TAKEN.format(name), name=name):
        project = ProjectRecord.objects.create(name=name)
        MembershipRecord.objects.create(project=project, user_id=owner, role="owner")
    return row_of(ProjectRow, project, role="owner")


def ensure_project(project: UUID, name: str) -> bool:
    """Create a project under a known id, unless it is there; return whether it is new.

    Its name is another one if the name is taken.
    """
    taken = set(ProjectRecord.objects.filter(name__startswith=name).values_list("name", flat=True))
    free = next(one for one in _names_like(name) if one not in taken)
    _, is_new = ProjectRecord.objects.get_or_create(id=project, defaults={"name": free})
    return is_new


def ensure_member(project: UUID, user_id: int, role: Role) -> None:
    """Add a person to a project, unless they are in it."""
    MembershipRecord.objects.get_or_create(
        project_id=project, user_id=user_id, defaults={"role": role}
    )


def load_name(project: UUID) -> str:
    """Return the name of a project.

    Raises:
        NotFoundError: there is no such project.
    """
    return get_record(ProjectRecord.objects.all(), "Project not found.", project_id=project).name


def list_places(user_id: int) -> list[Place]:
    """Return the projects that a person is in by name, archived ones last."""
    memberships = MembershipRecord.objects.filter(user_id=user_id).select_related("project")
    is_archived = F("project__archived_at").asc(nulls_first=True)
    return [
        Place(row_of(ProjectRow, one.project, role=ROLES[one.role]), one.last_seen_at)
        for one in memberships.order_by(is_archived, "project__name")
    ]


def list_projects(user_id: int) -> list[ProjectRow]:
    """Return the projects that a person is in by name, archived ones last."""
    return [place.project for place in list_places(user_id)]


@transaction.atomic
def change_project(
    project: UUID, *, name: str | None = None, is_archived: bool | None = None
) -> None:
    """Rename a project, archive it, or restore it.

    Raises:
        NotFoundError: there is no such project.
        InvalidInputError: the name is empty or too long.
        ConflictError: there is another project of that name.
    """
    locked = ProjectRecord.objects.select_for_update()
    record = get_record(locked, "Project not found.", project_id=project)
    if name is not None:
        record.name = check_name(name, NAME_LENGTH, "The project's name")
    if is_archived is not None:
        record.archived_at = (record.archived_at or timezone.now()) if is_archived else None
    with refusing_duplicates(_TAKEN.format(record.name), name=record.name):
        record.save(update_fields=["name", "archived_at"])


def lock_project(project: UUID) -> None:
    """Let one caller at a time continue in a project, until the transaction ends: one import, say.

    Everything else continues: rows that refer to the project need no lock that conflicts with this.
    """
    locked = ProjectRecord.objects.select_for_update(no_key=True).filter(id=project)
    list(locked.values_list("id", flat=True))


def _names_like(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name} {number}" for number in count(2))


_TAKEN = "A project {!r} already exists; choose another name."
