"""Configs to start from, and the learning rate that suits a model."""

import math
from typing import Any

from optimize_app.finetune.trainer.config import FinetuneConfig, LoraConfig

PRESETS: dict[str, dict[str, Any]] = {
    # The report's student: one epoch of LoRA with AdamW (paper 5.4).
    "paper": {"learning_rate": 1e-5, "batch_size": 32, "epochs": 1.0},
    # A model of a few million parameters on a CPU.
    "tiny": {
        "lora": LoraConfig(rank=32, alpha=64.0),
        "batch_size": 8,
        "max_length": 1024,
        "tokens_per_pass": 4096,
    },
    # All weights of such a model: an adapter of it has memorized sentences where this learns what
    # they have in common (docs/distillation.md).
    # Results vary widely between seeds when sentences are read twice: without warm-up the worst of
    # three solved 26 % of unseen problems, with it 58 %.
    "tiny-full": {
        "method": "full",
        "learning_rate": 2e-3,
        "warmup_steps": 100,
        "epochs": 2.0,
        "batch_size": 8,
        "max_length": 1024,
        "tokens_per_pass": 4096,
    },
    "8b": {
        "lora": LoraConfig(rank=16, alpha=32.0),
        "batch_size": 32,
        "max_length": 8192,
        "tokens_per_pass": 16384,
        "batching": "packed",
        "warmup_steps": 10,
    },
    "preference": {
        "objective": "preference",
        "learning_rate": 1e-5,
        "batch_size": 16,
        "beta": 0.1,
        "warmup_steps": 10,
    },
}
"""What each preset sets; everything else stays at its default."""

_FULL_RATE = 5e-5
_LORA_FACTOR = 10.0
_REFERENCE_WIDTH = 2000
_EXPONENTS = {"llama": 0.781, "qwen": 0.0775}
"""Regret under 0.5 % over sweeps of these families (Tinker cookbook, hyperparameters page)."""
_OTHER_EXPONENT = 0.5


def configure(preset: str, **values: Any) -> FinetuneConfig:
    """Return the config of a preset with `values` on top."""
    return FinetuneConfig(**{**PRESETS[preset], **values})


def propose_learning_rate(family: str, width: int, method: str) -> float:
    """Return a learning rate by family (`llama`, `qwen2` …) and hidden size.

    rate = 5e-5 · (10 for LoRA) · (2000 / width)^p; the rank does not change it.
    """
    exponent = next(
        (power for name, power in _EXPONENTS.items() if family.startswith(name)), _OTHER_EXPONENT
    )
    rate = _FULL_RATE * (_LORA_FACTOR if method == "lora" else 1.0)
    return float(f"{rate * (_REFERENCE_WIDTH / width) ** exponent:.2g}")


def rate_at(config: FinetuneConfig, rate: float, step: int, steps: int) -> float:
    """Return the learning rate of optimizer step `step` (from 0) of `steps`."""
    if step < config.warmup_steps:
        return rate * (step + 1) / config.warmup_steps
    done = (step - config.warmup_steps) / max(1, steps - config.warmup_steps)
    shares = {"constant": 1.0, "linear": 1 - done, "cosine": 0.5 * (1 + math.cos(math.pi * done))}
    share = shares[config.schedule]
    return rate * (config.final_fraction + (1 - config.final_fraction) * share)
