"""The people of a project: who they are, their roles, and how they leave."""

from collections.abc import Callable

from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.domain.rows import Role
from tapes_app.projects.services.people import Person, refuse_tokens
from tapes_app.projects.store import members
from tapes_app.projects.store.members import MemberRow

_listeners: list[Callable[[], None]] = []


def on_leaving(listener: Callable[[], None]) -> None:
    """Have `listener` called in this process every time somebody has left a project.

    Streams listen, and then end immediately.
    """
    _listeners.append(listener)


def notify_leaving() -> None:
    """Notify the listeners; call this after the commit."""
    for listener in _listeners:
        listener()


def list_members(person: Person) -> list[MemberRow]:
    """Return the people of the project by name."""
    return members.list_members(person.project_id, person.user_id)


def change_role(person: Person, user_id: int, role: Role) -> None:
    """Give somebody in the project another role.

    Raises:
        NotAllowedError: the person is not an owner, or the request came with a token.
        NotFoundError: there is no such person in the project.
        ConflictError: the project would be left without an owner.
    """
    check_owner(person, "change roles")
    members.change_role(person.project_id, user_id, role)


def remove_member(person: Person, user_id: int) -> None:
    """Remove somebody from the project: revoke their tokens and close their streams.

    Raises:
        NotAllowedError: the person is not an owner, or the request came with a token.
        NotFoundError: there is no such person in the project.
        ConflictError: the project would be left without an owner.
    """
    check_owner(person, "remove people")
    members.remove_member(person.project_id, user_id)
    notify_leaving()


def leave(person: Person) -> None:
    """Leave the project.

    Raises:
        NotAllowedError: the request came with a token.
        ConflictError: the project would be left without an owner.
    """
    refuse_tokens(person, "leave a project")
    members.remove_member(person.project_id, person.user_id)
    notify_leaving()


def check_owner(person: Person, what: str) -> None:
    """Refuse people who may not administer the project.

    Raises:
        NotAllowedError: the person is not an owner of it, or the request came with a token.
    """
    refuse_tokens(person, what)
    if person.role != "owner":
        raise NotAllowedError(f"Only owners of project {person.project!r} {what}; ask one of them.")
