"""vLLM as the server of a folder: a stand-in for its program shows what it is started with."""

import json
import subprocess
import sys
from pathlib import Path

from optimize_app.serving.server.server_folder import ServerFolder
from tests.finetune.folders import ROOT
from tests.serving.servers import write_server
from tests.waiting import PATIENCE_SECONDS, wait_until

STAND_IN = f"""#!{sys.executable}
import http.server, json, os, sys

class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()

seen = {{"arguments": sys.argv[1:], "variables": {{
    name: value for name, value in os.environ.items() if name.startswith("VLLM_")}}}}
open(os.environ["SEEN"], "w").write(json.dumps(seen))
port = int(sys.argv[sys.argv.index("--port") + 1])
http.server.HTTPServer(("127.0.0.1", port), Health).serve_forever()
"""


def start(program: Path, folder: Path, seen: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "optimize_app.serving.vllm", str(program), str(folder)],
        cwd=ROOT,
        env={"SEEN": str(seen), "PATH": "/usr/bin:/bin"},
        stderr=subprocess.DEVNULL,
    )


def test_it_serves_a_folder_with_its_key_out_of_sight_until_it_is_stopped(tmp_path: Path) -> None:
    program, seen = tmp_path / "vllm", tmp_path / "seen.json"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    folder = ServerFolder(write_server(tmp_path / "server", tmp_path / "base", api_key="secret"))

    with start(program, folder.path, seen) as process:
        wait_until(folder.read_address)
        assert start(program, folder.path, seen).wait(PATIENCE_SECONDS) == 4  # another one uses it
        address = folder.read_address()
        folder.stop_file.touch()
        assert process.wait(PATIENCE_SECONDS) == 0

    assert address is not None
    told = json.loads(seen.read_text())
    assert told["arguments"][:2] == ["serve", str(tmp_path / "base")]
    port = told["arguments"][told["arguments"].index("--port") + 1]
    assert address.url == f"http://127.0.0.1:{port}/v1"
    assert "secret" not in told["arguments"]
    assert told["variables"]["VLLM_API_KEY"] == "secret"
    assert told["variables"]["VLLM_LORA_RESOLVER_CACHE_DIR"] == str(folder.adapters)
    assert folder.read_address() is None


def test_a_program_that_ends_by_itself_ends_the_server_too(tmp_path: Path) -> None:
    program = tmp_path / "vllm"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    folder = write_server(tmp_path / "server", tmp_path / "base", api_key="secret")

    assert start(program, folder, tmp_path / "seen.json").wait(PATIENCE_SECONDS) == 3
