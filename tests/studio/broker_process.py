"""Programs that send and receive messages through a broker folder, to be raced and killed.

`python -m tests.studio.broker_process write FOLDER PREFIX COUNT` sends messages, and
`… read FOLDER LOG` appends the text of each message to a log until FOLDER/stop exists.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from kombu import Connection, Consumer, Producer, Queue

TRANSPORT = "studio.file_broker:Transport"
QUEUE = Queue("agents")
STOP = "stop"


def connect(folder: Path, transport: str = TRANSPORT) -> Connection:
    """Return a connection to the broker in a folder; kombu's own transport may use the same."""
    options = {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "processed_folder": str(folder / "done"),
        "broken_folder": str(folder / "broken"),
        "control_folder": str(folder / "control"),
        "polling_interval": 0.01,
    }
    return Connection("filesystem://", transport=transport, transport_options=options)


def write(folder: Path, prefix: str, count: int) -> None:
    with connect(folder) as connection, connection.channel() as channel:
        producer = Producer(channel)
        for number in range(count):
            producer.publish(f"{prefix}-{number}", serializer="json", routing_key=QUEUE.name)


def read(folder: Path, log: Path) -> None:
    # One write a message, so that a kill leaves complete lines.
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with connect(folder) as connection, connection.channel() as channel:

        def note(text: str, _: object) -> None:
            os.write(descriptor, f"{text}\n".encode())

        with Consumer(channel, [QUEUE], callbacks=[note], no_ack=True):
            while not _is_done(connection, folder):
                pass


def _is_done(connection: Connection, folder: Path) -> bool:
    """Receive one message; with none left, return whether none will follow."""
    will_end = (folder / STOP).exists()
    with suppress(TimeoutError):
        connection.drain_events(timeout=0.05)
        return False
    return will_end


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", folder, prefix, count]:
            write(Path(folder), prefix, int(count))
        case ["read", folder, log]:
            read(Path(folder), Path(log))
        case _:
            sys.exit(__doc__)
