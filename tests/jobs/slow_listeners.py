"""Listeners for wake hints that take as long to close as a test wants."""

import asyncio
from collections.abc import Callable

import pytest

from tapes_app.jobs.services import stream
from tapes_app.jobs.store import wake


class SlowClosing:
    """Makes the hub's listeners wait, when they close, until they may; they hear hints as usual."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.has_begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.has_ended = asyncio.Event()
        """All listeners of one task of the hub are closed."""

        self._left: set[wake.Topic] = {"events", "people"}
        monkeypatch.setattr(stream, "listen", self._listen)

    def note_closed(self, topic: wake.Topic) -> None:
        self._left.discard(topic)
        if not self._left:
            self.has_ended.set()

    def _listen(self, topic: wake.Topic, callback: Callable[[], None]) -> wake.Listener:
        return _SlowListener(self, topic, wake.listen(topic, callback))


class _SlowListener:
    def __init__(self, closing: SlowClosing, topic: wake.Topic, listener: wake.Listener) -> None:
        self._closing = closing
        self._topic = topic
        self._listener = listener

    def close(self) -> None:
        self._listener.close()
        self._closing.has_begun.set()

    async def wait_closed(self) -> None:
        await self._closing.may_end.wait()
        await self._listener.wait_closed()
        self._closing.note_closed(self._topic)
