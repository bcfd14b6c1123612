"""The annotations of tapes as files contain them: listed for an export, imported from its lines."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
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
from tapes_app.engine.tape.steps import first_reason
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.access import find_tape_ids

_LARGEST = 2**31 - 1


def list_annotation_lines(project: UUID, tape_id: UUID) -> list[dict[str, Any]]:
    """Return the annotations of a tape without the ids that are only valid in this studio."""
    return [_describe(one) for one in list_annotations(tape_id, project)]


def _describe(row: AnnotationRow) -> dict[str, Any]:
    values = asdict(row)
    for name in ("id", "tape_id", "owner_id", "updated_at"):
        del values[name]
    return {**values, "created_at": row.created_at.isoformat()}


class ImportedAnnotation(FrozenModel):
    """One annotation in a line; omitted fields default as in `POST …/annotations`."""

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
    """Who wrote it, for annotations by people; empty means the importing person."""

    details: dict[str, Any] = Field(default_factory=dict)
    """`scale` of a score; `quote` is the beginning of a span's text."""

    created_at: AwareDatetime | None = None


class TapeAnnotations(FrozenModel):
    """One line of the file."""

    tape_id: str
    """The tape's id in this project, or in the file that the tape was imported from."""

    annotations: tuple[ImportedAnnotation, ...]


@dataclass(frozen=True)
class RefusedLine:
    number: int
    """Line number, starting at 1."""

    reason: str


@dataclass(frozen=True)
class AnnotationImport:
    """The result of importing a file."""

    imported: int
    already_there: int
    """Annotations that the same author had already made with the same content at the same place."""

    refused: tuple[RefusedLine, ...]
    """Each with the reason for its first annotation that was not imported."""


def import_annotations(person: Person, lines: Iterable[str]) -> AnnotationImport:
    """Add the annotations in `lines` to the project's tapes; report the lines that are refused.

    Annotations by people who are not in the project keep the name, but have no owner here.
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
    """Write the annotations of a line one by one; yield for each whether it is new."""
    of_tape = TapeAnnotations.model_validate_json(line)
    tape_id = _find_tape(person, of_tape.tape_id)
    rows = list_annotations(tape_id, person.project_id)
    known = {_key(row, row.owner or row.source_name) for row in rows}
    for annotation in of_tape.annotations:
        who = annotation.owner or annotation.source_name or person.name
        key = _key(annotation, who)
        if key not in known:
            _write(person, people, tape_id, annotation, who)
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


def _write(
    person: Person,
    people: Mapping[str, int],
    tape_id: UUID,
    annotation: ImportedAnnotation,
    who: str,
) -> None:
    owner = people.get(who) if annotation.source == "person" else None
    if annotation.source == "person" and who == person.name:
        owner = person.user_id
    record_annotation(
        person.project_id,
        tape_id,
        Anchor(annotation.position, annotation.field, annotation.start, annotation.end),
        AnnotationValues(
            annotation.kind,
            annotation.name,
            annotation.value,
            read_scale(annotation.details),
            annotation.text,
        ),
        source=annotation.source,
        source_name="" if owner is not None else who,
        owner=owner,
        details=annotation.details,
        quote=str(annotation.details.get("quote", "")),
        created_at=annotation.created_at,
    )


def _key(annotation: ImportedAnnotation | AnnotationRow, who: str) -> tuple[Any, ...]:
    place = (annotation.position, annotation.field, annotation.start, annotation.end)
    return (
        *place,
        annotation.kind,
        annotation.name.strip(),
        annotation.value,
        annotation.text.strip(),
        annotation.source,
        who,
    )
