"""The parts of `gpu.py`, each run in a process of its own, so that it starts with an empty GPU.

`python gpu_parts.py PART JSON` prints what it found as JSON in its last line.
"""

import gc
import json
import os
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import torch
from harness import HERE, add_repository_to_path
from peft.helpers import disable_input_dtype_casting
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig

add_repository_to_path()
sys.path.insert(0, str(HERE / "peers"))

from trainers import train as train_peer  # noqa: E402

from optimize_app.finetune.__main__ import main as run_trainer  # noqa: E402
from optimize_app.finetune.trainer.blank_model import make_tokenizer  # noqa: E402
from optimize_app.finetune.trainer.checkpoints import checkpoint_of, load_weights  # noqa: E402
from optimize_app.finetune.trainer.config import FinetuneConfig  # noqa: E402
from optimize_app.finetune.trainer.encoding import Encoded  # noqa: E402
from optimize_app.finetune.trainer.models import examine_base, load_model  # noqa: E402
from optimize_app.finetune.trainer.planning import count_flops, peak_flops  # noqa: E402
from optimize_app.finetune.trainer.tensors import make_pass, score_tokens  # noqa: E402
from optimize_app.serving.server.adapters import find_adapter  # noqa: E402
from optimize_app.serving.server.config import ServerConfig  # noqa: E402
from optimize_app.serving.server.decoding import Batch, Row  # noqa: E402
from optimize_app.serving.server.model import AdaptedModel, load_base  # noqa: E402
from optimize_app.serving.server.sampling import Drawing, draw  # noqa: E402

VOCABULARY = 512
"""Tokens of the tokenizer; the models have more, as real ones do."""
WARM_STEPS = 5


def make_base(*, folder: str, shape: dict[str, Any], device: str) -> dict[str, Any]:
    """Write a Llama with random weights into `blank`, and its examples."""
    tokenizer = make_tokenizer(VOCABULARY, 0)
    config = LlamaConfig(**shape["model"], bos_token_id=None, eos_token_id=tokenizer.eos_token_id)
    torch.manual_seed(0)
    with torch.device(device):
        dtype = torch.bfloat16 if device == "cuda" else torch.float32
        model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    blank = Path(folder) / "blank"
    model.save_pretrained(blank)
    tokenizer.save_pretrained(blank)
    _write_examples(Path(folder), shape, len(tokenizer))
    name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    parameters = sum(one.numel() for one in model.parameters())
    return {"device": name, "parameters": parameters}


