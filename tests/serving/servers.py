"""Server folders on a small model, and the program on them as a process of its own."""

import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from optimize_app.finetune.trainer.models import adding_adapter
from tests.finetune.folders import ROOT, make_base

SECONDS = 120.0


def make_long_base(folder: Path) -> Path:
    """Write the small base of the trainer's tests, made for 4,096 tokens."""
    make_base(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 4096}))
    return folder


def make_adapter(base: Path, folder: Path, seed: int, **lora: Any) -> Path:
    """Write an adapter with random weights that change every answer."""
    model = AutoModelForCausalLM.from_pretrained(base)
    torch.manual_seed(seed)
    config = LoraConfig(
        r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM",
        init_lora_weights=False, **lora,
    )  # fmt: skip
    with adding_adapter():
        adapted = get_peft_model(model, config)
    adapted.save_pretrained(str(folder))
    return folder


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    folder: Path
    process: "subprocess.Popen[str]"
    url: str
    headers: dict[str, str]

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=self.url, headers=self.headers, timeout=SECONDS, trust_env=False
        )

    def ask(self, said: str = "what is 1 + 2", **fields: Any) -> httpx.Response:
        with self.client() as client:
            return client.post("/v1/chat/completions", json=body_of(said, **fields))

    def answer(self, said: str = "what is 1 + 2", **fields: Any) -> dict[str, Any]:
        response = self.ask(said, **fields)
        assert response.status_code == 200, response.text
        return dict(response.json())

    def text(self, said: str = "what is 1 + 2", **fields: Any) -> str:
        return str(self.answer(said, **fields)["choices"][0]["message"]["content"])

    def metric(self, name: str) -> float:
        with self.client() as client:
            lines = client.get("/metrics").text.splitlines()
        found = [line for line in lines if line.startswith(f"tape_server_{name} ")]
        return float(found[0].rpartition(" ")[2]) if found else 0.0


def body_of(said: str, **fields: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": said}]
    return {"model": "base", "messages": messages, "max_tokens": 16, **fields}


def write_server(folder: Path, base: Path, **config: Any) -> Path:
    (folder / "adapters").mkdir(parents=True, exist_ok=True)
    settings = {"base": str(base), "served_name": "base", "device": "cpu", "threads": 1, **config}
    (folder / "server.json").write_text(json.dumps(settings))
    return folder


def start_program(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "optimize_app.serving", str(folder)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    """Start the server of a folder, and end it by its process."""
    process = start_program(folder)
    assert process.stdout is not None
    said = []
    for line in process.stdout:  # it tells when it answers
        said.append(line)
        if "Answering on" in line:
            break
    else:
        raise AssertionError(f"The server did not start: {''.join(said)}")
    reading = Thread(target=deque, args=(process.stdout, 0), daemon=True)
    reading.start()  # a pipe that nobody reads would hold the server up
    address = json.loads((folder / "address.json").read_text())
    key = json.loads((folder / "server.json").read_text()).get("api_key")
    headers = {"authorization": f"Bearer {key}"} if key else {}
    url = f"http://{address['host']}:{address['port']}"
    try:
        yield Running(folder, process, url, headers)
    finally:
        process.terminate()
        process.wait(SECONDS)
        reading.join()
        process.stdout.close()
