"""Rubrics: what people are asked about tapes; a change makes a version more."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.rubric import Rubric
from tapes_app.engine.rubric_presets import PRESETS
from tapes_app.services.people import Person
from tapes_app.storage import rubrics as storage
from tapes_app.storage.rubrics import RubricRow


@dataclass(frozen=True)
class Preset:
    """A rubric that ships with the studio."""

    name: str
    rubric: Rubric


def list_rubrics(person: Person) -> list[RubricRow]:
    """Return the project's rubrics by name."""
    return storage.list_rubrics(person.project_id)


def list_presets() -> list[Preset]:
    return [Preset(name, rubric) for name, rubric in PRESETS.items()]


def load_rubric(person: Person, rubric_id: UUID) -> RubricRow:
    """Return one rubric in its newest version.

    Raises:
        NotFoundError: no such rubric in the project.
    """
    return storage.load_rubric(rubric_id, person.project_id)


def create_rubric(person: Person, name: str, rubric: Rubric) -> RubricRow:
    """Add a rubric to the project.

    Raises:
        ConflictError: the project has a rubric of that name.
    """
    return storage.create_rubric(person.project_id, name, rubric, owner=person.user_id)


def ensure_preset(person: Person, name: str) -> RubricRow:
    """Return the project's rubric of a preset's name; it is made when there is none.

    Raises:
        NotFoundError: no such preset.
    """
    if name not in PRESETS:
        raise NotFoundError(f"There is no preset {name!r}; known are {', '.join(PRESETS)}.")
    found = storage.find_rubric(name, person.project_id)
    return found or create_rubric(person, name, PRESETS[name])


def change_rubric(person: Person, rubric_id: UUID, name: str, rubric: Rubric) -> RubricRow:
    """Give a rubric another name or other questions; queues go on with the version they have.

    Raises:
        NotFoundError: no such rubric in the project.
        ConflictError: the project has another rubric of that name.
    """
    return storage.change_rubric(rubric_id, person.project_id, name=name, rubric=rubric)


def delete_rubric(person: Person, rubric_id: UUID) -> None:
    """Remove a rubric that no queue asks.

    Raises:
        NotFoundError: no such rubric in the project.
        ConflictError: a queue asks it, or did.
    """
    storage.delete_rubric(rubric_id, person.project_id)
