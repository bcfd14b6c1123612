"""Exchanges as files: which queues are bound to each, for every process that uses the broker."""

import fcntl
import json
import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import quote
from uuid import uuid4

logger = logging.getLogger(__name__)

_LOCK_SECONDS = 2.0
_ABANDONED_SECONDS = 600.0
_PAUSE_SECONDS = 0.01


class Binding(NamedTuple):
    """A queue that gets the messages of an exchange."""

    routing_key: str
    pattern: str
    queue: str


class ExchangeFiles:
    """A file per exchange, replaced as a whole; one that cannot be read counts as absent.

    Celery binds a queue for each worker and for each client that waits for replies, and those that
    are killed never unbind it. Therefore such a queue is forgotten if nobody has listened to it for
    some minutes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, exchange: str) -> list[Binding]:
        """Return the bindings of an exchange, except those of abandoned queues."""
        path = self._path(exchange)
        try:
            rows = json.loads(path.read_bytes())
            bindings = [Binding(*map(str, row)) for row in rows]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            logger.warning("%s cannot be read and counts as absent: %.200r", path, error)
            return []
        return [binding for binding in bindings if not self._is_abandoned(binding.queue)]

    def bind(self, exchange: str, binding: Binding) -> None:
        self.note_listening([binding.queue])
        with self._lock():
            bindings = self.read(exchange)
            if binding not in bindings:
                self._write(exchange, [binding, *bindings])

    def unbind(self, exchange: str, binding: Binding) -> None:
        with self._lock():
            bindings = self.read(exchange)
            if binding in bindings:
                self._write(exchange, [kept for kept in bindings if kept != binding])
        self._mark(binding.queue).unlink(missing_ok=True)

    def note_listening(self, queues: Iterable[str]) -> None:
        """Record that somebody listens to these queues, for those that end with their process."""
        for queue in filter(_ends_with_its_process, queues):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._mark(queue).touch()

    def _is_abandoned(self, queue: str) -> bool:
        if not _ends_with_its_process(queue):
            return False
        try:
            age = time.time() - self._mark(queue).stat().st_mtime
        except FileNotFoundError:
            return True
        return age > _ABANDONED_SECONDS

    def _write(self, exchange: str, bindings: list[Binding]) -> None:
        part = self._folder / f".{uuid4().hex}.part"
        try:
            part.write_text(json.dumps(bindings), encoding="utf-8")
            part.replace(self._path(exchange))
        except OSError:
            part.unlink(missing_ok=True)
            raise

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Exclude other writers, but do not wait for one that is suspended."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "lock").open("ab") as file:
            deadline = time.monotonic() + _LOCK_SECONDS
            while not _try_lock(file) and time.monotonic() < deadline:
                time.sleep(_PAUSE_SECONDS)
            yield

    def _path(self, exchange: str) -> Path:
        return self._folder / f"{quote(exchange, safe='@')}.exchange"

    def _mark(self, queue: str) -> Path:
        return self._folder / f"{quote(queue, safe='@')}.listening"


def _try_lock(file: IO[bytes]) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _ends_with_its_process(queue: str) -> bool:
    """Return whether Celery made this queue for one process: for control, replies or events."""
    return queue.endswith(".pidbox") or queue.startswith("celeryev.")
