"""Claim 10: LoRA on one CPU, tokens per second, against TRL's SFTTrainer and transformers' Trainer.

All train the same blank model of 0.8 million weights on the same prompts and answers, with the same
adapter, learning rate and batch size; only answers are learnt. The peers run in our own test
environment, so that the underlying libraries are the same.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from harness import HERE, add_repository_to_path, finish, median_of, row

add_repository_to_path()

from optimize_app.finetune.trainer.base_corpus import list_documents  # noqa: E402

COUNT, BATCH, RANK = 800, 8, 16
GOAL = "at least as many tokens a second as the best of the peers"


def write_examples(folder: Path) -> None:
    """Write single-turn chats: short questions, and look-ups in records of up to 200 tokens."""
    documents = list(list_documents(COUNT * 3, seed=5))
    with (folder / "samples.jsonl").open("w") as file:
        for number in range(COUNT):
            shown = documents[number * 3 : number * 3 + 1 + number % 3]
            *before, last = [turn for document in shown for turn in document]
            messages = [{"role": turn.role, "content": turn.text} for turn in before]
            example = {
                "kind": "chat",
                "id": str(number),
                "messages": messages,
                "answer": {"role": "assistant", "content": last.text},
            }
            file.write(json.dumps(example) + "\n")


def train_ours(folder: Path, batching: str) -> float:
    """Train in a separate process; return tokens per second after the first three steps."""
    run = folder / f"run-{batching}"
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir()
    (run / "samples.jsonl").write_bytes((folder / "samples.jsonl").read_bytes())
    config = {
        "base": str(folder / "blank"),
        "device": "cpu",
        "lora": {"rank": RANK, "alpha": 2 * RANK},
        "learning_rate": 1e-3,
        "batch_size": BATCH,
        "max_length": 1024,
        "tokens_per_pass": 4096,
        "batching": batching,
        "checkpoint_every": 10_000,
    }
    (run / "config.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "optimize_app.finetune", str(run)]
    subprocess.run(command, check=True, cwd=HERE.parent, capture_output=True)
    lines = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    steps = [line for line in lines if line["event"] == "step"]
    first, last = steps[2], steps[-1]
    return (last["tokens"] - first["tokens"]) / (last["seconds"] - first["seconds"])


def train_peer(folder: Path, name: str) -> float:
    program = HERE / "peers" / "trainers.py"
    asked = {"kind": name, "folder": str(folder), "batch": BATCH, "rank": RANK}
    command = [sys.executable, str(program), json.dumps(asked)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout.strip().splitlines()[-1])["tokens_per_second"])


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        folder = Path(name)
        recipe = {"vocabulary": 512, "width": 128, "layers": 4, "seed": 0}
        (folder / "recipe.json").write_text(json.dumps(recipe))
        blank = [sys.executable, "-m", "optimize_app.finetune.trainer.blank_model", name]
        subprocess.run(blank, check=True, cwd=HERE.parent, capture_output=True)
        write_examples(folder)
        peers = {
            title: median_of(lambda: train_peer(folder, peer))  # noqa: B023
            for title, peer in (
                ("TRL SFTTrainer", "trl"),
                ("transformers Trainer", "trainer"),
                ("transformers Trainer, group_by_length", "grouped"),
            )
        }
        bucketed = median_of(lambda: train_ours(folder, "bucketed"))
        packed = median_of(lambda: train_ours(folder, "packed"))
    rows = [
        row(f"bucketed, beside {title}", bucketed, peer, "tokens/s (wall)", higher_wins=True)
        for title, peer in peers.items()
    ]
    rows.append(
        row("packed, beside the best of them", packed, max(peers.values()), "tokens/s (wall)",
            higher_wins=True)
    )  # fmt: skip
    finish(
        "finetune",
        claim=10,
        goal=GOAL,
        rows=rows,
        met=bucketed >= max(peers.values()),
        peer="TRL 1.16.0, transformers 5.23.0",
    )
