"""Storing very many tapes in one go, with everything the product writes for each step and tape.

The product's own functions compute the columns from plain JSON; only the objects in between are
skipped, and the rows are inserted by COPY or by one prepared statement. PostgreSQL's indexes are
rebuilt after the rows, from their own definitions, in the same transaction.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from tape_stories import BATCH_SIZE, STEPS, Story, make_stories

from tapes_app.engine.tape.families import is_error_step
from tapes_app.jobs.store.upkeep import keep_quick
from tapes_app.models import BatchRecord, StepRecord, TapeRecord, TapeTagRecord
from tapes_app.models.json_text import dump_json_text
from tapes_app.tapes.domain.call_digests import digest_call, tools_of
from tapes_app.tapes.domain.spans import Span, write_spans
from tapes_app.tapes.domain.step_facts import describe_step, words_of

Row = Sequence[Any]
Tell = Callable[[int], None]
_CHUNK = BATCH_SIZE
_DAYS = 365
_MANY = 10_000
_FAMILIES = {"user": "observation", "tool": "observation", "set_next_node": "control",
             "assistant": "action", "assistant_thought": "thought"}  # fmt: skip
_LONGEST_TITLE = 300


def fill(project: UUID, count: int, *, seed: int = 7, tell: Tell | None = None) -> None:
    """Add tapes to a project; the newest is a minute old, the oldest a year."""
    newest = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=1)
    pause = timedelta(days=_DAYS) / max(count, 1)
    rows = _Rows(project, newest - pause * count, pause)
    with transaction.atomic(), _indexes_made_after(count):
        for done, made in _made_ahead(rows, make_stories(count, seed)):
            _store(project, made)
            if tell is not None:
                tell(done)
    keep_quick(0)
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")


@dataclass
class _Made:
    """Rows of some tapes, by table; tape rows lack their batch, which has no id yet."""

    tapes: dict[str, list[Row]] = field(default_factory=dict)
    steps: list[Row] = field(default_factory=list)
    tags: list[Row] = field(default_factory=list)


def _made_ahead(rows: "_Rows", stories: Iterator[Story]) -> Iterator[tuple[int, _Made]]:
    """Yield rows with the number of tapes in them; the next are made while these are stored."""
    with ThreadPoolExecutor(1) as pool:
        done = 0
        coming = pool.submit(rows.make, stories)
        while (made := coming.result()).tapes:
            coming = pool.submit(rows.make, stories)
            done += sum(map(len, made.tapes.values()))
            yield done, made


def _store(project: UUID, made: _Made) -> None:
    tapes: list[Row] = []
    for name, rows in made.tapes.items():
        batch, _ = BatchRecord.objects.get_or_create(project_id=project, name=name)
        batch.tape_count += len(rows)
        batch.error_count += sum(row[_HAS_ERROR] for row in rows)
        batch.save()
        tapes += [(*row, _key(batch.id)) for row in rows]
    _insert(TapeRecord, [*_TOLD, *_defaults(TapeRecord), "batch_id"], tapes)
    _insert(StepRecord, _STEP_COLUMNS, made.steps)
    _insert(TapeTagRecord, ["project_id", "tape_id", "name"], made.tags)


def _key(row_id: UUID) -> str:
    """Return an id as both drivers accept it; converting objects takes them longer."""
    return row_id.hex if connection.vendor == "sqlite" else str(row_id)


_STEP_COLUMNS = (
    "log_id", "position", "kind", "family", "writer", "agent", "node", "prompt_id", "lane",
    "is_error", "gist", "text", "tools", "call_digest", "body", "created_at",
)  # fmt: skip


class _Rows:
    """Makes the rows of tapes as text, numbers and `None`, which both drivers accept."""

    def __init__(self, project: UUID, first: datetime, pause: timedelta) -> None:
        self._project = _key(project)
        self._first, self._pause = first, pause
        self._rest = list(_defaults(TapeRecord).values())

    def make(self, stories: Iterator[Story]) -> _Made:
        """Return the rows of the next tapes; empty at the end."""
        made = _Made()
        for story in islice(stories, _CHUNK):
            key, moment = _key(story.id), self._moment(story.number)
            own = story.steps[story.kept :]
            made.steps += [_step_row(key, moment, at, body) for at, body in enumerate(own)]
            made.tapes.setdefault(story.batch, []).append(self._tape_row(story, key, moment))
            made.tags += [(self._project, key, tag) for tag in story.tags]
        return made

    def _tape_row(self, story: Story, key: str, moment: str) -> Row:
        parent = UUID(story.metadata["parent_id"]) if story.kept else None
        errors = sum(is_error_step(step, _FAMILIES[step["kind"]]) for step in story.steps)
        result = story.metadata.get("result", {})
        own_count = STEPS - story.kept
        spans = [Span(story.id, 0, own_count)]
        if parent is not None:
            spans.insert(0, Span(parent, 0, story.kept))
        parent_key = None if parent is None else _key(parent)
        return (
            key, self._project, moment, moment, "" if parent else str(story.id), parent_key,
            parent_key, story.kept if parent else None, dump_json_text(story.metadata),
            story.steps[0]["content"][:_LONGEST_TITLE], story.metadata["author"], story.agent,
            "" if parent else story.id.hex, dump_json_text(write_spans(tuple(spans))), STEPS,
            own_count, errors, int(errors > 0), story.input_tokens, story.output_tokens,
            story.cost_micro_usd, 3, story.duration_seconds, result.get("task_id", ""),
            result.get("expected", ""), story.steps[-1]["content"], _outcome(result),
            *self._rest,
        )  # fmt: skip

    def _moment(self, number: int) -> str:
        moment = self._first + self._pause * number
        text = moment.replace(tzinfo=None).isoformat(" ", "microseconds")
        return text if connection.vendor == "sqlite" else f"{text}+00"


# The columns that a story determines, in the order of `_Rows.tape`.
_TOLD = (
    "id", "project_id", "created_at", "updated_at", "source_id", "parent_id", "root_id",
    "forked_at", "metadata", "title", "author", "agent_name", "digest", "spans", "step_count",
    "own_step_count", "error_count", "has_error", "input_tokens", "output_tokens",
    "cost_micro_usd", "llm_call_count", "duration_seconds", "task", "expected", "actual",
    "outcome",
)  # fmt: skip
_HAS_ERROR = _TOLD.index("has_error")


def _step_row(log: str, moment: str, position: int, body: dict[str, Any]) -> Row:
    kind = body["kind"]
    family = _FAMILIES[kind]
    metadata = body.get("metadata", {})
    return (
        log, position, kind, family, "import", metadata.get("agent", ""),
        metadata.get("node", ""), metadata.get("prompt_id", ""), metadata.get("lane", ""),
        int(is_error_step(body, family)), describe_step(body), words_of(body),
        " ".join(tools_of(body)), digest_call(body) if family == "action" else "",
        dump_json_text(body), moment,
    )  # fmt: skip


def _outcome(result: dict[str, Any]) -> str:
    return "" if not result else "pass" if result["success"] else "fail"


def _defaults(model: Any) -> dict[str, Any]:
    """Return the defaults of the columns that no story determines, as a driver accepts them."""
    record = model()
    return {
        column.attname: _plain(column.get_db_prep_save(getattr(record, column.attname), connection))
        for column in model._meta.concrete_fields
        if column.attname not in (*_TOLD, "batch_id")
    }


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _insert(model: Any, columns: Sequence[str], rows: Sequence[Row]) -> None:
    table, names = model._meta.db_table, ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608
            return
        with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            copy.write("".join(_copy_lines(rows)))


def _copy_lines(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield "\t".join([_copy_text(value) for value in row]) + "\n"


def _copy_text(value: Any) -> str:
    if value is None:
        return r"\N"
    if not isinstance(value, str):
        return str(value)
    return value.replace("\\", r"\\").replace("\n", r"\n").replace("\t", r"\t").replace("\r", r"\r")


@contextmanager
def _indexes_made_after(count: int) -> Iterator[None]:
    """Drop the indexes of PostgreSQL's two large tables while many rows are added.

    If that fails, the transaction restores the old ones.
    """
    definitions: list[str] = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and count >= _MANY:
            cursor.execute("SET LOCAL maintenance_work_mem = '1GB'")
            # Constraint checks deferred to the end of a transaction would pile up in memory.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SELECT current_setting('is_superuser')")
            if cursor.fetchone() == ("on",):
                cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(_INDEXES)
            for drop, definition in cursor.fetchall():
                cursor.execute(drop)
                definitions.append(definition)
        yield
        for definition in definitions:
            cursor.execute(definition)


_INDEXES = """
    SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', relname, conname),
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(c.oid))
    FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
    WHERE contype = 'u' AND relname = 'step'
    UNION ALL
    SELECT format('DROP INDEX %I', indexname), indexdef FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename IN ('step', 'tape')
    AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""
