"""A tape as the editor opens it: its header, its newest run, and who edits it."""

from dataclasses import fields
from typing import Any
from uuid import UUID

from tapes_app.editing.services import drafts
from tapes_app.editing.services.step_schemas import StepSchema, schema_of_kind, schema_of_step
from tapes_app.editing.store import drafts as drafts_store
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.steps import parse_step
from tapes_app.jobs.store.job import Job, list_jobs
from tapes_app.projects.services.people import Person
from tapes_app.tapes.rows import TapeHeader
from tapes_app.tapes.services.tapes import load_step
from tapes_app.tapes.store import headers, marks, outline
from tapes_app.tapes.store.kind_families import tell_steps, told_in
from tapes_app.tapes.store.outcomes import read_verdict


def open_tape(person: Person, tape_id: UUID) -> dict[str, Any]:
    """Return a tape's header with its newest run and the person's draft."""
    header: TapeHeader = headers.load_header(tape_id, person.project_id)
    jobs: list[Job] = list_jobs(person.project_id, tape_id=tape_id, limit=1)
    draft = drafts.find_draft(person, tape_id)
    return {
        **{field.name: getattr(header, field.name) for field in fields(header)},
        "job": jobs[0] if jobs else None,
        "draft": draft,
        "other_drafts": drafts_store.list_other_drafts(
            tape_id, person.project_id, person=person.user_id
        ),
    }


_VERDICT = ("task", "expected", "outcome", "score")


def change_tape(person: Person, tape_id: UUID, **changes: Any) -> dict[str, Any]:
    """Rename, pin, archive, mark or judge a tape, or take that back; give it as `open_tape` does.

    What may be changed is named as on the tape; a score of `None` takes it back.

    Raises:
        ArchivedError: an archived tape should get another name.
        ConflictError: a run of it is not over, so it cannot be archived.
    """
    said = {name: changes.pop(name) for name in _VERDICT if name in changes}
    marks.mark_tape(tape_id, person.project_id, verdict=read_verdict(said), **changes)
    return open_tape(person, tape_id)


def load_step_schema(person: Person, tape_id: UUID, position: int) -> StepSchema:
    step = parse_step(load_step(person, tape_id, position).body)
    return schema_of_step(*tell_steps([step], told_in(person.project_id)))


def load_kind_schema(person: Person, tape_id: UUID, kind: str) -> StepSchema:
    """Return the schema of a kind; of one that no class knows, after its first step here."""
    position = outline.find_kind(tape_id, person.project_id, kind)
    try:
        return schema_of_kind(kind)
    except NotFoundError:
        if position is None:
            raise
    return load_step_schema(person, tape_id, position)
