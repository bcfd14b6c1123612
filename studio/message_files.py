"""Messages as files of one folder: each appears complete, and exactly one reader gets it."""

import logging
import os
import time
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote
from uuid import uuid4

logger = logging.getLogger(__name__)

Decoded = TypeVar("Decoded")


class MessageFiles:
    """The messages of all queues in `folder`, named `TIME_RANDOM.QUEUE.msg`.

    A message is written under another name and renamed. It is taken by a rename into `taken`, which
    succeeds for one reader only. If that reader dies before it has read it, the message is lost.
    What cannot be read or decoded is moved into `broken` and never tried again.
    """

    def __init__(self, folder: Path, taken: Path, broken: Path) -> None:
        self._folder = folder
        self._taken = taken
        self._broken = broken
        # A listing is used up before the next, as listing a long queue for each message is slow.
        self._listed: defaultdict[str, deque[str]] = defaultdict(deque)

    def put(self, queue: str, body: bytes) -> None:
        """Add a message.

        Raises:
            OSError: it cannot be written; nothing of it remains.
        """
        name = f"{time.time_ns()}_{uuid4().hex}{_ending(queue)}"
        try:
            self._write(name, body)
        except FileNotFoundError:  # the folder was deleted
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(name, body)

    def take(self, queue: str, decode: Callable[[bytes], Decoded]) -> Decoded | None:
        """Return the oldest message that can be decoded, or None if there is none."""
        while path := self._claim_oldest(queue):
            try:
                message = decode(path.read_bytes())
            except Exception as error:  # noqa: BLE001 - any bytes may be in it, for any parser
                self._set_aside(path, error)
            else:
                path.unlink(missing_ok=True)
                return message
        return None

    def count(self, queue: str) -> int:
        return len(self._list(queue))

    def purge(self, queue: str) -> int:
        """Delete all messages of a queue and return how many those were."""
        deleted = 0
        for name in self._list(queue):
            try:
                (self._folder / name).unlink()
            except FileNotFoundError:  # a reader took it
                continue
            deleted += 1
        return deleted

    def _write(self, name: str, body: bytes) -> None:
        part = self._folder / f".{name}.part"
        try:
            part.write_bytes(body)
            part.rename(self._folder / name)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def _claim_oldest(self, queue: str) -> Path | None:
        listed = self._listed[queue]
        while True:
            if not listed:
                listed.extend(self._list(queue))
            if not listed:
                return None
            name = listed.popleft()
            if self._claim(name):
                return self._taken / name

    def _claim(self, name: str) -> bool:
        """Return whether the message is ours now; False if another reader was faster."""
        try:
            (self._folder / name).rename(self._taken / name)
        except FileNotFoundError:
            # Without the folder, every message would seem to be taken.
            self._taken.mkdir(parents=True, exist_ok=True)
            return False
        return True

    def _list(self, queue: str) -> list[str]:
        """Return the names of a queue's messages, oldest first."""
        ending = _ending(queue)
        try:
            with os.scandir(self._folder) as entries:
                names = [entry.name for entry in entries if entry.name.endswith(ending)]
        except FileNotFoundError:
            return []
        own = [name for name in names if name.index(".") == len(name) - len(ending)]
        return sorted(own, key=_age_order)

    def _set_aside(self, path: Path, error: Exception) -> None:
        kept = self._broken / path.name
        try:
            self._broken.mkdir(parents=True, exist_ok=True)
            path.rename(kept)
        except OSError:
            kept = path  # nobody reads it there either
        logger.warning("A message cannot be read and is kept as %s: %.200r", kept, error)


def _ending(queue: str) -> str:
    return f".{quote(queue, safe='@')}.msg"


def _age_order(name: str) -> tuple[int, str]:
    """Sort by the time in the name; names by kombu's transport have smaller numbers."""
    time_text = name.partition("_")[0]
    return (int(time_text) if time_text.isdecimal() else 0, name)
