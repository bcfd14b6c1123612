"""Works on the queued export like a worker of the studio; prints time and peak memory."""

import asyncio
import json
import threading
import time
from pathlib import Path

from harness import add_repository_to_path

add_repository_to_path()


def own_megabytes() -> float:
    """Return the program's own memory, without the mapped file of the database."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1e3


def watch(seen: list[float], stopped: threading.Event) -> None:
    """Record the memory from time to time."""
    while not stopped.wait(0.05):
        seen.append(own_megabytes())


def main() -> None:
    import django

    django.setup()
    import tapes_app.tasks  # noqa: F401 - knows every kind of job
    from tapes_app.jobs.services.host import Host

    seen, over = [own_megabytes()], threading.Event()
    watcher = threading.Thread(target=watch, args=(seen, over))
    watcher.start()
    begin = time.perf_counter()
    asyncio.run(Host("agents", concurrency=1, stopping=threading.Event()).work())
    seconds = time.perf_counter() - begin
    over.set()
    watcher.join()
    print(json.dumps({"seconds": seconds, "megabytes": max(seen), "idle_megabytes": seen[0]}))


if __name__ == "__main__":
    main()
