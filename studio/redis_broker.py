"""Redis as the broker: kombu's transport, which also notes that its consumer listens."""

from typing import Any

from kombu.transport import redis

from studio.listening import note_listening


class QoS(redis.QoS):
    def can_consume(self) -> bool:
        """Return whether there is room for a message; a consumer that has none is not deaf."""
        has_room = bool(super().can_consume())
        if not has_room:
            note_listening(self.channel._active_queues)
        return has_room


class Channel(redis.Channel):
    QoS = QoS

    def _brpop_read(self, **options: Any) -> Any:
        """Read the answer of Redis, which comes every second if there is no message."""
        note_listening(self._active_queues)
        return super()._brpop_read(**options)  # type: ignore[misc]  # its stubs lack it


class Transport(redis.Transport):
    """Named by the setting CELERY_BROKER_TRANSPORT."""

    Channel = Channel
