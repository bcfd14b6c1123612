"""Rubrics: what people are asked about tapes; a change makes a version more."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.engine.rubric import Rubric
from tapes_app.engine.rubric_presets import PRESETS
from tapes_app.engine.steps import first_reason
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


def find_rubric(person: Person, name: str) -> RubricRow:
    """Return the rubric of a name.

    Raises:
        NotFoundError: the project has none.
    """
    found = storage.find_rubric(name, person.project_id)
    if found is None:
        raise NotFoundError(f"There is no rubric {name!r} in {person.project!r}.")
    return found


def find_rubric_or_preset(person: Person, name: str) -> RubricRow | Preset:
    """Return the project's rubric of a name, or else the preset.

    Raises:
        NotFoundError: there is neither.
    """
    if name in PRESETS and storage.find_rubric(name, person.project_id) is None:
        return Preset(name, PRESETS[name])
    return find_rubric(person, name)


def ensure_rubric(person: Person, name: str) -> RubricRow:
    """Return the project's rubric of a name; it is made where only a preset has that name.

    Raises:
        NotFoundError: there is neither.
    """
    return ensure_preset(person, name) if name in PRESETS else find_rubric(person, name)


def read_rubric(text: str) -> Rubric:
    """Return the rubric that a file holds: alone, or as `rubric` of an object.

    Raises:
        InvalidInputError: it is none; the message says where.
    """
    try:
        given = json.loads(text)
        if isinstance(given, dict) and "rubric" in given:
            given = given["rubric"]
        return Rubric.model_validate(given)
    except json.JSONDecodeError as error:
        raise InvalidInputError(f"The rubric is no JSON: {error}.") from error
    except ValidationError as error:
        raise InvalidInputError(f"The rubric is not right: {first_reason(error)}.") from error


@transaction.atomic
def save_rubric(person: Person, name: str, rubric: Rubric) -> RubricRow:
    """Make a rubric, or give the one of that name other questions: a version more.

    The same questions again change nothing.

    Raises:
        InvalidInputError: the name is too long.
    """
    found = storage.find_rubric(name.strip(), person.project_id)
    if found is None:
        return create_rubric(person, name, rubric)
    return change_rubric(person, found.id, found.name, rubric)


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
