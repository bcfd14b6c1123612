"""Claim 10 on a GPU: LoRA in bf16 on Llamas of 1 and 8 billion random weights.

Tokens a second, share of the card's peak and memory, beside TRL (where it is installed) and
transformers' Trainer on the same examples in passes of as many tokens; whether runs repeat to the
bit and give their memory back; and the server's log-probabilities beside the trainer's. It needs a
GPU of 80 GB or more and nothing else: no Django, no download. At most eight minutes.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness import HERE, RESULTS, Row, find_versions, finish, row

GOAL = "on a GPU ahead of TRL; the share of peak FLOP/s is stated"
PACKAGES = ("torch", "transformers", "peft", "accelerate", "trl", "pydantic")
SHAPES: dict[str, dict[str, Any]] = {
    "1B": {
        "model": {
            "vocab_size": 128_256, "hidden_size": 2048, "intermediate_size": 8192,
            "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8,
            "max_position_embeddings": 8192, "tie_word_embeddings": True,
        },
        "rank": 16, "steps": 16, "batch": 16, "passes": 2, "length": 2048, "answer": 64,
    },
    "8B": {
        "model": {
            "vocab_size": 128_256, "hidden_size": 4096, "intermediate_size": 14_336,
            "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
            "max_position_embeddings": 8192, "tie_word_embeddings": False,
        },
        "rank": 16, "steps": 10, "batch": 8, "passes": 2, "length": 2048, "answer": 64,
    },
}  # fmt: skip
REPEATED = "1B"
"""The shape that is also trained again, resumed and served."""

PART_SECONDS = 120
"""A part that takes longer is given up."""

Call = Callable[[str, dict[str, Any]], dict[str, Any]]


def call_process(part: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Run a part of `gpu_parts.py` in a process of its own."""
    command = [sys.executable, str(HERE / "gpu_parts.py"), part, json.dumps(asked)]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=PART_SECONDS
    )
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


class Measurement:
    """The rows so far, written after every part: one that fails loses only its own."""

    def __init__(self, folder: Path, *, call: Call, device: str, results: Path) -> None:
        self._folder = folder
        self._call = call
        self._device = device
        self._results = results
        self._card = ""
        self._rows: list[Row] = []
        self._ahead: list[bool] = []

    def measure(self, shapes: dict[str, dict[str, Any]]) -> None:
        for name, shape in shapes.items():
            folder = self._folder / name
            folder.mkdir()
            asked = {"folder": str(folder), "shape": shape, "device": self._device}
            made = self._ask(name, "make_base", asked)
            if made is None:
                continue
            self._card = made["device"]
            self._compare_speed(name, asked)
            if name == REPEATED:
                self._repeat(name, asked)

    def _compare_speed(self, name: str, asked: dict[str, Any]) -> None:
        ours = {
            batching: found
            for batching in ("bucketed", "packed")
            if (found := self._ask(name, "train_ours", {**asked, "batching": batching}))
        }
        peers = {
            title: found
            for title, kind in (("TRL SFTTrainer", "trl"), ("transformers Trainer", "grouped"))
            if (found := self._ask(name, "train_peer", _for_peer(asked, kind)))
        }
        best = max((peer["tokens_per_second"] for peer in peers.values()), default=None)
        for batching, found in ours.items():
            speed = found["tokens_per_second"]
            for title, peer in peers.items():
                case = f"{name}, {batching}, beside {title}"
                self._add(case, speed, peer["tokens_per_second"], "tokens/s", higher_wins=True)
                memory = (found["memory"] / 1e9, peer["memory"] / 1e9)
                self._add(f"{case}: most memory", *memory, "GB", higher_wins=False)
            self._add(
                f"{name}, {batching}: memory, beside what was expected",
                found["memory"] / 1e9, found["expected_memory"] / 1e9, "GB", higher_wins=False,
            )  # fmt: skip
            if found["peak"]:
                scale = 100 * found["flops_per_token"] / found["peak"]
                shares = (scale * speed, best and scale * best)
                self._add(f"{name}, {batching}: share of peak", *shares, "%", higher_wins=True)
        if ours and "TRL SFTTrainer" in peers:
            fastest = max(found["tokens_per_second"] for found in ours.values())
            self._ahead.append(fastest > peers["TRL SFTTrainer"]["tokens_per_second"])
        self._write()

    def _repeat(self, name: str, asked: dict[str, Any]) -> None:
        for exact, how in ((False, ""), (True, ", torch's deterministic algorithms")):
            found = self._ask(name, "repeat_runs", {**asked, "exact": exact})
            if found is None:
                continue
            scale = 100 / found["learnt"]
            for title, apart in (
                ("resumed at half", found["resumed_apart"]), ("trained again", found["apart"])
            ):  # fmt: skip
                case = f"{name}, {title}{how}: largest difference of a weight"
                self._add(case, scale * apart, None, "% of the largest", higher_wins=False)
            for count, left in enumerate(found["left"][:2], start=1):
                if not exact:
                    case = f"{name}: memory still held after {count} of two finetunes in a process"
                    self._add(case, left / 1e6, None, "MB", higher_wins=False)
        for precision, apart in (self._ask(name, "compare_server", asked) or {}).items():
            case = f"{name}, {precision}: trainer and server, {apart['tokens']} tokens"
            for what in ("mean", "largest"):
                self._add(f"{case}: {what}", apart[what], None, "nats", higher_wins=False)
        self._write()

    def _ask(self, name: str, part: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Return what a part found; `None` if it failed, which its own output explains."""
        started = time.perf_counter()
        what = f"{name} {part} {asked.get('kind') or asked.get('batching') or ''}".strip()
        found = None
        if asked.get("kind") != "trl" or find_spec("trl"):
            with suppress(subprocess.SubprocessError):
                found = self._call(part, asked)
        print(f"{what}, {time.perf_counter() - started:.1f} s: {json.dumps(found)}", flush=True)
        return found

    def _add(
        self, case: str, ours: float, peer: float | None, unit: str, *, higher_wins: bool
    ) -> None:
        self._rows.append(row(case, ours, peer, unit, higher_wins=higher_wins))

    def _write(self) -> None:
        versions = find_versions(("trl", "transformers"))
        finish(
            "gpu",
            claim=10,
            goal=GOAL,
            rows=self._rows,
            met=bool(self._ahead) and all(self._ahead),
            peer=", ".join(f"{name} {version}" for name, version in versions.items()),
            gpu=self._card,
            packages=PACKAGES,
            results=self._results,
        )


def _for_peer(asked: dict[str, Any], kind: str) -> dict[str, Any]:
    shape = asked["shape"]
    taken = {name: shape[name] for name in ("batch", "rank", "passes", "length")}
    return {"kind": kind, "folder": asked["folder"], "device": asked["device"],
            "warm_steps": min(5, shape["steps"] - 1), **taken}  # fmt: skip


def main() -> None:
    """Measure, or end with a sentence where there is no GPU."""
    import torch

    if not torch.cuda.is_available():
        raise SystemExit("This machine has no GPU, and this benchmark measures nothing else.")
    with TemporaryDirectory() as name:
        measurement = Measurement(Path(name), call=call_process, device="cuda", results=RESULTS)
        measurement.measure(SHAPES)


if __name__ == "__main__":
    main()
