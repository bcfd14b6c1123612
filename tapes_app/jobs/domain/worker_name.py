"""The name under which jobs record the process that holds them."""

import os
import socket


def own_name() -> str:
    """Return the name of this process as a worker: its host and its process id."""
    return f"{socket.gethostname()}:{os.getpid()}"
