"""What a command names: who works, and tapes, batches, agents and models by name.

Every function raises `NotFoundError` where there is nothing of that name.
"""

from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model

from tapes_app.agents.rows import AgentRow
from tapes_app.agents.store import agents, llm_models
from tapes_app.engine.errors import NotFoundError
from tapes_app.library.store.lenses import find_lens_named
from tapes_app.projects.rows import required
from tapes_app.projects.services.people import Person
from tapes_app.projects.store import projects
from tapes_app.tapes.store import batches
from tapes_app.tapes.store.access import find_tape_ids


def find_operator(project: str) -> Person:
    """Return the owner of the install, in the project of this name or the first one."""
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
    """Return the tape of an id: that of this store, or the one of its file."""
    found = find_tape_ids(person.project_id, text)
    if not found:
        raise NotFoundError(f"There is no tape {text!r} in project {person.project!r}.")
    if len(found) > 1:
        raise NotFoundError(
            f"{len(found)} tapes were imported with the id {text!r}; use one of "
            f"{', '.join(str(tape_id) for tape_id in found[:5])}."
        )
    return found[0]


def find_batch(person: Person, name: str) -> UUID:
    row = batches.find_batch(name, person.project_id)
    return required(row, f"There is no batch {name!r} in {person.project!r}.").id


def find_side(person: Person, name: str) -> UUID:
    """Return the batch of a name, or else the saved search."""
    row = batches.find_batch(name, person.project_id)
    if row is not None:
        return row.id
    lens = find_lens_named(name, person.project_id, person.user_id)
    missing = f"There is no batch {name!r} in {person.project!r}, and no lens of that name."
    return required(lens, missing).id


def find_agent(person: Person, name: str) -> AgentRow:
    row = agents.find_agent(name, person.project_id)
    return required(row, f"There is no agent {name!r} in this project.")


def find_model(person: Person, name: str) -> UUID:
    known = {row.name: row.id for row in llm_models.list_models(person.project_id)}
    missing = f"There is no model {name!r}; available: {sorted(known)}."
    return required(known.get(name), missing)
