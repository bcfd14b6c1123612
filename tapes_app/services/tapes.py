"""Tapes as a person sees them: lists, one tape's header, its steps and views.

Every function asks the store a fixed number of questions, however long the tape is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.steps import parse_step
from tapes_app.engine.tape import Split
from tapes_app.jobs.job import Job, list_jobs
from tapes_app.services import drafts
from tapes_app.services.people import Person
from tapes_app.services.plugins import load_plugins
from tapes_app.services.step_schemas import StepSchema, schema_of_kind, schema_of_step
from tapes_app.services.views import ViewFrames, describe_views
from tapes_app.storage import tape_outline as outline_storage
from tapes_app.storage import tapes as tape_storage
from tapes_app.storage.rows import (
    FoundSteps,
    StepRow,
    TapeFamily,
    TapeHeader,
)
from tapes_app.storage.tape_outcomes import read_verdict
from tapes_app.storage.tape_outline import OutlinePage
from tapes_app.storage.tapes import TapeFilter, TapePage
from tapes_app.storage.time_limits import limited

__all__ = [
    "TapeFilter",
    "change_tape",
    "delete_tape",
    "find_in_tape",
    "list_tapes",
    "load_family",
    "load_kind_schema",
    "load_outline",
    "load_outline_tag",
    "load_step",
    "load_step_schema",
    "load_steps",
    "load_views",
    "open_tape",
    "restore_tape",
]

_LONGEST_SEARCH = 500


@dataclass(frozen=True)
class StepPage:
    """Some steps of a tape, and how many it has in all."""

    items: tuple[StepRow, ...]
    step_count: int


def list_agent_names(person: Person) -> list[str]:
    """Return the names of the agents that the project's tapes are by, in order."""
    return [name for name in tape_storage.list_agent_names(person.project_id) if name]


@limited()
def list_tapes(
    person: Person, wanted: TapeFilter, *, sort: str = "", after: str = "", limit: int = 50
) -> TapePage:
    """Return tapes in an order; without one newest first.

    Raises:
        InvalidInputError: there is no such order, or `after` is no page that such a list gave.
    """
    return tape_storage.list_tapes(person.project_id, wanted, sort=sort, after=after, limit=limit)


def open_tape(person: Person, tape_id: UUID) -> dict[str, Any]:
    """Return a tape's header with its newest run and the person's draft."""
    header: TapeHeader = tape_storage.load_header(tape_id, person.project_id)
    jobs: list[Job] = list_jobs(person.project_id, tape_id=tape_id, limit=1)
    draft = drafts.find_draft(person, tape_id)
    return {
        **{field.name: getattr(header, field.name) for field in fields(header)},
        "job": jobs[0] if jobs else None,
        "draft": draft,
        "other_drafts": drafts.list_other_drafts(person, tape_id),
    }


def change_tape(
    person: Person,
    tape_id: UUID,
    *,
    title: str | None = None,
    is_pinned: bool | None = None,
    is_archived: bool | None = None,
    is_kept_from_training: bool | None = None,
    split: Split | None = None,
    **verdict: Any,
) -> dict[str, Any]:
    """Rename, pin, archive, mark or judge a tape, or take that back; give it as `open_tape` does.

    `verdict` may name task, expected, outcome and score; a score of `None` takes it back.

    Raises:
        ArchivedError: an archived tape shall get another name.
        ConflictError: a run of it is not over, so it cannot be archived.
    """
    tape_storage.mark_tape(
        tape_id,
        person.project_id,
        title=title,
        is_pinned=is_pinned,
        is_archived=is_archived,
        is_kept_from_training=is_kept_from_training,
        split=split,
        verdict=read_verdict(verdict),
    )
    return open_tape(person, tape_id)


def load_family(person: Person, tape_id: UUID) -> TapeFamily:
    return tape_storage.load_family(tape_id, person.project_id)


def find_in_tape(person: Person, tape_id: UUID, text: str) -> FoundSteps:
    return tape_storage.find_steps(tape_id, person.project_id, text)


def load_outline(person: Person, tape_id: UUID, *, start: int, count: int) -> OutlinePage:
    return outline_storage.load_outline_page(tape_id, person.project_id, start=start, count=count)


def load_outline_tag(person: Person, tape_id: UUID) -> str:
    return outline_storage.load_outline_tag(tape_id, person.project_id)


def load_steps(person: Person, tape_id: UUID, *, start: int, count: int) -> StepPage:
    header = tape_storage.load_header(tape_id, person.project_id)
    items = tape_storage.load_steps(tape_id, person.project_id, start=start, count=count)
    return StepPage(tuple(items), header.step_count)


def load_step(person: Person, tape_id: UUID, position: int) -> StepRow:
    """Return one step.

    Raises:
        NotFoundError: the tape has no such step.
    """
    rows = tape_storage.load_steps(tape_id, person.project_id, start=position, count=1)
    if not rows:
        raise NotFoundError(f"The tape has no step {position}.", position=position)
    return rows[0]


def load_views(person: Person, tape_id: UUID, position: int) -> ViewFrames:
    """Return the view stack after a step.

    Raises:
        NotFoundError: the tape has no such step.
    """
    load_plugins()
    steps = tape_storage.load_beginning(tape_id, person.project_id, position + 1)
    if len(steps) <= position:
        raise NotFoundError(f"The tape has no step {position}.", position=position)
    return describe_views(steps)


def load_step_schema(person: Person, tape_id: UUID, position: int) -> StepSchema:
    load_plugins()
    return schema_of_step(parse_step(load_step(person, tape_id, position).body))


def load_kind_schema(person: Person, tape_id: UUID, kind: str) -> StepSchema:
    """Return the schema of a kind; of one that no class knows, after its first step here."""
    position = outline_storage.find_kind(tape_id, person.project_id, kind)
    try:
        return schema_of_kind(kind)
    except NotFoundError:
        if position is None:
            raise
    return load_step_schema(person, tape_id, position)


def delete_tape(person: Person, tape_id: UUID) -> None:
    """Take a tape out of the lists.

    Raises:
        ConflictError: something depends on it; the message says what.
    """
    tape_storage.delete_tape(tape_id, person.project_id)


def restore_tape(person: Person, tape_id: UUID) -> None:
    tape_storage.restore_tape(tape_id, person.project_id)
