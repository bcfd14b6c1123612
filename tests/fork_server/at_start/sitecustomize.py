"""Python imports this at its start: a program that loads torch then lets a fork do its work."""

import json
import os
import signal
import socket
import sys

_PROGRAMS = {
    "optimize_app.finetune",
    "optimize_app.finetune.trainer.blank_model",
    "optimize_app.finetune.trainer.write_texts",
    "optimize_app.finetune.trainer.write_tokens",
    "optimize_app.serving",
    "optimize_app.serving.probe",
}
_PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


def _be_forked(module: str, arguments: list[str]) -> int:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.connect(os.environ["FORK_SERVER"])
    request = {
        "module": module,
        "arguments": arguments,
        "folder": os.getcwd(),
        "environment": dict(os.environ),
    }
    socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
    for number in _PASSED_ON:
        signal.signal(number, lambda number, _: server.send(bytes([number])))
    return int(json.loads(server.recv(64) or b"1"))


def _end_like(status: int) -> None:
    if status < 0:
        if status != -signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


match sys.orig_argv[1:]:
    case ["-m", module, *arguments] if module in _PROGRAMS and "FORK_SERVER" in os.environ:
        _end_like(_be_forked(module, arguments))
