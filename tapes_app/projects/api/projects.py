"""`/projects`: the projects that the person is in."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, created, make_router
from tapes_app.projects.domain.rows import Items, ProjectRow
from tapes_app.projects.services import people, projects, sample
from tapes_app.projects.store.projects import NAME_LENGTH

router = make_router("projects", is_personal=True)

Name = Annotated[Line, Field(min_length=1, max_length=NAME_LENGTH)]


class ProjectIn(In):
    name: Name


class ProjectPatch(In):
    name: Name | None = None
    is_archived: bool | None = None
    """Whether it is read-only and in no menu."""


@router.get("", response=Items[ProjectRow])
def list_projects(request: PersonRequest) -> Items[ProjectRow]:
    """List your projects, archived ones last."""
    return Items(people.list_projects(request.auth))


@router.post("", response=created(ProjectRow))
def make_project(request: PersonRequest, body: ProjectIn) -> Status[ProjectRow]:
    """Create a project that you own."""
    return Status(201, projects.make_project(request.auth, body.name))


@router.post("/sample", response=ProjectRow)
def open_sample(request: PersonRequest) -> ProjectRow:
    """Open the sample project, which everybody in the studio shares: copied if it is new."""
    return sample.open_sample(request.auth)


@router.patch("/{project_id}", response=ProjectRow)
def change_project(request: PersonRequest, project_id: UUID, body: ProjectPatch) -> ProjectRow:
    """Rename a project, archive it, or restore it. For its owners."""
    return projects.change_project(
        request.auth, project_id, name=body.name, is_archived=body.is_archived
    )
