"""The people of a project: who they are, their roles, and how they leave."""

from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.rows import Role
from tapes_app.projects.services.leaving import tell_of_leaving
from tapes_app.projects.services.people import Person, refuse_tokens
from tapes_app.projects.store import members
from tapes_app.projects.store.members import MemberRow


def list_members(person: Person) -> list[MemberRow]:
    """Return the people of the project by name."""
    return members.list_members(person.project_id, person.user_id)


def change_role(person: Person, user_id: int, role: Role) -> None:
    """Give somebody of the project another role.

    Raises:
        NotAllowedError: the person is no owner, or a token asks.
        NotFoundError: there is no such person in the project.
        ConflictError: the project would be left without an owner.
    """
    check_owner(person, "change roles")
    members.change_role(person.project_id, user_id, role)


def remove_member(person: Person, user_id: int) -> None:
    """Take somebody out of the project: their tokens end, and what they watch is closed.

    Raises:
        NotAllowedError: the person is no owner, or a token asks.
        NotFoundError: there is no such person in the project.
        ConflictError: the project would be left without an owner.
    """
    check_owner(person, "remove people")
    members.remove_member(person.project_id, user_id)
    tell_of_leaving()


def leave(person: Person) -> None:
    """Leave the project.

    Raises:
        NotAllowedError: a token asks.
        ConflictError: the project would be left without an owner.
    """
    refuse_tokens(person, "leave a project")
    members.remove_member(person.project_id, person.user_id)
    tell_of_leaving()


def check_owner(person: Person, what: str) -> None:
    """Refuse who may not administer the project.

    Raises:
        NotAllowedError: the person is no owner of it, or a token asks.
    """
    refuse_tokens(person, what)
    if person.role != "owner":
        raise NotAllowedError(f"Only owners of project {person.project!r} {what}; ask one of them.")
