"""`python -m tests.fork_server SOCKET`: loads torch, then forks each program that it is asked for.

It loads when it is first asked, so that a run of tests without such programs does not pay for it,
and ends with its standard input.
"""

import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass

_LOADED = (
    "torch", "transformers", "transformers.modeling_utils", "transformers.models.llama", "peft",
    "accelerate", "llguidance",
    "optimize_app.finetune.trainer.prepared_run", "optimize_app.serving.server.app",
)  # fmt: skip
_LONGEST_REQUEST = 1_000_000


@dataclass(frozen=True)
class Request:
    """What a process that wanted to be a program was started with."""

    module: str
    arguments: list[str]
    folder: str
    environment: dict[str, str]


class ForkServer:
    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._selector = selectors.DefaultSelector()
        self._children: dict[int, socket.socket] = {}
        self._has_loaded = False

    def serve(self) -> None:
        """Fork and pass on signals until standard input ends."""
        ended, notify = os.pipe()
        os.set_blocking(notify, False)
        signal.set_wakeup_fd(notify)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._selector.register(ended, selectors.EVENT_READ)
        self._selector.register(0, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listening:
                    self._accept()
                elif key.fileobj == ended:
                    os.read(ended, 4096)
                    self._report_ended()
                elif key.fileobj == 0:
                    return self._kill_all()
                elif isinstance(key.fileobj, socket.socket):
                    self._pass_on(key.data, key.fileobj)

    def _accept(self) -> None:
        if not self._has_loaded:
            load()
            self._has_loaded = True
        asking, _ = self._listening.accept()
        message, streams, _, _ = socket.recv_fds(asking, _LONGEST_REQUEST, 3)
        request = Request(**json.loads(message))
        child = os.fork()
        if child == 0:
            self._listening.close()
            self._selector.close()
            become(request, streams)
        for stream in streams:
            os.close(stream)
        self._children[child] = asking
        self._selector.register(asking, selectors.EVENT_READ, child)

    def _pass_on(self, child: int, asking: socket.socket) -> None:
        signals = b""
        with suppress(OSError):
            signals = asking.recv(64)
        for number in signals or [signal.SIGKILL]:  # the process that asked is gone
            with suppress(ProcessLookupError):
                (os.kill if signals else os.killpg)(child, number)
        if not signals:
            self._selector.unregister(asking)

    def _report_ended(self) -> None:
        while self._children:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            asking = self._children.pop(child)
            with suppress(KeyError):
                self._selector.unregister(asking)
            with asking, suppress(OSError):
                asking.sendall(json.dumps(os.waitstatus_to_exitcode(status)).encode())

    def _kill_all(self) -> None:
        for child in self._children:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)


def load() -> None:
    for name in _LOADED:
        importlib.import_module(name)
    gc.freeze()  # so that forks share the pages of what is loaded


def become(request: Request, streams: list[int]) -> None:
    """Be the program from here on, in this forked process."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = [request.module, *request.arguments]
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)
    raise SystemExit


def main(address: str) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(address)
        listening.listen(32)
        print("listening", flush=True)
        ForkServer(listening).serve()


if __name__ == "__main__":
    main(sys.argv[1])
