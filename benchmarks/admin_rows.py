"""A million small rows in every table that grows, each table filled by one statement.

Numbers run from 1, the oldest, to the newest. The tables are uneven on purpose: most rows belong to
one project, one state, one version of an agent; a few of the oldest belong to another, because a
list narrowed to those finds them last.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import NOT_PROVIDED, Model

from optimize_app import models as learning
from tapes_app import models as tables
from tapes_app.jobs.store.upkeep import analyze_indexes

RARE = 20
"""How many of the oldest rows have a project, a state or a version that no other row has."""

_BATCHED = 500
_START = 1_767_225_600  # 1 January 2026
_SECONDS = 20


def fill(count: int) -> None:
    """Insert rows into an empty migrated database."""
    _teach_sqlite()
    _put_few(count)
    for model, columns in _list_many():
        if model is tables.ExperimentBranchRecord:
            _put_experiment()
        _put(model, columns, count)
        print(f"  {count:,} of {model._meta.verbose_name_plural}", flush=True)
    if connection.vendor == "sqlite":
        analyze_indexes()  # as a server does automatically
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")


def key_of(name: str, number: int) -> UUID:
    """Return the id of a row, computed as the database does."""
    from hashlib import md5

    return UUID(md5(f"{name}{number}".encode(), usedforsecurity=False).hexdigest())


def _teach_sqlite() -> None:
    """Define two of PostgreSQL's functions in SQLite."""
    if connection.vendor != "sqlite":
        return
    from hashlib import md5

    connection.ensure_connection()
    link = connection.connection
    link.create_function(
        "md5", 1, lambda text: md5(text.encode(), usedforsecurity=False).hexdigest()
    )
    link.create_function("decode", 2, lambda text, _: bytes.fromhex(text))
    link.execute("PRAGMA synchronous = OFF")


