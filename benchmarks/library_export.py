"""Works on the queued export as a worker of the studio does; prints time and peak memory."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from pathlib import Path

from harness import add_repository_to_path

add_repository_to_path()


def peak_megabytes() -> float:
    """Return what this program held at most; `getrusage` would count who started it too."""
    told = Path("/proc/self/status").read_text()
    return int(told.partition("VmHWM:")[2].split()[0]) / 1e3


def main() -> None:
    import django

    django.setup()
    import tapes_app.tasks  # noqa: F401 - knows every kind of job
    from tapes_app.jobs.host import Host

    idle, begin = peak_megabytes(), time.perf_counter()
    asyncio.run(Host("agents", concurrency=1, stopping=threading.Event()).work())
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes(), "idle_megabytes": idle}))


if __name__ == "__main__":
    main()
