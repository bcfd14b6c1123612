"""`python -m tests.artefacts.other_machine QUEUE FOLDER…`: a worker as another machine has it.

It does what waits in the queue and ends; the folders must be empty here, as those of a machine
that one cannot see are.
"""

import asyncio
import signal
import sys
import threading
from pathlib import Path

import django


def main() -> None:
    django.setup()
    from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
    from tapes_app import job_kinds as others  # noqa: F401
    from tapes_app.jobs.services.host import Host

    queue, *unseen = sys.argv[1:]
    assert not [list(Path(folder).iterdir()) for folder in unseen if list(Path(folder).iterdir())]
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    asyncio.run(Host(queue, concurrency=1, stopping=stopping).work())


if __name__ == "__main__":
    main()
