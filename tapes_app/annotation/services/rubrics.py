"""Rubrics: what people are asked about tapes; changing one creates a new version."""

import json
from dataclasses import dataclass

from django.db import transaction
from pydantic import ValidationError

from tapes_app.annotation.domain.rubric import Rubric
from tapes_app.annotation.domain.rubric_presets import FIRST_OFFER, PRESETS
from tapes_app.annotation.store import rubrics
from tapes_app.annotation.store.rubrics import RubricRow
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.projects.domain.rows import required
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class Preset:
    """A rubric that ships with the studio."""

    name: str
    rubric: Rubric


def list_presets() -> list[Preset]:
    """List the presets, the default one first."""
    names = sorted(PRESETS, key=lambda name: name != FIRST_OFFER)
    return [Preset(name, PRESETS[name]) for name in names]


def ensure_preset(person: Person, name: str) -> RubricRow:
    """Return the project's rubric with a preset's name, creating it if there is none.

    Raises:
        NotFoundError: no such preset.
    """
    if name not in PRESETS:
        raise NotFoundError(f"There is no preset {name!r}; available: {', '.join(PRESETS)}.")
    found = rubrics.find_rubric(name, person.project_id)
    return found or rubrics.create_rubric(
        person.project_id, name, PRESETS[name], owner=person.user_id
    )


def find_rubric(person: Person, name: str) -> RubricRow:
    """Return the rubric with the given name.

    Raises:
        NotFoundError: the project has no such rubric.
    """
    found = rubrics.find_rubric(name, person.project_id)
    return required(found, f"There is no rubric {name!r} in {person.project!r}.")


def find_rubric_or_preset(person: Person, name: str) -> RubricRow | Preset:
    """Return the project's rubric with the given name, or else the preset.

    Raises:
        NotFoundError: there is neither.
    """
    if name in PRESETS and rubrics.find_rubric(name, person.project_id) is None:
        return Preset(name, PRESETS[name])
    return find_rubric(person, name)


def ensure_rubric(person: Person, name: str) -> RubricRow:
    """Return the project's rubric with the given name, creating it if only a preset has that name.

    Raises:
        NotFoundError: there is neither.
    """
    return ensure_preset(person, name) if name in PRESETS else find_rubric(person, name)


def read_rubric(text: str) -> Rubric:
    """Return the rubric that a file contains: at the top level, or as `rubric` of an object.

    Raises:
        InvalidInputError: the file is not a valid rubric; the message shows where.
    """
    try:
        given = json.loads(text)
        if isinstance(given, dict) and "rubric" in given:
            given = given["rubric"]
        return Rubric.model_validate(given)
    except json.JSONDecodeError as error:
        raise InvalidInputError(f"The rubric is not valid JSON: {error}.") from error
    except ValidationError as error:
        raise InvalidInputError(f"The rubric is invalid: {first_reason(error)}.") from error


@transaction.atomic
def save_rubric(person: Person, name: str, rubric: Rubric) -> RubricRow:
    """Create a rubric, or replace the questions of the existing one, which creates a new version.

    Saving the same questions again changes nothing.

    Raises:
        InvalidInputError: the name is too long.
    """
    found = rubrics.find_rubric(name.strip(), person.project_id)
    if found is None:
        return rubrics.create_rubric(person.project_id, name, rubric, owner=person.user_id)
    return rubrics.change_rubric(found.id, person.project_id, name=found.name, rubric=rubric)
