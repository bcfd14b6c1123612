"""Step rows: what is written beside a body, for tapes that are saved, grown or edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Field

from tapes_app.engine.error_steps import is_error_step
from tapes_app.engine.steps import Step, Writer, family_of
from tapes_app.engine.tape_query.calls import digest_call, tools_of
from tapes_app.models import StepRecord
from tapes_app.models.json_text import JsonTextField
from tapes_app.storage.columns import fit_text
from tapes_app.storage.step_facts import describe_step, words_of

PROMPT_ID_LENGTH = 100


def build_step_records(
    log_id: UUID,
    start: int,
    steps: Sequence[Step],
    *,
    writer: Writer | None = None,
    call_ids: Mapping[str, UUID] | None = None,
    edited_by: int | None = None,
) -> list[StepRecord]:
    """Return the rows of steps that are new in a log, not yet inserted.

    Without `writer` observations are the environment's and all else is the agent's.
    """
    return [
        _build_record(log_id, position, step, writer, call_ids or {}, edited_by)
        for position, step in enumerate(steps, start=start)
    ]


def _build_record(
    log_id: UUID,
    position: int,
    step: Step,
    writer: Writer | None,
    call_ids: Mapping[str, UUID],
    edited_by: int | None,
) -> StepRecord:
    body = step.to_json()
    family = family_of(step)
    metadata = step.metadata
    return StepRecord(
        log_id=log_id,
        position=position,
        kind=fit_text(step.kind, 100),
        family=family,
        writer=writer or ("environment" if family == "observation" else "agent"),
        agent=fit_text(metadata.agent, 500),
        node=fit_text(metadata.node, 200),
        prompt_id=fit_text(metadata.prompt_id, PROMPT_ID_LENGTH),
        llm_call_id=call_ids.get(metadata.prompt_id) if metadata.prompt_id else None,
        is_error=is_error_step(body),
        gist=describe_step(body),
        text=words_of(body),
        tools=fit_text(" ".join(tools_of(body)), 500),
        call_digest=digest_call(body) if family == "action" else "",
        body=body,
        edited_by_id=edited_by,
    )


def copy_step_records(log_id: UUID, start: int, records: Sequence[StepRecord]) -> list[StepRecord]:
    """Return copies of step rows for another log, everything kept but the place."""
    names = [
        field.attname
        for field in StepRecord._meta.concrete_fields
        if field.attname not in {"id", "log_id", "position"}
    ]
    return [
        StepRecord(
            log_id=log_id,
            position=position,
            **{name: getattr(record, name) for name in names},
        )
        for position, record in enumerate(records, start=start)
    ]


def insert_step_records(records: Sequence[StepRecord]) -> None:
    """Insert rows; their ids stay unknown here.

    One prepared statement run many times: half the time of `bulk_create`, which builds a long
    statement for every few dozen rows.
    """
    fields = [field for field in StepRecord._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    statement = (
        f"INSERT INTO {connection.ops.quote_name(StepRecord._meta.db_table)} ({columns}) "  # noqa: S608
        f"VALUES ({', '.join(['%s'] * len(fields))})"
    )
    rows = [[_database_value(field, record) for field in fields] for record in records]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)


# What drivers take as it is; asking the field for it would be a third of an import's time.
_PLAIN_TYPES = {str, int, bool, NoneType}


def _database_value(field: Field[Any, Any], record: StepRecord) -> Any:
    value = field.pre_save(record, add=True)
    if type(value) in _PLAIN_TYPES and not isinstance(field, JsonTextField):
        return value
    return field.get_db_prep_save(value, connection)


def same_step(body: dict[str, Any], step: Step) -> bool:
    """Tell whether a stored body is this very step, written before.

    Ids decide where both have one; a retry after a crash makes the same step again, and it
    may differ in what a clock or a generator put into it.
    """
    metadata = body.get("metadata")
    stored_id = metadata.get("id") if isinstance(metadata, dict) else None
    if stored_id and step.metadata.id:
        return bool(stored_id == step.metadata.id)
    return body == step.to_json()