def _put_few(count: int) -> None:
    """Insert the few rows that the many belong to."""
    projects = [
        tables.ProjectRecord(id=key_of("project", number), name=f"Project {number}")
        for number in range(1, 5)
    ]
    tables.ProjectRecord.objects.bulk_create(projects)
    User.objects.create_superuser("bench", password="x")
    owned: dict[str, Any] = {"project": projects[0]}
    agent = tables.AgentRecord.objects.create(name="chat", **owned)
    for number in range(1, 4):
        tables.AgentVersionRecord.objects.create(
            id=key_of("version", number),
            agent=agent,
            number=number,
            spec={},
            digest=str(number),
            **owned,
        )
    tables.BatchRecord.objects.bulk_create(
        tables.BatchRecord(id=key_of("batch", number), name=f"batch {number}", **owned)
        for number in range(count // _BATCHED + 2)
    )
    learning.TrainingSetRecord.objects.create(
        id=key_of("set", 1), name="set", **_filled(learning.TrainingSetRecord), **owned
    )
    for model, name in (
        (tables.DatasetRecord, "dataset"),
        (tables.RubricRecord, "rubric"),
    ):
        model.objects.create(id=key_of(name, 1), name=name, **owned)
    tables.DatasetVersionRecord.objects.create(
        id=1, dataset_id=key_of("dataset", 1), number=1, **_filled(tables.DatasetVersionRecord)
    )
    rubric = tables.RubricVersionRecord.objects.create(
        rubric_id=key_of("rubric", 1), number=1, **_filled(tables.RubricVersionRecord)
    )
    tables.QueueRecord.objects.create(
        id=key_of("queue", 1), name="queue", rubric_version=rubric, **owned
    )
    learning.ScoringRecord.objects.create(
        id=key_of("scoring", 1), sweep_id=key_of("job", 1), **_filled(learning.ScoringRecord),
        **owned,
    )  # fmt: skip


def _put_experiment() -> None:
    tables.ExperimentRecord.objects.create(
        id=key_of("experiment", 1), project_id=key_of("project", 1), tape_id=key_of("tape", 1),
        **_filled(tables.ExperimentRecord),
    )  # fmt: skip


def _filled(model: type[Model]) -> dict[str, Any]:
    """Return a value for each column that has no default and is not given here."""
    return {
        field.name: _emptiest(field)
        for field in model._meta.concrete_fields
        if not field.is_relation
        and not field.primary_key
        and not field.null
        and field.default is NOT_PROVIDED
        and field.name not in {"name", "number", "sweep_id", "id"}
        and not getattr(field, "auto_now_add", False)
        and not getattr(field, "auto_now", False)
    }


def _emptiest(field: Any) -> Any:
    kind = field.get_internal_type()
    if kind == "UUIDField":
        return key_of("job", 1)
    if kind == "BinaryField":
        return b"0"
    if "Integer" in kind or kind == "FloatField":
        return 0
    return {} if kind == "TextField" and type(field).__name__ == "JsonTextField" else ""


def _list_many() -> list[tuple[type[Model], Mapping[str, str]]]:
    """Return the tables that grow, with the SQL for their columns from a row's number."""
    project = f"{_key('project', _one_of(3, 2, 1))}"
    owned = {"project_id": project, "created_at": _moment()}
    tape = {"tape_id": _key("tape")}
    person = str(User.objects.get(username="bench").pk)
    digest = "decode(md5('message' || n), 'hex')"
    return [
        (tables.ContentRecord, {"digest": digest}),
        (tables.PromptNodeRecord, {"digest": digest, "message_id": digest, "depth": "1"}),
        (tables.TapeRecord, {
            **owned, "id": _key("tape"), "source_id": "'source-' || n", "title": "'task ' || n",
            "batch_id": _key("batch", f"n / {_BATCHED}"),
            "agent_version_id": _key("version", _one_of(3, 2, 1)), "agent_name": "'chat'",
            "updated_at": _moment(), "step_count": "n % 40", "error_count": "n % 3",
            "cost_micro_usd": "n % 9999",
            "parent_id": f"CASE WHEN n % 10 = 0 THEN {_key('tape', 'n - 1')} END",
            "deleted_at": f"CASE WHEN n % 100 = 1 THEN {_moment()} END",
        }),
        (tables.LLMCallRecord, {
            **owned, **tape, "id": _key("call"), "settings_id": digest, "llm_id": digest,
            "prompt_id": "'prompt-' || n", "prompt_digest": "md5('p' || n)", "model_name": "'m'",
            "input_tokens": "9", "output_tokens": "9", "prompt_node_id": digest,
        }),
        (tables.CallTokensRecord, {"call_id": _key("call")}),
        (tables.StepRecord, {
            "log_id": _key("tape"), "position": "0", "kind": "'user'", "gist": "'said ' || n",
            "family": "'observation'", "writer": "'import'", "text": "'said ' || n",
            "llm_call_id": _key("call"), "created_at": _moment(),
        }),
        (tables.JobRecord, {
            **owned, **tape, "id": _key("job"), "kind": "'run'", "queue": "'agents'",
            "title": "'run ' || n", "updated_at": _moment(), "finished_at": _moment(),
            "state": f"CASE WHEN n <= {RARE} THEN 'cancelled' WHEN n % 20 = 0 THEN 'failed' "
            "ELSE 'succeeded' END",
        }),
        (tables.JobEventRecord, {
            "job_id": _key("job"), "seq": "1", "attempt": "1", "created_at": _moment(),
        }),
        (tables.TapeTagRecord, {
            "project_id": project, **tape, "name": "'tag ' || (n % 7)",
        }),
        (tables.AnnotationRecord, {
            **owned, **tape, "id": _key("annotation"), "kind": "'note'", "text": "'good'",
            "source": "'person'", "updated_at": _moment(),
        }),
        (tables.TapeLintRecord, {**tape, "finding_count": "1", "linted_at": _moment()}),
        (tables.LintMarkRecord, {
            "project_id": project, **tape, "detector": "'repeats'", "severity": "'warning'",
            "finding_count": "1",
        }),
        (tables.DraftRecord, {**tape, "person_id": person, "updated_at": _moment()}),
        (tables.DatasetTapeRecord, {
            **tape, "dataset_id": _key("dataset", "1"), "added_at": _moment(),
        }),
        (tables.DatasetVersionTapeRecord, {**tape, "version_id": "1"}),
        (tables.QueueItemRecord, {
            **tape, "id": _key("item"), "queue_id": _key("queue", "1"), "number": "n",
            "key": "'key-' || n",
        }),
        (tables.AnswerRecord, {
            "id": _key("answer"), "queue_id": _key("queue", "1"), "item_id": _key("item"),
            "number": "1", "person_id": person, "answered_at": _moment(),
        }),
        (tables.ExperimentBranchRecord, {
            **tape, "id": _key("branch"), "experiment_id": _key("experiment", "1"), "number": "n",
            "job_id": _key("job"),
        }),
        (learning.TrainingSetTapeRecord, {
            **tape, "training_set_id": _key("set", "1"), "example_count": "1",
            "side": f"CASE WHEN n <= {RARE} THEN 'held_out' ELSE 'train' END",
        }),
        (learning.ScoreRecord, {
            **tape, "scoring_id": _key("scoring", "1"), "value": "1",
            "passed": f"n > {RARE}",
        }),
    ]  # fmt: skip


def _key(name: str, number: str = "n") -> str:
    """Return the SQL for a row's id, computed from its number."""
    text = f"md5('{name}' || ({number}))"
    return text if connection.vendor == "sqlite" else f"{text}::uuid"


def _moment() -> str:
    seconds = f"{_START} + n * {_SECONDS}"
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f000', {seconds}, 'unixepoch')"
    return f"to_timestamp({seconds})"


def _one_of(rare: int, some: int, most: int) -> str:
    """Return the SQL for one of three numbers: the first for few rows, which are the oldest."""
    return f"CASE WHEN n <= {RARE} THEN {rare} WHEN n % 10 = 0 THEN {some} ELSE {most} END"


def _put(model: type[Model], columns: Mapping[str, str], count: int) -> None:
    known = {field.column for field in model._meta.concrete_fields}
    assert set(columns) <= known, set(columns) - known
    rest = {
        field.column: _literal(field)
        for field in model._meta.concrete_fields
        if field.column not in columns
        and not field.null
        and "Auto" not in field.get_internal_type()
    }
    every = {**columns, **rest}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Rows refer only to existing rows: checking that takes most of the time.
            role = "origin" if model is tables.TapeRecord else "replica"
            cursor.execute(f"SET session_replication_role = {role}")
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} "  # noqa: S608
            f"({', '.join(chr(34) + name + chr(34) for name in every)}) "
            "WITH RECURSIVE numbers (n) AS "
            f"(SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) "
            f"SELECT {', '.join(every.values())} FROM numbers"
        )


def _literal(field: Any) -> str:
    """Return the SQL value of a column that is not given."""
    value = _emptiest(field) if field.default is NOT_PROVIDED else field.get_default()
    if isinstance(value, bytes):
        return "decode('30', 'hex')"
    value = field.get_db_prep_save(value, connection)
    if isinstance(value, bool):
        return str(value).upper()
    return str(value) if isinstance(value, int | float) else f"'{value}'"
