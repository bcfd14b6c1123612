"""Persons: who asks, in which project, with which role."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.utils import timezone

from tapes_app.engine.errors import NotAllowedError, NotFoundError
from tapes_app.projects.rows import ProjectRow, Role
from tapes_app.projects.store import members, projects
from tapes_app.projects.store.projects import Place

_SEEN_IS_TOLD_AFTER = timedelta(minutes=1)


class NotMemberError(NotFoundError):
    """The project that was asked for does not exist for the person: they may have been removed."""

    code = "not_a_member"


class NoProjectError(NotAllowedError):
    """The person is in no project at all."""

    code = "no_project"


@dataclass(frozen=True)
class Person:
    """A signed-in person in one project; every service is asked by one."""

    user_id: int
    name: str
    project_id: UUID
    project: str
    role: Role
    token: str = ""
    """Name of the access token by which a script asks; empty for whoever is signed in."""

    is_archived: bool = False
    """Whether the project is, and so is only read."""

    last_seen_at: datetime | None = None

    @property
    def can_write(self) -> bool:
        return self.role != "viewer" and not self.is_archived

    def speaking_by(self, token: str, *, is_reader: bool) -> "Person":
        """Return the person as a script may act by a token: a reader may do what a viewer may."""
        return replace(self, token=token, role="viewer" if is_reader else self.role)


def identify(user: Any, wanted_project: str = "") -> Person:
    """Return the person behind a signed-in user, in the project asked for or the first one.

    Raises:
        NotMemberError: no such project, or the person is not in it.
        NoProjectError: the person is in no project at all.
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
    )


def mark_seen(person: Person) -> None:
    """Remember that a person is here, once a minute; a studio for one person has no need to."""
    if not settings.STUDIO_ACCOUNTS:
        return
    last = person.last_seen_at
    if last is not None and last > timezone.now() - _SEEN_IS_TOLD_AFTER:
        return
    with suppress(OperationalError):  # who reads is not kept from it by a database that is busy
        members.mark_seen(person.project_id, person.user_id)


def refuse_writing(person: Person) -> None:
    """Refuse who may only read.

    Raises:
        NotAllowedError: the project is archived, or the person or the token is for reading alone.
    """
    if person.can_write:
        return
    if person.is_archived:
        raise NotAllowedError(
            f"Project {person.project!r} is archived; an owner can bring it back under Projects."
        )
    if person.token:
        raise NotAllowedError(f"The token {person.token!r} can only read; make one that can write.")
    raise NotAllowedError(
        f"You can only view project {person.project!r}; ask an owner for edit access."
    )


def refuse_tokens(person: Person, what: str) -> None:
    """Refuse a token what outlives it.

    Raises:
        NotAllowedError: a token asks.
    """
    if person.token:
        raise NotAllowedError(f"A token cannot {what}; sign in for that.")


def identify_owner(owner_id: int | None, project_id: UUID) -> Person:
    """Return whoever started a job, to go on in that person's name.

    Raises:
        NotFoundError: the person is not in the project any more.
    """
    users = get_user_model().objects
    user = None if owner_id is None else users.filter(pk=owner_id).first()
    if user is None:
        raise NotFoundError("Whoever started this is gone; start it anew.")
    return identify(user, str(project_id))


def list_projects(person: Person) -> tuple[ProjectRow, ...]:
    """Return the projects that the person is in, those that are archived last."""
    return tuple(projects.list_projects(person.user_id))


def _choose(places: Sequence[Place], wanted: str) -> Place:
    if not wanted:
        return places[0]
    for place in places:
        if str(place.project.id) == wanted.strip().lower():
            return place
    raise NotMemberError("Project not found, or you are not a member of it.")
