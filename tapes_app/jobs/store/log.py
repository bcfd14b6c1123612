"""Reading, extending and pruning the event logs; the callers decide who may write when.

A job's row is locked while its log grows, so numbers have no gaps, and rows of one job become
visible in order on any database.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, F, QuerySet, Sum
from django.utils import timezone

from tapes_app.jobs.domain.protocol import FINAL_STATES, Event, JobState, encode_event, parse_state
from tapes_app.models import JobEventRecord, JobRecord
from tapes_app.projects.domain.rows import Amount
from tapes_app.projects.store.stored_bytes import StoredBytes

KEEP_EVENTS_FOR = timedelta(minutes=10)
_PRUNED_AT_ONCE = 100
_OLD_AT_ONCE = 200


class NewEvent(NamedTuple):
    """One event on its way into the log."""

    job_id: UUID
    seq: int
    attempt: int
    payload: str


class LoggedEvent(NamedTuple):
    """One event as it is stored."""

    job_id: UUID
    seq: int
    payload: str


@dataclass(frozen=True, slots=True)
class LogHead:
    """Where a job's log begins and ends."""

    state: JobState
    last_seq: int
    pruned_seq: int

    def has_after(self, seq: int) -> bool:
        """Return whether the log holds an event after a number; pruned ones do not count."""
        return max(seq, self.pruned_seq) < self.last_seq


def append_events(record: JobRecord, events: Iterable[Event]) -> None:
    """Add events to the log of a locked row; the caller saves the row's new `last_seq`."""
    rows = []
    for event in events:
        record.last_seq += 1
        payload = encode_event(event)
        rows.append(NewEvent(record.id, record.last_seq, record.attempt, payload))
    insert_events(rows)


def made_progress(record: JobRecord) -> bool:
    """Return whether the last worker of a job put a step on its tape."""
    last = JobEventRecord.objects.filter(job=record, attempt=record.attempt)
    return last.filter(payload__contains='"type":"step.added"').exists()


def read_events(cursors: Mapping[UUID, int], *, limit: int) -> list[LoggedEvent]:
    """Return what came after each job's number, in order per job, with one query.

    `limit` applies to all jobs together; ask again with the new numbers for the rest.
    """
    if not cursors:
        return []
    values: list[Any] = []
    for job_id, seq in cursors.items():
        values += [_to_column(job_id), seq]
    one = "(%s::uuid, %s::bigint)" if connection.vendor == "postgresql" else "(%s, %s)"
    places = ", ".join([one] * len(cursors))
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH wanted(job, after) AS (VALUES {places}) "  # noqa: S608 - placeholders only
            "SELECT event.job_id, event.seq, event.payload FROM wanted "
            "JOIN job_event AS event ON event.job_id = wanted.job AND event.seq > wanted.after "
            "ORDER BY event.job_id, event.seq LIMIT %s",
            [*values, limit],
        )
        rows = cursor.fetchall()
    return [LoggedEvent(_to_uuid(job_id), seq, payload) for job_id, seq, payload in rows]


def prune_finished_logs(*, older_than: timedelta = KEEP_EVENTS_FOR) -> int:
    """Delete the events of jobs that ended a while ago; only the last one stays.

    Their steps and calls are on the tape. A browser that connects late learns the final state from
    the remaining event, and from `pruned_seq` that the tape holds the rest.
    """
    finished = JobRecord.objects.filter(
        state__in=FINAL_STATES,
        finished_at__lt=timezone.now() - older_than,
        pruned_seq__lt=F("last_seq") - 1,
    )
    count = 0
    for job_id in list(finished.values_list("id", flat=True)[:_PRUNED_AT_ONCE]):
        with transaction.atomic():
            record = JobRecord.objects.select_for_update(of=("self",)).get(id=job_id)
            if record.state not in FINAL_STATES:
                continue
            events = JobEventRecord.objects.filter(job_id=job_id, seq__lt=record.last_seq)
            count += events.delete()[0]
            record.pruned_seq = record.last_seq - 1
            record.save(update_fields=["pruned_seq"])
    return count


def measure_old_logs(before: datetime) -> Amount:
    """Return how many events of jobs that ended before a given time there are, and their size."""
    events = JobEventRecord.objects.filter(job__in=_over(before)).order_by()
    found = events.aggregate(count=Count("id"), size=Sum(StoredBytes("payload")))
    return Amount(found["count"], found["size"] or 0)


def prune_some_old_logs(before: datetime) -> int | None:
    """Delete the logs of some jobs in one go; return how many events, `None` if none were left.

    What jobs did is on their tapes and in their rows. An active job keeps its complete log.
    """
    with transaction.atomic():
        locked = _over(before).select_for_update(skip_locked=True)
        jobs = list(locked.values_list("id", flat=True)[:_OLD_AT_ONCE])
        if not jobs:
            return None
        count = JobEventRecord.objects.filter(job__in=jobs).delete()[0]
        JobRecord.objects.filter(id__in=jobs).update(pruned_seq=F("last_seq"))
    return count


def _over(before: datetime) -> QuerySet[JobRecord]:
    return JobRecord.objects.filter(
        state__in=FINAL_STATES, finished_at__lt=before, pruned_seq__lt=F("last_seq")
    )


def insert_events(events: Sequence[NewEvent]) -> None:
    """Store events in one statement; thousands per second pass through here, so no models."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    rows = [(_to_column(e.job_id), e.seq, e.attempt, e.payload, now) for e in events]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO job_event (job_id, seq, attempt, payload, created_at) "
            "VALUES (%s, %s, %s, %s, %s)",
            rows,
        )


def set_last_seqs(last_seqs: Mapping[UUID, int]) -> None:
    """Store the numbers of the newest events; the jobs' rows are locked."""
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE job SET last_seq = %s WHERE id = %s",
            [(seq, _to_column(job_id)) for job_id, seq in last_seqs.items()],
        )


def _to_column(job_id: UUID) -> Any:
    """Return an id in the form that this database's driver accepts."""
    return JobRecord._meta.pk.get_db_prep_value(job_id, connection)


def _to_uuid(value: object) -> UUID:
    return value if isinstance(value, UUID) else UUID(str(value))


def find_visible_head(user_id: int, job_id: UUID, project: UUID | None = None) -> LogHead | None:
    """Return the log head of a job in one of the person's projects, or in the given one.

    Jobs of other projects do not exist for them.
    """
    mine = JobRecord.objects.filter(id=job_id, project__memberships__user_id=user_id)
    if project is not None:
        mine = mine.filter(project_id=project)
    row = mine.values_list("state", "last_seq", "pruned_seq").first()
    if row is None:
        return None
    state, last_seq, pruned_seq = row
    return LogHead(parse_state(state), last_seq, pruned_seq)


def find_watchable(watched: Collection[tuple[int, UUID]]) -> set[tuple[int, UUID]]:
    """Return the pairs of a person and a job that the person may still watch."""
    found = JobRecord.objects.filter(
        id__in={job for _, job in watched},
        project__memberships__user_id__in={person for person, _ in watched},
        project__memberships__user__is_active=True,
    )
    return set(found.values_list("project__memberships__user_id", "id"))
