"""The writer of event logs: one thread for all jobs of a worker process.

Pieces of text are collected for about 36 ms and written to the database in one transaction for all
jobs. What must not be separated from its event (a step, a call, a state) is written by a function
that runs in that same transaction, so neither exists without the other. Before anything of a job is
written, its row is locked and its attempt compared: a worker that lost the job writes nothing, not
even what it had started.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction

from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.protocol import Event, StepDelta, StepPartial, encode_event
from tapes_app.jobs.store.log import NewEvent, insert_events, set_last_seqs
from tapes_app.jobs.store.wake import notify
from tapes_app.models import JobRecord

logger = logging.getLogger(__name__)

GATHER_SECONDS = 0.036
_RETRIES = 6
_RETRY_SECONDS = 0.5

Delta = StepDelta | StepPartial
Work = Callable[[], Iterable[Event] | None]
"""Writes to the database inside the writer's transaction; may return events that report it.

It may be called again when the transaction fails, so it must change nothing but rows.
"""


class FencedError(ConflictError):
    """The job belongs to another worker now; this worker writes nothing more of it."""

    code = "fenced"


class Claim(NamedTuple):
    """A worker's right to write: the job and the number of its attempt."""

    job_id: UUID
    attempt: int


@dataclass(slots=True)
class _Piece:
    """Text still being collected: consecutive pieces of one answer."""

    first: Delta
    texts: dict[str, list[str]]

    @classmethod
    def of(cls, delta: Delta) -> "_Piece":
        return cls(delta, {name: [getattr(delta, name)] for name in _TEXTS[type(delta)]})

    def takes(self, delta: Delta) -> bool:
        first = self.first
        if isinstance(first, StepDelta) and isinstance(delta, StepDelta):
            is_same = first.tool_index == delta.tool_index
            return is_same and self._continues(delta, is_named={"", first.tool_name})
        if isinstance(first, StepPartial) and isinstance(delta, StepPartial):
            return self._continues(delta, is_named={first.tool_name})
        return False

    def _continues(self, delta: Delta, *, is_named: set[str]) -> bool:
        return self.first.prompt_id == delta.prompt_id and delta.tool_name in is_named

    def add(self, delta: Delta) -> None:
        for name, pieces in self.texts.items():
            pieces.append(getattr(delta, name))

    def join(self) -> Delta:
        joined = {name: "".join(pieces) for name, pieces in self.texts.items()}
        return self.first.model_copy(update=joined)


_TEXTS: dict[type[Delta], tuple[str, ...]] = {
    StepDelta: ("text", "reasoning", "tool_arguments"),
    StepPartial: ("text",),
}


@dataclass(slots=True)
class _Task:
    """A function to run in the transaction, and the future that waits for it."""

    work: Work
    done: Future[None]


_Item = Event | _Piece | _Task


_Batch = dict[Claim, list[_Item]]
"""Everything that goes into one transaction, in order per claim."""


class EventWriter:
    """Accepts events of many jobs from any thread and writes them in its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._batch: _Batch = {}
        self._first_at = 0.0
        self._is_urgent = False
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="event-writer", daemon=True)
        self._thread.start()

    def emit(self, claim: Claim, event: Event) -> None:
        """Write an event soon; it is silently dropped if the job is lost."""
        with self._changed:
            items = self._items_of(claim)
            if not isinstance(event, StepDelta | StepPartial):
                items.append(event)
            elif items and isinstance(items[-1], _Piece) and items[-1].takes(event):
                items[-1].add(event)
            else:
                items.append(_Piece.of(event))
            self._changed.notify()

    def commit(self, claim: Claim, work: Work) -> Future[None]:
        """Run `work` in a transaction immediately, after what was emitted before it.

        The future raises `FencedError` if the job is lost, or what `work` raised; then nothing of
        that `work` is written.
        """
        task = _Task(work, Future())
        with self._changed:
            if self._is_closed:
                raise FencedError("The event writer is closed; the worker is stopping.")
            self._items_of(claim).append(task)
            self._is_urgent = True
            self._changed.notify()
        return task.done

    def close(self) -> None:
        """Write what is left and end the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _items_of(self, claim: Claim) -> list[_Item]:
        if not self._batch:
            self._first_at = time.monotonic()
        return self._batch.setdefault(claim, [])

    def _run(self) -> None:
        try:
            while (batch := self._next_batch()) is not None:
                self._write_or_explain(batch)
        finally:
            connection.close()

    def _next_batch(self) -> _Batch | None:
        """Wait until something has been collected for long enough; `None` when closed and empty."""
        with self._changed:
            while True:
                if self._batch:
                    left = self._first_at + GATHER_SECONDS - time.monotonic()
                    if self._is_urgent or self._is_closed or left <= 0:
                        break
                    self._changed.wait(left)
                elif self._is_closed:
                    return None
                else:
                    self._changed.wait()
            batch, self._batch = self._batch, {}
            self._is_urgent = False
            return batch

    def _write_or_explain(self, batch: _Batch) -> None:
        try:
            outcomes = _write_with_retries(batch)
        except Exception as error:
            # The thread serves every job of the process: it must outlive any single failure.
            logger.exception("Events could not be written")
            for item in chain.from_iterable(batch.values()):
                if isinstance(item, _Task):
                    item.done.set_exception(error)
            return
        for task, failure in outcomes:
            if failure is None:
                task.done.set_result(None)
            else:
                task.done.set_exception(failure)
        notify("events")


