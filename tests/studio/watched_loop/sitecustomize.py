"""Python imports this at its start if the folder is on its path; a web process is then watched.

It writes a line of JSON into the file named in `WATCHED_LOOP` each time uvicorn's event loop was
blocked by work: when its own thread, or another that held the interpreter's lock, used more than
`MOST_SECONDS` of CPU between two of its beats. Wall-clock time means little on a busy machine; the
CPU that a thread used is the same on any. Audit events of the loop's thread report waits that use
no CPU (files, sockets, sleep).
"""

import json
import os
import sys
import threading
import time
import traceback
from itertools import starmap
from pathlib import Path
from types import FrameType
from typing import Any

MOST_SECONDS = 0.25
_BEAT_SECONDS = 0.02
_LOOK_AFTER_SECONDS = 0.15
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
        self._place = ""
        self._own = time.thread_time()
        self._all = time.process_time()
        self._beaten = time.monotonic()
        self._is_writing = False
        sys.addaudithook(self._on_audit)
        threading.Thread(target=self._look_for_place, daemon=True).start()
        self._beat()

    def _beat(self) -> None:
        own, everything = time.thread_time(), time.process_time()
        used = own - self._own
        others = everything - self._all - used
        if max(used, others) > MOST_SECONDS:
            # Without a place, the work has just given the lock back: its thread is still there.
            self._write(loop=used, others=others, place=self._place or describe_threads())
        self._place = ""
        self._beaten = time.monotonic()
        # As read above: any file operation now lets another thread take the lock, and keep it.
        self._own, self._all = own, everything
        self._loop.call_later(_BEAT_SECONDS, self._beat)

    def _look_for_place(self) -> None:
        # With the lock: `faulthandler.dump_traceback_later` reads the frames of running threads
        # without it, which ends the process now and then.
        while True:
            time.sleep(_BEAT_SECONDS)
            if not self._place and time.monotonic() - self._beaten > _LOOK_AFTER_SECONDS:
                self._place = describe_threads()

    def _on_audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _WAITING or threading.get_ident() != self._thread or self._is_writing:
            return
        for frame, line in traceback.walk_stack(sys._getframe(1)):
            if "importlib" in frame.f_code.co_filename:
                return  # a late import is counted by its CPU time
            if is_ours(frame.f_code.co_filename):
                self._write(waits_for=event, place=describe_place(frame, line))
                return

    def _write(self, **values: object) -> None:
        self._is_writing = True
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(values) + "\n")
        self._is_writing = False


def describe_threads() -> str:
    """Return where each thread of this process is, innermost call first."""
    stacks = [traceback.walk_stack(frame) for frame in sys._current_frames().values()]
    return "\n\n".join("\n".join(starmap(describe_place, stack)) for stack in stacks)


def describe_place(frame: FrameType, line: int) -> str:
    return f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}"


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


# Web servers are forked from this one.
if os.environ.get("WATCHED_LOOP") and any("forkserver" in word for word in sys.orig_argv):
    watch_web_process(os.environ["WATCHED_LOOP"])
