"""Finding what a command names: the operator, and tapes, batches, agents and models by name.

Every function raises `NotFoundError` if nothing has that name.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model

from tapes_app.agents.domain.rows import AgentRow
from tapes_app.agents.store import agents, llm_models
from tapes_app.annotation.store import annotations
from tapes_app.bulk.store import datasets, undo_log
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.jobs.store import job as jobs
from tapes_app.library.store.lenses import find_lens_named
from tapes_app.projects.domain.rows import required
from tapes_app.projects.services.people import Person
from tapes_app.projects.store import projects
from tapes_app.projects.store.records import SHORTEST_ID
from tapes_app.runs.domain.chat_completions import PREFIX, PUBLISHED
from tapes_app.tapes.store import batches
from tapes_app.tapes.store.access import find_tape_ids

Kind = Literal["annotation", "change", "job", "dataset"]
_LISTS: dict[Kind, Callable[[UUID, str], list[UUID]]] = {
    "annotation": annotations.list_ids_like,
    "change": undo_log.list_ids_like,
    "job": jobs.list_ids_like,
    "dataset": datasets.list_ids_like,
}
_SHOWN = 5


def find_operator(project: str) -> Person:
    """Return the owner of the installation, in the project of this name or the first one."""
    users = get_user_model().objects
    owner, is_new = users.get_or_create(username=settings.STUDIO_OWNER_NAME)
    if is_new:
        owner.set_unusable_password()
        owner.is_staff = owner.is_superuser = True
        owner.save()
    rows = projects.list_projects(owner.pk)
    if not rows and not project:
        rows = [projects.ensure_default_project(owner.pk)]
    row = next((row for row in rows if project in ("", row.name)), None)
    known = ", ".join(repr(row.name) for row in rows) or "none"
    row = required(row, f"There is no project {project!r}; available: {known}.")
    return Person(owner.pk, owner.get_username(), row.id, row.name, row.role)


def find_tape(person: Person, text: str) -> UUID:
    """Return the tape with an id: its id here or the beginning of it, or the id in its file."""
    return _choose("tape", text, find_tape_ids(person.project_id, text), person)


def find_id(person: Person, text: str, what: Kind) -> UUID:
    """Return an id that a command was given in full, or by its beginning.

    Raises:
        InvalidInputError: it is not an id.
    """
    with suppress(ValueError):
        return UUID(text)
    if len(text) < SHORTEST_ID or set(text.lower()) - set("0123456789abcdef-"):
        raise InvalidInputError(
            f"{text!r} is not an id; give a complete id, or at least its first {SHORTEST_ID} "
            "digits."
        )
    return _choose(what, text, _LISTS[what](person.project_id, text), person)


def _choose(what: str, text: str, found: Sequence[UUID], person: Person) -> UUID:
    if not found:
        raise NotFoundError(f"There is no {what} {text!r} in project {person.project!r}.")
    if len(found) > 1:
        shown = ", ".join(str(one) for one in found[:_SHOWN])
        more = " and others" if len(found) > _SHOWN else ""
        raise NotFoundError(f"{text!r} matches several {what}s: {shown}{more}.")
    return found[0]


def find_batch(person: Person, name: str) -> UUID:
    row = batches.find_batch(name, person.project_id)
    return required(row, f"There is no batch {name!r} in {person.project!r}.").id


def find_side(person: Person, name: str) -> UUID:
    """Return the batch with the given name, or else the saved search."""
    row = batches.find_batch(name, person.project_id)
    if row is not None:
        return row.id
    lens = find_lens_named(name, person.project_id, person.user_id)
    missing = f"There is no batch {name!r} in {person.project!r}, and no lens of that name."
    return required(lens, missing).id


def find_agent(person: Person, name: str) -> AgentRow:
    row = agents.find_agent(name, person.project_id)
    return required(row, f"There is no agent {name!r} in this project.")


def find_version(person: Person, name: str, number: int | None) -> UUID:
    """Return a version of an agent, the newest one without a number."""
    agent = find_agent(person, name)
    if number is None:
        return agent.latest_version_id
    versions = {row.number: row.id for row in agents.list_versions(agent.id, person.project_id)}
    missing = f"Agent {name!r} has no version {number}; available: {sorted(versions)}."
    return required(versions.get(number), missing)


def read_version(person: Person, written: str) -> UUID:
    """Return the version written as NAME@3 or NAME@published; without `@`, the newest one.

    What names it over HTTP works too: agent:NAME@3.
    """
    name, at, number = written.removeprefix(PREFIX).rpartition("@")
    if at and number == PUBLISHED:
        agent = find_agent(person, name)
        if agent.published_version is None:
            raise NotFoundError(
                f"No version of agent {name!r} is published; publish one, or name its number: "
                f"{name}@{agent.latest_version}."
            )
        return agent.default_version_id
    if at and number.isdecimal():
        return find_version(person, name, int(number))
    return find_version(person, written.removeprefix(PREFIX), None)


def find_model(person: Person, name: str) -> UUID:
    known = {row.name: row.id for row in llm_models.list_models(person.project_id)}
    missing = f"There is no model {name!r}; available: {sorted(known)}."
    return required(known.get(name), missing)