_Outcomes = list[tuple[_Task, BaseException | None]]


def _write_with_retries(batch: _Batch) -> _Outcomes:
    found_at: dict[Claim, int] = {}
    for attempt in range(_RETRIES):
        try:
            return _write(batch, found_at)
        except (OperationalError, InterfaceError):
            # Locked for too long, or the server is unavailable: retry, unless it was written.
            if attempt == _RETRIES - 1:
                raise
            connection.close()
            time.sleep(_RETRY_SECONDS)
    raise AssertionError("the last attempt returns or raises")


def _write(batch: _Batch, found_at: dict[Claim, int]) -> _Outcomes:
    """Write a batch in one transaction and return the outcome of each of its tasks.

    `found_at` remembers across retries where each log ended before the first try: a log that has
    grown since was written by a commit whose confirmation got lost.
    """
    outcomes: _Outcomes = []
    rows: list[NewEvent] = []
    last_seqs: dict[UUID, int] = {}
    with transaction.atomic():
        holders = _lock_holders([claim.job_id for claim in batch])
        for claim, items in batch.items():
            attempt, seq = holders.get(claim.job_id, (0, 0))
            if attempt != claim.attempt:
                outcomes += [(item, _fenced(claim)) for item in items if isinstance(item, _Task)]
                continue
            if found_at.setdefault(claim, seq) != seq:
                outcomes += [(item, None) for item in items if isinstance(item, _Task)]
                continue
            for payload in _payloads(items, outcomes):
                seq += 1
                rows.append(NewEvent(claim.job_id, seq, claim.attempt, payload))
                last_seqs[claim.job_id] = seq
        if rows:
            insert_events(rows)
            set_last_seqs(last_seqs)
    return outcomes


def _payloads(items: list[_Item], outcomes: _Outcomes) -> list[str]:
    """Return the events of one job as text, running its tasks on the way."""
    payloads: list[str] = []
    for item in items:
        if isinstance(item, _Task):
            try:
                with transaction.atomic():
                    events = [encode_event(event) for event in item.work() or ()]
            except (OperationalError, InterfaceError):
                raise
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the task
                outcomes.append((item, error))
                continue
            payloads += events
            outcomes.append((item, None))
        else:
            payloads.append(encode_event(item.join() if isinstance(item, _Piece) else item))
    return payloads


def _lock_holders(job_ids: list[UUID]) -> dict[UUID, tuple[int, int]]:
    """Lock the rows of running jobs; return the attempt and last number of each."""
    rows = (
        JobRecord.objects.select_for_update(of=("self",))
        .filter(id__in=job_ids, state=JobRecord.State.RUNNING)
        .order_by("id")
        .values_list("id", "attempt", "last_seq")
    )
    return {job_id: (attempt, last_seq) for job_id, attempt, last_seq in rows}


def _fenced(claim: Claim) -> FencedError:
    return FencedError(
        f"Job {str(claim.job_id)!r} belongs to another worker now (this was attempt "
        f"{claim.attempt}); events not yet written are dropped.",
        job=str(claim.job_id),
        attempt=claim.attempt,
    )
