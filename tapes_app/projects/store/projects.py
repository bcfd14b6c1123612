"""Projects and who may do what in them."""

from typing import get_args
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.models import MembershipRecord, ProjectRecord
from tapes_app.projects.columns import check_text
from tapes_app.projects.rows import ProjectRow, Role, row_of
from tapes_app.projects.store.records import refusing_doubles

DEFAULT_PROJECT = "Studio"
NAME_LENGTH = 200
_ROLES: dict[str, Role] = {role: role for role in get_args(Role)}


def ensure_default_project(user_id: int | None = None) -> ProjectRow:
    """Return the project that every studio starts with; a person given becomes its owner."""
    project, _ = ProjectRecord.objects.get_or_create(name=DEFAULT_PROJECT)
    role: Role = "owner"
    if user_id is not None:
        member, _ = MembershipRecord.objects.get_or_create(
            project=project, user_id=user_id, defaults={"role": "owner"}
        )
        role = _ROLES[member.role]
    return row_of(ProjectRow, project, role=role)


def create_project(name: str, *, owner: int) -> ProjectRow:
    """Make a project with its first owner.

    Raises:
        ConflictError: there is a project of that name.
    """
    check_text(name, NAME_LENGTH, "The project's name")
    with refusing_doubles(f"A project {name!r} already exists.", name=name):
        project = ProjectRecord.objects.create(name=name)
        MembershipRecord.objects.create(project=project, user_id=owner, role="owner")
    return row_of(ProjectRow, project, role="owner")


def list_projects(user_id: int) -> list[ProjectRow]:
    """Return the projects that a person is in, by name, with the person's role."""
    memberships = MembershipRecord.objects.filter(user_id=user_id).select_related("project")
    return [
        row_of(ProjectRow, one.project, role=_ROLES[one.role])
        for one in memberships.order_by("project__name")
    ]


def load_role(project: UUID, user_id: int) -> Role:
    """Return a person's role in a project.

    Raises:
        NotFoundError: no such project, or the person is not in it.
    """
    member = MembershipRecord.objects.filter(project_id=project, user_id=user_id).first()
    if member is None:
        raise NotFoundError("Project not found, or you are not a member of it.")
    return _ROLES[member.role]


@transaction.atomic
def set_role(project: UUID, user_id: int, role: Role) -> None:
    """Give a person a role in a project.

    Raises:
        NotFoundError: no such project.
        InvalidInputError: no such role.
        ConflictError: the project would be left without an owner.
    """
    if role not in _ROLES:
        raise InvalidInputError(f"There is no role {role!r}; available: {', '.join(_ROLES)}.")
    if not ProjectRecord.objects.select_for_update().filter(id=project).exists():
        raise NotFoundError("Project not found.", project_id=str(project))
    if role != "owner":
        _check_other_owner(project, user_id)
    MembershipRecord.objects.update_or_create(
        project_id=project, user_id=user_id, defaults={"role": role}
    )


@transaction.atomic
def remove_member(project: UUID, user_id: int) -> None:
    """Take a person out of a project.

    Raises:
        ConflictError: the project would be left without an owner.
    """
    _check_other_owner(project, user_id)
    MembershipRecord.objects.filter(project_id=project, user_id=user_id).delete()


def _check_other_owner(project: UUID, user_id: int) -> None:
    owners = MembershipRecord.objects.filter(project_id=project, role="owner")
    is_owner = owners.filter(user_id=user_id).exists()
    if is_owner and not owners.exclude(user_id=user_id).exists():
        raise ConflictError("A project needs an owner; make somebody else an owner first.")


def lock_project(project: UUID) -> None:
    """Let one caller at a time go on in a project, until the transaction ends: one import, say.

    Everything else continues: rows that refer to the project need no lock that this one refuses.
    """
    locked = ProjectRecord.objects.select_for_update(no_key=True).filter(id=project)
    list(locked.values_list("id", flat=True))
