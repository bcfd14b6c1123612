"""Taking in what was said of tapes, as lines of an exported `annotations.jsonl` hold it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import AwareDatetime, Field, FiniteFloat, ValidationError

from tapes_app.annotation.services.annotations import record_annotation
from tapes_app.annotation.services.checks import AnnotationValues, read_scale
from tapes_app.annotation.store.annotations import list_annotations
from tapes_app.annotation.store.queues import list_people
from tapes_app.annotation.store.rows import Anchor, AnnotationRow, Kind, Source
from tapes_app.engine.errors import NotFoundError, StudioError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.steps import first_reason
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.access import find_tape_ids

_LARGEST = 2**31 - 1


class Said(FrozenModel):
    """One annotation of a line; what is left out is as `POST …/annotations` has it."""

    position: int | None = Field(default=None, ge=0, le=_LARGEST)
    field: str = ""
    start: int | None = Field(default=None, ge=0, le=_LARGEST)
    end: int | None = Field(default=None, ge=0, le=_LARGEST)
    kind: Kind = "note"
    name: str = ""
    value: FiniteFloat | None = None
    text: str = ""
    source: Source = "person"
    source_name: str = ""
    owner: str = ""
    """Who said it, of people; nobody: who takes it in."""

    details: dict[str, Any] = Field(default_factory=dict)
    """`scale` of a score; `quote` holds how the text of a span begins."""

    created_at: AwareDatetime | None = None


class SaidOfTape(FrozenModel):
    """One line of the file."""

    tape_id: str
    """Here, or in the file that the tape came from."""

    annotations: tuple[Said, ...]


@dataclass(frozen=True)
class RefusedLine:
    number: int
    """From 1."""

    reason: str


@dataclass(frozen=True)
class AnnotationImport:
    """The result of a file."""

    imported: int
    already_there: int
    """The same was said by the same at the same place."""

    refused: tuple[RefusedLine, ...]
    """Each with what is wrong with the first annotation of the line that was not taken."""


def import_annotations(person: Person, lines: Iterable[str]) -> AnnotationImport:
    """Write what lines say beside the tapes of the project; what cannot be written is told.

    Words of somebody who is not in the project keep the name and belong to nobody here.
    """
    people = {one.name: one.id for one in list_people(person.project_id)}
    imported = already_there = 0
    refused = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            for is_new in _import_line(person, people, line):
                imported += is_new
                already_there += not is_new
        except StudioError as error:
            refused.append(RefusedLine(number, error.message))
        except ValidationError as error:
            refused.append(RefusedLine(number, first_reason(error)))
    return AnnotationImport(imported, already_there, tuple(refused))


def _import_line(person: Person, people: Mapping[str, int], line: str) -> Iterator[bool]:
    """Write the annotations of a line one by one, and tell of each whether it is new."""
    of_tape = SaidOfTape.model_validate_json(line)
    tape_id = _find_tape(person, of_tape.tape_id)
    rows = list_annotations(tape_id, person.project_id)
    known = {_key(row, row.owner or row.source_name) for row in rows}
    for said in of_tape.annotations:
        who = said.owner or said.source_name or person.name
        key = _key(said, who)
        if key not in known:
            _write(person, people, tape_id, said, who)
            known.add(key)
            yield True
        else:
            yield False


def _find_tape(person: Person, text: str) -> UUID:
    found = find_tape_ids(person.project_id, text)
    if len(found) != 1:
        raise NotFoundError(
            f"There is no tape {text!r} in {person.project!r}."
            if not found
            else (
                f"{len(found)} tapes were imported with the id {text!r}; use the tape's id in "
                "this project."
            )
        )
    return found[0]


def _write(person: Person, people: Mapping[str, int], tape_id: UUID, said: Said, who: str) -> None:
    owner = people.get(who) if said.source == "person" else None
    if said.source == "person" and who == person.name:
        owner = person.user_id
    record_annotation(
        person.project_id,
        tape_id,
        Anchor(said.position, said.field, said.start, said.end),
        AnnotationValues(said.kind, said.name, said.value, read_scale(said.details), said.text),
        source=said.source,
        source_name="" if owner is not None else who,
        owner=owner,
        details=said.details,
        quote=str(said.details.get("quote", "")),
        created_at=said.created_at,
    )


def _key(said: Said | AnnotationRow, who: str) -> tuple[Any, ...]:
    place = (said.position, said.field, said.start, said.end)
    return (*place, said.kind, said.name.strip(), said.value, said.text.strip(), said.source, who)
