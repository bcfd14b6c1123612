"""`python -m optimize_app.serving.vllm PROGRAM SERVER_DIR`: vLLM as the server of a folder.

vLLM finds adapters without help: its plugin `lora_filesystem_resolver` looks for one in the folder
`adapters` when its name is first requested, as our own server does. This module does what every
program over a folder must do: hold it, publish its address, and end on request.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import httpx

from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.server_folder import ServerFolder
from tapes_app.jobs.domain.stop_request import StopRequest

ENDED, BUSY = 0, 4
_LARGEST_RANK = 64
_POLL_SECONDS = 0.5
_PATIENCE_SECONDS = 60.0
"""How long vLLM may take to end before it is killed."""


class Start(NamedTuple):
    """A command and its environment variables."""

    command: Sequence[str]
    variables: Mapping[str, str]


def plan_start(program: str, config: ServerConfig, adapters: Path, port: int) -> Start:
    """Return how to start vLLM; the key is not in the command, which every user can list."""
    command = [program, "serve", config.base, "--host", config.host]
    command += ["--port", str(port), "--served-model-name", config.base_name]
    command += ["--enable-lora", "--max-lora-rank", str(_LARGEST_RANK)]
    command += ["--logprobs-mode", "processed_logprobs"]
    variables = {
        "VLLM_API_KEY": config.api_key or "",
        "VLLM_PLUGINS": "lora_filesystem_resolver",
        "VLLM_LORA_RESOLVER_CACHE_DIR": str(adapters),
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",  # without it, resolvers are not used
    }
    return Start(command, variables)


def main(arguments: Sequence[str]) -> int:
    program, path = arguments
    folder = ServerFolder(Path(path))
    try:
        with folder.hold():
            return _serve(program, folder)
    except BlockingIOError:
        print("Another server uses this folder.", file=sys.stderr)
        return BUSY


def _serve(program: str, folder: ServerFolder) -> int:
    must_end = StopRequest()
    signal.signal(signal.SIGTERM, lambda *_: must_end.set())
    config = folder.read_config()
    folder.adapters.mkdir(mode=0o700, exist_ok=True)
    port = _find_free_port(config.host)
    start = plan_start(program, config, folder.adapters, port)
    server = subprocess.Popen(  # noqa: S603 - the program that the settings name
        start.command,
        env={**os.environ, **start.variables},  # noqa: TID251 - handed on as it is
        stdin=subprocess.DEVNULL,
    )
    try:
        while server.poll() is None and not (must_end.is_set() or folder.must_stop()):
            if folder.read_address() is None and _is_well(config.host, port):
                folder.write_address(config.host, port)
            must_end.wait(_POLL_SECONDS)
    finally:
        folder.address_file.unlink(missing_ok=True)
        _end(server)
    return server.returncode if server.returncode > 0 else ENDED


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _is_well(host: str, port: int) -> bool:
    try:
        return httpx.get(f"http://{host}:{port}/health", trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _find_free_port(host: str) -> int:
    with closing(socket.socket()) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
