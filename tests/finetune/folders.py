"""Run folders on a minute-size model that is made on the spot, for tests of the trainer."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from optimize_app.finetune.trainer.blank_model import TEMPLATE
from optimize_app.finetune.trainer.run_folder import count_valid

ROOT = Path(__file__).resolve().parent.parent.parent


def make_tokenizer(template: str | None = TEMPLATE) -> PreTrainedTokenizerFast:
    """Return a byte-level tokenizer of some 300 tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=special,
        show_progress=False,
    )
    tokenizer.train_from_iterator(["what is the sum of one and two", "the answer is"], trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>"
    )
    made.add_special_tokens({"additional_special_tokens": special[1:]})
    made.chat_template = template
    return made


def make_base(folder: Path, *, template: str | None = TEMPLATE, layers: int = 2) -> Path:
    """Write a Llama-shaped model with random weights; the same ones each time."""
    tokenizer = make_tokenizer(template)
    torch.manual_seed(7)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=layers,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=256,
            tie_word_embeddings=True,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def make_chats(count: int, *, first: int = 0) -> list[dict[str, Any]]:
    """Return sums of small numbers as chats of different lengths."""
    return [
        {
            "kind": "chat",
            "id": f"sum-{number}",
            "messages": [
                {"role": "user", "content": f"{'please ' * (number % 5)}{number} + {number % 7} ="}
            ],
            "answer": {"content": str(number + number % 7)},
            "origin": {"tape": f"tape-{number}", "step": 1},
        }
        for number in range(first, first + count)
    ]


def write_run(
    folder: Path,
    base: Path,
    samples: list[dict[str, Any]],
    *,
    held_out: list[dict[str, Any]] | None = None,
    **config: Any,
) -> Path:
    """Write a run folder, whatever is valid in it or not."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "base": str(base),
        "device": "cpu",
        "batch_size": 4,
        "learning_rate": 5e-3,
        "max_length": 128,
        "tokens_per_pass": 256,
        "checkpoint_every": 5,
        "generations": 0,
        **config,
    }
    (folder / "config.json").write_text(json.dumps(settings))
    write_lines(folder / "samples.jsonl", samples)
    if held_out is not None:
        write_lines(folder / "evaluation.jsonl", held_out)
    return folder


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def read_events(folder: Path, event: str) -> list[dict[str, Any]]:
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    return [dict(one) for one in count_valid(map(json.loads, lines)) if one["event"] == event]


def start_trainer(folder: Path, *options: str, launcher: tuple[str, ...] = ()) -> Any:
    """Start the trainer as a process of its own, as a worker does."""
    module = (*launcher, "-m", "optimize_app.finetune")
    return subprocess.Popen(
        [sys.executable, *module, str(folder), *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(trainer: Any) -> tuple[str, str]:
    """Return what a trainer printed and complained of; it never outlives its test."""
    try:
        output, problems = trainer.communicate()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(trainer.pid, signal.SIGKILL)
        trainer.wait()
    return output, problems
