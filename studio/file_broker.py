"""The broker in a folder: a kombu transport for Celery without a server.

kombu has a transport of that kind, whose readers see half-written files, which ends a worker's
consumer. This one can read that one's folder.
"""

import time
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import virtual
from kombu.utils.json import dumps, loads

from studio.exchange_files import Binding, ExchangeFiles
from studio.listening import note_listening
from studio.message_files import MessageFiles

_CONTENT_TYPES = frozenset({"application/json"})
_PUT_BACK_AT_MOST = 3
_LISTENING_SECONDS = 10.0
_LEFTOVERS = ("control/*", "control/.*.part", "done/*", "queue/.*.part", "queue/*.pidbox.msg")


class PutBackTooOftenError(Exception):
    """Every consumer that got this message ended without an answer to it."""


class Channel(virtual.Channel):
    """Puts messages into files and takes them from there."""

    supports_fanout = True

    def __init__(self, connection: virtual.Transport, **options: Any) -> None:
        super().__init__(connection, **options)
        assert connection.client is not None
        folders = connection.client.transport_options or {}
        self._messages = MessageFiles(
            Path(folders["data_folder_in"]),
            Path(folders["processed_folder"]),
            Path(folders["broken_folder"]),
        )
        self._exchanges = ExchangeFiles(Path(folders["control_folder"]))
        self._note_listening_at = 0.0

    def drain_events(self, timeout: float | None = None, callback: Any = None) -> Any:
        note_listening(self._active_queues)
        now = time.monotonic()
        if now >= self._note_listening_at:
            self._exchanges.note_listening(self._active_queues)
            self._note_listening_at = now + _LISTENING_SECONDS
        return super().drain_events(timeout=timeout, callback=callback)

    def get_table(self, exchange: str) -> list[tuple[str, str, str]]:
        return list(self._exchanges.read(exchange))

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str
    ) -> None:
        self._exchanges.bind(exchange, Binding(routing_key or "", pattern or "", queue))

    def _delete(
        self,
        queue: str,
        exchange: str,
        routing_key: str | None,
        pattern: str | None,
        *_: Any,
        **__: Any,
    ) -> None:
        self._messages.purge(queue)
        self._exchanges.unbind(exchange, Binding(routing_key or "", pattern or "", queue))

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        self._messages.put(queue, dumps(message).encode())

    def _put_fanout(
        self, exchange: str, message: dict[str, Any], routing_key: str, **_: Any
    ) -> None:
        del routing_key
        for binding in self._exchanges.read(exchange):
            self._put(binding.queue, message)

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        del timeout
        message = self._messages.take(queue, self._decode)
        if message is None:
            raise Empty
        return message

    def _size(self, queue: str) -> int:
        return self._messages.count(queue)

    def _purge(self, queue: str) -> int:
        return self._messages.purge(queue)

    def _restore(self, message: Any) -> None:
        """Put back a message that nobody answered, with the number of times that it was."""
        message.properties["put_back"] = message.properties.get("put_back", 0) + 1
        super()._restore(message)

    def _decode(self, text: bytes) -> dict[str, Any]:
        """Return a message whose body can be decoded; raise whatever its parsers do otherwise."""
        payload: dict[str, Any] = loads(text.decode())
        message = self.Message(payload, channel=self)
        message.accept = _CONTENT_TYPES
        message.decode()
        if int(message.properties.get("put_back", 0)) > _PUT_BACK_AT_MOST:
            raise PutBackTooOftenError
        return payload


class Transport(virtual.Transport):
    """Named by the setting CELERY_BROKER_TRANSPORT; its options name its four folders."""

    Channel = Channel
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset({"direct", "topic", "fanout"})
    )
    # Workers and publishers try again after these.
    connection_errors = (*virtual.Transport.connection_errors, OSError)
    default_port = 0
    driver_type = "filesystem"
    driver_name = "filesystem"


def remove_leftovers(folder: Path) -> None:
    """Remove what ended processes left in the broker's folder, before any process uses it.

    Exchanges are made anew by those that use them.
    """
    for pattern in _LEFTOVERS:
        for path in folder.glob(pattern):
            with suppress(OSError):  # a folder, for example, which does no harm
                path.unlink()
