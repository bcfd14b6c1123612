"""All rows of a project as lines of JSON, and a project made of such lines.

Each line is a table: its columns, and the values of its rows. Ids stay as they are, except those
that the database counts. Rows that a newer studio reads from older lines have the defaults of
columns that the lines lack.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import AutoField, Field, ForeignKey, Model, Q
from django.db.models.constants import OnConflict

from tapes_app.models import (
    AccessTokenRecord,
    BudgetRecord,
    ContentRecord,
    DraftRecord,
    ExperimentRecord,
    InvitationRecord,
    JobRecord,
    LLMCallRecord,
    MembershipRecord,
    ModelRecord,
    ProjectRecord,
    PromptNodeRecord,
    TapeWordsRecord,
)
from tapes_app.models.json_text import JsonTextField
from tapes_app.projects.store.project_tables import find_tables, records_of, rows_of

_NOT_KEPT = frozenset(
    {AccessTokenRecord, DraftRecord, InvitationRecord, MembershipRecord, TapeWordsRecord}
)
"""What belongs to people rather than to a project; and words, which triggers write."""

_SHARED = (ContentRecord, PromptNodeRecord)
"""Parts of prompts, which another project may have too: the same id is the same part."""

_ROWS_AT_ONCE = 200


def write_lines(project: UUID) -> Iterator[str]:
    """Yield all rows of a project, one table a line; keys of models are left out."""
    for model, path in find_tables():
        if model not in _NOT_KEPT:
            yield from _write_table(model, rows_of(model, path, project).order_by("pk"))
    yield from _write_table(BudgetRecord, _budgets_of(project).order_by("pk"))
    calls = LLMCallRecord.objects.filter(project_id=project)
    yield from _write_prompts(calls)


def list_people(lines: Iterable[str]) -> set[int]:
    """Return the ids of the people whom rows name."""
    people: set[int] = set()
    for table in map(json.loads, lines):
        model = apps.get_model(table["table"])
        for at, name in enumerate(table["columns"]):
            if _is_person(_field_of(model, name)):
                people |= {row[at] for row in table["rows"]} - {None}
    return people


@transaction.atomic
def insert_lines(lines: Iterable[str], project: UUID, people: Mapping[int, int]) -> None:
    """Insert the rows of a project that exists and is empty.

    `people` has the user for each person named in the lines.

    Raises:
        IntegrityError: the rows are in the database already.
    """
    tables = [_Table(**json.loads(line)) for line in lines]
    counted = {one.model for one in tables if one.is_counted} & _find_targets()
    ids: dict[type[Model], dict[int, int]] = {}
    # First what others refer to by ids that only the database knows; other ids can be used before
    # their rows are there.
    for table in sorted(tables, key=lambda one: one.model not in counted):
        records = [_replace(one, project, people, ids) for one in table.read()]
        new = _insert(table.model, records, returns_ids=table.model in counted)
        if table.model in counted:
            ids[table.model] = dict(zip(table.list_ids(), new, strict=True))


class _Table:
    """One line: a table with its rows."""

    def __init__(self, table: str, columns: list[str], rows: list[list[Any]]) -> None:
        self.model: type[Model] = apps.get_model(table)
        self._columns = columns
        self._rows = rows

    @property
    def is_counted(self) -> bool:
        return isinstance(self.model._meta.pk, AutoField)

    def list_ids(self) -> list[int]:
        """Return the ids that the rows had where they come from."""
        at = self._columns.index(self.model._meta.pk.attname)
        return [row[at] for row in self._rows]

    def read(self) -> Iterator[Model]:
        known = {field.attname: field for field in self.model._meta.concrete_fields}
        names = [name for name in self._columns if name in known]
        reads = [(name, self._columns.index(name), _read_of(known[name])) for name in names]
        for row in self._rows:
            values = {
                name: read(row[at]) if row[at] is not None else None for name, at, read in reads
            }
            if self.is_counted:
                del values[self.model._meta.pk.attname]
            yield self.model(**values)


def _write_table(model: type[Model], found: Any) -> Iterator[str]:
    columns = [field.attname for field in model._meta.concrete_fields if not _is_secret(field)]
    rows = [[_plain(getattr(one, name)) for name in columns] for one in found.iterator(2000)]
    if rows:
        yield json.dumps({"table": model._meta.label_lower, "columns": columns, "rows": rows})


def _write_prompts(calls: Any) -> Iterator[str]:
    """Yield the messages that calls received, and their paths."""
    nodes = set(calls.exclude(prompt_node=None).values_list("prompt_node_id", flat=True))
    waiting = nodes
    while waiting:
        parents = PromptNodeRecord.objects.filter(digest__in=waiting).exclude(parent=None)
        waiting = set(parents.values_list("parent_id", flat=True)) - nodes
        nodes |= waiting
    kept = PromptNodeRecord.objects.filter(digest__in=nodes)
    contents = {*kept.values_list("message_id", flat=True)}
    for name in ("settings_id", "llm_id"):
        contents |= {*calls.values_list(name, flat=True)}
    yield from _write_table(ContentRecord, ContentRecord.objects.filter(digest__in=contents))
    yield from _write_table(PromptNodeRecord, kept)


def _budgets_of(project: UUID) -> Any:
    jobs = JobRecord.objects.filter(project_id=project).values("id")
    experiments = ExperimentRecord.objects.filter(project_id=project).values("id")
    return records_of(BudgetRecord).filter(Q(id__in=jobs) | Q(id__in=experiments))


def _insert(model: type[Model], records: list[Model], *, returns_ids: bool) -> list[int]:
    """Insert rows with the times that they have; return the ids that the database gave them."""
    key = model._meta.pk
    fields = [
        field
        for field in model._meta.concrete_fields
        if field is not key or not isinstance(key, AutoField)
    ]
    size = min(connection.ops.bulk_batch_size(fields, records), _ROWS_AT_ONCE)
    ids: list[int] = []
    for start in range(0, len(records), size):
        # As `bulk_create` does it, which would set times of its own.
        rows = model._base_manager._insert(  # type: ignore[attr-defined]
            records[start : start + size],
            fields=fields,
            using=connection.alias,
            raw=True,
            returning_fields=[key] if returns_ids else None,
            on_conflict=OnConflict.IGNORE if model in _SHARED else None,
        )
        ids += [row[0] for row in rows or ()]
    return ids


def _replace(
    record: Model,
    project: UUID,
    people: Mapping[int, int],
    ids: Mapping[type[Model], Mapping[int, int]],
) -> Model:
    for field in record._meta.concrete_fields:
        old = getattr(record, field.attname)
        if old is None or not isinstance(field, ForeignKey):
            continue
        if field.related_model is ProjectRecord:
            setattr(record, field.attname, project)
        elif _is_person(field):
            setattr(record, field.attname, people[old])
        elif field.related_model in ids:
            setattr(record, field.attname, ids[field.related_model][old])
    return record


def _find_targets() -> set[Any]:
    fields = [field for model in apps.get_models() for field in model._meta.concrete_fields]
    return {field.related_model for field in fields if isinstance(field, ForeignKey)}


def _field_of(model: type[Model], name: str) -> Any:
    return next(field for field in model._meta.concrete_fields if field.attname == name)


def _is_person(field: Field[Any, Any]) -> bool:
    return field.remote_field is not None and field.related_model is get_user_model()


def _is_secret(field: Field[Any, Any]) -> bool:
    return field.model is ModelRecord and field.attname == "api_key_encrypted"


def _plain(value: Any) -> Any:
    """Return a value as JSON holds it."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case bytes() | memoryview():
            return base64.b64encode(value).decode()
        case _:
            return value


def _read_of(field: Any) -> Any:
    """Return the function that reads a column's values from JSON."""
    while field.remote_field is not None:
        field = field.target_field
    return (lambda value: value) if isinstance(field, JsonTextField) else field.to_python
