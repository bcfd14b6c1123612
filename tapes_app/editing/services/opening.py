"""A tape as the editor opens it: its header, its newest run, who edits it, and what forms need."""

from dataclasses import fields
from typing import Any
from uuid import UUID

from tapes_app.agents.services.agents import ToolRow, describe_tool, list_tools
from tapes_app.agents.store import agents
from tapes_app.editing.services import drafts
from tapes_app.editing.services.own_kinds import own_classes_of
from tapes_app.editing.services.step_schemas import (
    StepSchema,
    schema_of_class,
    schema_of_kind,
    schema_of_step,
)
from tapes_app.editing.store import drafts as drafts_store
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.tape.steps import UnknownStep, parse_step
from tapes_app.jobs.services.listeners import show_job
from tapes_app.jobs.store.job import Job, list_jobs
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import TapeHeader
from tapes_app.tapes.services.tapes import load_step
from tapes_app.tapes.store import headers, marks, offered_tools, outline
from tapes_app.tapes.store.kind_families import assign_step_families, assigned_families_in
from tapes_app.tapes.store.outcomes import read_verdict


def open_tape(person: Person, tape_id: UUID) -> dict[str, Any]:
    """Return a tape's header with its newest run and the person's draft."""
    header: TapeHeader = headers.load_header(tape_id, person.project_id)
    jobs: list[Job] = list_jobs(person.project_id, tape_id=tape_id, limit=1)
    draft = drafts.find_draft(person, tape_id)
    return {
        **{field.name: getattr(header, field.name) for field in fields(header)},
        "job": show_job(jobs[0]) if jobs else None,
        "draft": draft,
        "other_drafts": drafts_store.list_other_drafts(
            tape_id, person.project_id, person=person.user_id
        ),
    }


_VERDICT = ("task", "expected", "outcome", "score")


def change_tape(person: Person, tape_id: UUID, **changes: Any) -> dict[str, Any]:
    """Rename, pin, archive, mark or judge a tape, or undo that; return it as `open_tape` does.

    Changes are named like the fields of the tape; a score of `None` removes it.

    Raises:
        ArchivedError: the tape is archived, so it cannot be renamed.
        ConflictError: it has an unfinished run, so it cannot be archived.
    """
    verdict_changes = {name: changes.pop(name) for name in _VERDICT if name in changes}
    marks.mark_tape(tape_id, person.project_id, verdict=read_verdict(verdict_changes), **changes)
    return open_tape(person, tape_id)


def load_step_schema(person: Person, tape_id: UUID, position: int) -> StepSchema:
    """Return the schema of a step, as its agent defines the kind if it does."""
    body = load_step(person, tape_id, position).body
    step = parse_step(body)
    if isinstance(step, UnknownStep) and step.declared_family is not None:
        own = own_classes_of(person, tape_id)(step.kind)
        step = parse_step(body, known=(own,)) if own is not None else step
    return schema_of_step(*assign_step_families([step], assigned_families_in(person.project_id)))


def load_kind_schema(person: Person, tape_id: UUID, kind: str) -> StepSchema:
    """Return the schema of a kind, as an agent of the tape defines it if one does.

    If no class knows the kind, the schema is inferred from its first step here.
    """
    own = own_classes_of(person, tape_id)(kind)
    if own is not None:
        return schema_of_class(own)
    position = outline.find_kind(tape_id, person.project_id, kind)
    try:
        return schema_of_kind(kind)
    except NotFoundError:
        if position is None:
            raise
    return load_step_schema(person, tape_id, position)


def list_tape_tools(person: Person, tape_id: UUID) -> list[ToolRow]:
    """Return the tools of its models, its agent and its family's calls, each name once.

    Raises:
        NotFoundError: no such tape in the project.
    """
    header = headers.load_header(tape_id, person.project_id)
    offered = offered_tools.list_offered_tools(tape_id, person.project_id)
    rows = [describe_tool(tool) for tool in offered]
    if header.agent_version_id is not None:
        rows.extend(_list_agent_tools(person, header.agent_version_id))
    called = offered_tools.list_called_tools(tape_id, person.project_id)
    rows.extend(ToolRow(name=name, description="", parameters={}) for name in called)
    found = {row.name: row for row in reversed(rows) if row.name}
    return [found[name] for name in sorted(found)]


def _list_agent_tools(person: Person, version_id: UUID) -> tuple[ToolRow, ...]:
    try:
        version = agents.load_version(version_id, person.project_id)
    except NotFoundError:
        return ()
    return list_tools(version.spec)