def _write_examples(folder: Path, shape: dict[str, Any], vocabulary: int) -> None:
    """Write recorded calls of an agent: a prompt, and a quarter as many tokens of answer."""
    chance = random.Random(5)
    with (folder / "samples.jsonl").open("w") as file:
        for number in range(shape["steps"] * shape["batch"]):
            length = chance.randint(shape["length"] // 8, shape["length"])
            example = {
                "kind": "tokens",
                "id": str(number),
                "token_ids": [chance.randrange(10, vocabulary) for _ in range(length)],
                "weights": [0.0] * (length - length // 4) + [1.0] * (length // 4),
            }
            file.write(json.dumps(example) + "\n")


def _write_run(
    run: Path, folder: str, shape: dict[str, Any], device: str, **options: Any
) -> FinetuneConfig:
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir()
    shutil.copy(Path(folder) / "samples.jsonl", run)
    config = FinetuneConfig(
        **{
            "base": str(Path(folder) / "blank"),
            "device": device,
            "lora": {"rank": shape["rank"], "alpha": 2 * shape["rank"]},
            "learning_rate": 1e-3,
            "batch_size": shape["batch"],
            "max_length": shape["length"],
            "tokens_per_pass": shape["batch"] // shape["passes"] * shape["length"],
            "checkpoint_every": 10_000,
            "trackers": (),
            "too_little_memory": "try",
            **options,
        }
    )
    (run / "config.json").write_text(config.model_dump_json())
    return config


def _read_events(run: Path, event: str) -> list[dict[str, Any]]:
    lines = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    return [line for line in lines if line["event"] == event]


def train_ours(*, folder: str, shape: dict[str, Any], device: str, batching: str) -> dict[str, Any]:
    """Train one epoch; return tokens per second after the first steps, and what it took."""
    run = Path(folder) / f"run-{batching}"
    config = _write_run(run, folder, shape, device, batching=batching)
    _finish(run)
    steps = _read_events(run, "step")
    first, last = steps[WARM_STEPS - 1], steps[-1]
    (plan,) = _read_events(run, "plan")
    share = plan["trained_tokens_per_epoch"] / plan["tokens_per_epoch"]
    flops = count_flops(examine_base(config), "lora", 10_000, int(10_000 * share), recomputed=False)
    return {
        "tokens_per_second": (last["tokens"] - first["tokens"])
        / (last["seconds"] - first["seconds"]),
        "memory": last["memory"],
        "expected_memory": plan["expected_memory"],
        "smaller_passes": len(_read_events(run, "smaller_passes")),
        "flops_per_token": flops / 10_000,
        "peak": peak_flops(torch.device(device)),
    }


def _finish(run: Path) -> None:
    status = run_trainer([str(run)])
    if status:
        raise SystemExit(f"The trainer ended with {status}: {(run / 'result.json').read_text()}")


def repeat_runs(*, folder: str, shape: dict[str, Any], device: str, exact: bool) -> dict[str, Any]:
    """Train the same twice in this process, and the second half again from a checkpoint.

    With `exact`, by torch's deterministic algorithms. Returns the largest differences of an
    adapter's weight, and the bytes still allocated on the GPU after each run. Each run also
    measures and answers a held-out example.
    """
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # of 32 MB; deterministic ones ask for it
    torch.use_deterministic_algorithms(exact, warn_only=True)
    first, again, resumed = (Path(folder) / name for name in ("first", "again", "resumed"))
    left = []
    for run in (first, again, resumed):
        _write_run(
            run, folder, shape, device, steps=6, checkpoint_every=3, evaluate_every=6,
            generations=1, generation_tokens=8,
        )  # fmt: skip
        lines = (run / "samples.jsonl").read_text().splitlines(keepends=True)
        (run / "evaluation.jsonl").write_text(lines[0])
        if run == resumed:
            half = checkpoint_of(first / "checkpoints", 3)
            shutil.copytree(half, checkpoint_of(run / "checkpoints", 3))
        _finish(run)
        gc.collect()
        left.append(torch.cuda.memory_allocated() if device == "cuda" else 0)
    torch.use_deterministic_algorithms(False)
    return {
        "left": left,
        "apart": _compare(first, again),
        "resumed_apart": _compare(first, resumed),
        "learnt": _compare(first, None),
        "steps_after_resuming": len(_read_events(resumed, "step")),
    }


def _compare(one: Path, other: Path | None) -> float:
    """Return the largest difference of a weight of two adapters, or of one from its start.

    The second matrices start at zero, so their size is what was learnt.
    """
    left = load_file(one / "adapter" / "adapter_model.safetensors")
    if other is None:
        return max(float(value.abs().max()) for name, value in left.items() if "lora_B" in name)
    right = load_file(other / "adapter" / "adapter_model.safetensors")
    return max(float((left[name] - right[name]).abs().max()) for name in left)


def compare_server(
    *, folder: str, shape: dict[str, Any], device: str
) -> dict[str, dict[str, float]]:
    """Generate as the server does with the adapter of `first`, and score as the trainer does.

    Returns |log-probability trainer - server|, mean and largest, over the generated tokens, for
    each precision.
    """
    adapters = Path(folder) / "adapters"
    adapters.mkdir()
    shutil.copytree(Path(folder) / "first" / "adapter", adapters / "one")
    found = {}
    for precision in ("bf16", "fp32"):
        rows, served = _generate(folder, shape, device, precision)
        scored = _score(folder, device, precision, rows)
        apart = [
            abs(x - y)
            for ours, theirs in zip(scored, served, strict=True)
            for x, y in zip(ours, theirs, strict=True)
        ]
        mean = sum(apart) / len(apart)
        found[precision] = {"tokens": len(apart), "mean": mean, "largest": max(apart)}
    return found


def _score(folder: str, device: str, precision: str, rows: list[Row]) -> list[list[float]]:
    """Return the log-probabilities of the rows' answers in the trainer's pass."""
    run = Path(folder) / "first"
    config = FinetuneConfig.model_validate_json((run / "config.json").read_bytes())
    model = load_model(config, torch.device(device), precision).to(device).eval()
    load_weights(checkpoint_of(run / "checkpoints", 6), model)
    scored = []
    # As accelerate prepares a model of this precision for the trainer.
    autocast = torch.autocast(device, dtype=torch.bfloat16, enabled=precision == "bf16")
    with torch.no_grad(), autocast, disable_input_dtype_casting(model):
        for row in rows:
            weights = (0.0,) * len(row.prompt) + (1.0,) * len(row.ids)
            whole = Encoded("", (*row.prompt, *row.ids), weights)
            batch = make_pass([whole], packed=False, pad_id=0, device=torch.device(device))
            scored.append(score_tokens(model, batch).log_probabilities[0].tolist())
    return scored


def _generate(
    folder: str, shape: dict[str, Any], device: str, precision: str
) -> tuple[list[Row], list[list[float]]]:
    """Return answers of a batch of prompts, at temperature 1, with their log-probabilities."""
    settings = {"base": str(Path(folder) / "blank"), "device": device, "precision": precision}
    base = load_base(ServerConfig(**settings))
    model = AdaptedModel(base, max_adapters=1)
    key = model.take(find_adapter(Path(folder) / "adapters", "one"), ())
    chance = random.Random(7)
    rows = [
        Row(tuple(chance.randrange(10, VOCABULARY) for _ in range(size)), key)
        for size in range(shape["length"] // 8, shape["length"], shape["length"] // 8)
    ]
    batch = Batch(model, pad_id=0)
    logits, served = batch.join(rows), [[] for _ in rows]
    for step in range(shape["answer"]):
        drawn = draw(logits, None, [Drawing(1.0, 1.0, chance.random()) for _ in rows])
        for row, token, logs, kept in zip(
            rows, drawn.tokens.tolist(), drawn.log_probabilities, served, strict=True
        ):
            row.ids.append(token)
            kept.append(float(logs[token]))
        if step + 1 < shape["answer"]:
            logits = batch.advance()
    return rows, served


PARTS = {
    "make_base": make_base,
    "train_ours": train_ours,
    "train_peer": train_peer,
    "repeat_runs": repeat_runs,
    "compare_server": compare_server,
}

if __name__ == "__main__":
    print("\n" + json.dumps(PARTS[sys.argv[1]](**json.loads(sys.argv[2]))))
