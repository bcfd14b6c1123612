"""Persons: who makes a request, in which project, with which role."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.utils import timezone

from tapes_app.engine.errors import NotAllowedError, NotFoundError
from tapes_app.projects.domain.rows import ProjectRow, Role
from tapes_app.projects.store import members, projects
from tapes_app.projects.store.projects import Place

_SEEN_UPDATE_INTERVAL = timedelta(minutes=1)


class NotMemberError(NotFoundError):
    """The requested project does not exist for the person: they may have been removed."""

    code = "not_a_member"


class NoProjectError(NotAllowedError):
    """The person is not in any project."""

    code = "no_project"


@dataclass(frozen=True)
class Person:
    """A signed-in person in one project; every service call is made by one."""

    user_id: int
    name: str
    project_id: UUID
    project: str
    role: Role
    token: str = ""
    """Name of the access token that a script uses; empty for a signed-in person."""

    is_archived: bool = False
    """Whether the project is archived, and therefore read-only."""

    last_seen_at: datetime | None = None
    is_operator: bool = False
    """Whether the person runs this studio: whoever may use the admin pages, or is alone here."""

    @property
    def can_write(self) -> bool:
        return self.role != "viewer" and not self.is_archived


def identify(user: Any, wanted_project: str = "") -> Person:
    """Return the person behind a signed-in user, in the requested project or the last one used.

    Raises:
        NotMemberError: there is no such project, or the person is not in it.
        NoProjectError: the person is not in any project.
    """
    places = projects.list_places(user.pk)
    if not places and (user.is_superuser or not settings.STUDIO_ACCOUNTS):
        places = [Place(projects.ensure_default_project(user.pk), None)]
    if not places:
        raise NoProjectError(
            f"{user.get_username()!r} is not a member of any project yet; ask an owner to add "
            "you to one."
        )
    place = _choose(places, wanted_project)
    row = place.project
    return Person(
        user.pk,
        user.get_username(),
        row.id,
        row.name,
        row.role,
        is_archived=row.archived_at is not None,
        last_seen_at=place.last_seen_at,
        is_operator=user.is_staff or not settings.STUDIO_ACCOUNTS,
    )


def mark_seen(person: Person) -> None:
    """Record that a person is here, once a minute; not needed in a studio for one person."""
    if not settings.STUDIO_ACCOUNTS:
        return
    last = person.last_seen_at
    if last is not None and last > timezone.now() - _SEEN_UPDATE_INTERVAL:
        return
    with suppress(OperationalError):  # a busy database must not keep people from reading
        members.mark_seen(person.project_id, person.user_id)


def refuse_writing(person: Person) -> None:
    """Refuse people who may only read.

    Raises:
        NotAllowedError: the project is archived, or the person or the token is read-only.
    """
    if person.can_write:
        return
    if person.is_archived:
        raise NotAllowedError(
            f"Project {person.project!r} is archived; an owner can restore it under Projects."
        )
    if person.token:
        raise NotAllowedError(f"The token {person.token!r} can only read; make one that can write.")
    raise NotAllowedError(
        f"You can only view project {person.project!r}; ask an owner for edit access."
    )


def refuse_tokens(person: Person, what: str) -> None:
    """Refuse tokens for actions whose effects outlive them.

    Raises:
        NotAllowedError: the request came with a token.
    """
    if person.token:
        raise NotAllowedError(f"A token cannot {what}; sign in for that.")


def identify_owner(owner_id: int | None, project_id: UUID) -> Person:
    """Return the person who started a job, to continue in that person's name.

    Raises:
        NotFoundError: the person is no longer in the project.
    """
    users = get_user_model().objects
    user = None if owner_id is None else users.filter(pk=owner_id).first()
    if user is None:
        raise NotFoundError(
            "The person who started this is no longer in the project; start it again."
        )
    return identify(user, str(project_id))


def list_projects(person: Person) -> tuple[ProjectRow, ...]:
    """Return the projects that the person is in, archived ones last."""
    return tuple(projects.list_projects(person.user_id))


def _choose(places: Sequence[Place], wanted: str) -> Place:
    if not wanted:
        return max(places, key=_last_use)  # the first of them by name, if none was used
    for place in places:
        if str(place.project.id) == wanted.strip().lower():
            return place
    raise NotMemberError("Project not found, or you are not a member of it.")


def _last_use(place: Place) -> tuple[bool, float]:
    """Return what makes a project the default; archived ones come last."""
    seen = place.last_seen_at
    return place.project.archived_at is None, seen.timestamp() if seen else 0.0
