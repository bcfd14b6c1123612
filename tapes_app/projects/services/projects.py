"""Projects: anybody can make one; their owners rename and archive them."""

from dataclasses import replace
from uuid import UUID

from tapes_app.projects.domain.rows import ProjectRow, required
from tapes_app.projects.services.members import check_owner
from tapes_app.projects.services.people import Person, list_projects, refuse_tokens
from tapes_app.projects.store import projects


def make_project(person: Person, name: str) -> ProjectRow:
    """Create a project that the person owns.

    Raises:
        NotAllowedError: the request came with a token.
        InvalidInputError: the name is empty or too long.
        ConflictError: there is already a project of that name.
    """
    refuse_tokens(person, "make projects")
    return projects.create_project(name, owner=person.user_id)


def change_project(
    person: Person, project_id: UUID, *, name: str | None, is_archived: bool | None
) -> ProjectRow:
    """Rename one of the person's projects, archive it, or restore it.

    Raises:
        NotFoundError: the person is in no such project.
        NotAllowedError: the person is not an owner of it, or the request came with a token.
        InvalidInputError: the name is empty or too long.
        ConflictError: there is another project of that name.
    """
    row = _find(person, project_id)
    check_owner(replace(person, project=row.name, role=row.role), "rename and archive it")
    projects.change_project(project_id, name=name, is_archived=is_archived)
    return _find(person, project_id)


def _find(person: Person, project_id: UUID) -> ProjectRow:
    rows = {row.id: row for row in list_projects(person)}
    return required(rows.get(project_id), _MISSING)


_MISSING = "Project not found, or you are not a member of it."
