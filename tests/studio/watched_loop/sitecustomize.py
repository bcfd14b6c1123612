"""Python reads this at its start where the folder is on its path; a web process is then watched.

It writes a line of JSON into the file that `WATCHED_LOOP` names each time that the event loop of
uvicorn did not come round although it could have: when its own thread, or another that kept the
interpreter's lock, used more than `MOST_SECONDS` of CPU between two of its beats. Time on a clock
says little on a busy machine; the CPU that a thread used is the same on any. What waits without
using CPU (files, sockets, sleep) is told by audit events of the loop's thread.
"""

import faulthandler
import json
import os
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import Any

MOST_SECONDS = 0.25
_BEAT_SECONDS = 0.02
_TELL_AFTER_SECONDS = 0.15
_WAITING = ("open", "sqlite3.connect", "time.sleep", "socket.connect", "socket.getaddrinfo",
            "subprocess.Popen", "os.listdir", "os.scandir")  # fmt: skip
_ROOT = Path(__file__).resolve().parents[3]
_OURS = tuple(f"{_ROOT}/{folder}/" for folder in ("studio", "tapes_app", "optimize_app"))


class Watch:
    """Beats on one event loop, in the thread of that loop."""

    def __init__(self, loop: Any, path: str) -> None:
        self._loop = loop
        self._path = Path(path)
        self._thread = threading.get_ident()
        self._places = tempfile.TemporaryFile()  # noqa: SIM115
        self._own = time.thread_time()
        self._all = time.process_time()
        self._is_writing = False
        sys.addaudithook(self._hear)
        self._beat()

    def _beat(self) -> None:
        own, everything = time.thread_time(), time.process_time()
        used = own - self._own
        others = everything - self._all - used
        if max(used, others) > MOST_SECONDS:
            self._places.seek(0)
            self._write(loop=used, others=others, place=self._places.read().decode())
        self._places.seek(0)
        self._places.truncate()
        # A thread of C, which needs no lock, says where all threads are.
        faulthandler.dump_traceback_later(_TELL_AFTER_SECONDS, file=self._places)
        self._own, self._all = time.thread_time(), time.process_time()
        self._loop.call_later(_BEAT_SECONDS, self._beat)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _WAITING or threading.get_ident() != self._thread or self._is_writing:
            return
        for frame, line in traceback.walk_stack(sys._getframe(1)):
            if "importlib" in frame.f_code.co_filename:
                return  # what a module costs that is read so late is counted as CPU
            if is_ours(frame.f_code.co_filename):
                self._write(waits_for=event, place=f"{frame.f_code.co_filename}:{line}")
                return

    def _write(self, **told: object) -> None:
        self._is_writing = True
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(told) + "\n")
        self._is_writing = False


def is_ours(filename: str) -> bool:
    return filename.startswith(_OURS)


def watch_web_process(path: str) -> None:
    import asyncio

    import uvicorn

    serve = uvicorn.Server.serve

    async def serve_watched(server: uvicorn.Server, sockets: Any = None) -> None:
        Watch(asyncio.get_running_loop(), path)
        await serve(server, sockets)

    uvicorn.Server.serve = serve_watched  # type: ignore[method-assign, assignment]


if os.environ.get("WATCHED_LOOP") and "studio.web" in sys.orig_argv:
    watch_web_process(os.environ["WATCHED_LOOP"])
