"""What a run will take: estimated before it starts, and again after three measured steps."""

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.encoding import EncodedSet, Item
from optimize_app.finetune.trainer.models import BaseShape

_PEAK_FLOPS = {
    "H200": 989e12,
    "H100": 989e12,
    "A100": 312e12,
    "L40S": 362e12,
    "A10": 125e12,
    "RTX 4090": 165e12,
}
"""Dense bf16 FLOP/s by a part of the device's name, from the makers' data sheets."""
_USUAL_SHARE = 0.4
MEASURED_STEPS = 3
_LIBRARIES = 430_000_000
"""Bytes of a process that has only loaded torch, transformers and peft."""


@dataclass(frozen=True)
class RunPlan:
    """Counts of a run and its estimates. Memory in bytes, time in seconds."""

    examples: int
    left_out: int
    notes: tuple[str, ...]
    """What is not learnt of the examples, one sentence each; empty if all of them are."""
    evaluation_examples: int
    tokens_per_epoch: int
    trained_tokens_per_epoch: int
    longest: int
    steps_per_epoch: int
    steps: int
    parameters: int
    trainable: int
    learning_rate: float
    retokenized: int
    """Examples whose text has other tokens in one piece than in parts."""
    cut: int
    """Examples whose beginning is cut off."""
    expected_memory: int
    expected_seconds: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def count_flops(
    shape: BaseShape, method: str, tokens: int, learnt: int, *, recomputed: bool
) -> float:
    """Return the floating-point operations that training on `tokens` takes, `learnt` of them.

    2 per weight for the forward pass, 2 for the gradient of the inputs, 2 for that of the weights,
    which a frozen base does not need; attention is left out, as is usual. The head is applied only
    where something is learnt, and is not recomputed.
    """
    per_weight = 4 if method == "lora" else 6
    head = shape.width * shape.vocabulary
    body = shape.linear_parameters - head
    return float((per_weight + 2 * recomputed) * body * tokens + per_weight * head * learnt)


def peak_flops(device: torch.device) -> float | None:
    """Return a device's peak FLOP/s in bf16, or None if it is not known."""
    if device.type != "cuda":
        return None
    name = torch.cuda.get_device_name(device)
    return next((peak for part, peak in _PEAK_FLOPS.items() if part in name), None)


def expect_memory(
    shape: BaseShape, config: FinetuneConfig, precision: str, device: torch.device
) -> int:
    """Return the bytes that a run is expected to need: on the GPU, or in the process on a CPU.

    The sum of the weights, three four-byte values for each trained one (gradient and two moments),
    what a pass keeps for its gradient (in fp32 17 values per token, layer and unit of width; the
    count of Korthikanti et al. 2022 without attention scores; in bf16 23, as measured on a GPU,
    where adapters keep more), and the logits of learnt tokens.
    """
    width = {"fp32": 4, "bf16": 2}[precision]
    kept = {"fp32": 17, "bf16": 23}[precision]
    logit = {"fp32": 4, "bf16": 5}[precision]  # with copies, if a third of the tokens is learnt
    weight = 0.6 if config.quantization == "4bit" else width if config.method == "lora" else 4
    kept_layers = 1 if config.gradient_checkpointing else shape.layers
    activations = config.tokens_per_pass * shape.width * kept * width * kept_layers
    logits = config.tokens_per_pass * shape.vocabulary * logit
    libraries = _LIBRARIES if device.type == "cpu" else 0
    held = (shape.parameters * weight + shape.trainable * 12) / (
        config.processes if config.sharded else 1
    )
    return int(held + activations + logits) + libraries


def make_plan(
    *,
    config: FinetuneConfig,
    shape: BaseShape,
    training: EncodedSet,
    held_out: EncodedSet,
    steps_per_epoch: int,
    rate: float,
    device: torch.device,
    precision: str,
) -> RunPlan:
    """Return the plan of a run."""
    tokens = sum(len(item) for item in training.items)
    steps = config.steps or max(1, round(config.epochs * steps_per_epoch))
    learnt = sum(item.trained for item in training.items)
    flops = count_flops(
        shape, config.method, tokens, learnt, recomputed=config.gradient_checkpointing
    ) * (steps / steps_per_epoch)
    peak = peak_flops(device)
    speed = _measure_cpu() if peak is None else peak * _USUAL_SHARE
    sequences = [part for item in training.items for part in _parts(item)]
    return RunPlan(
        examples=len(training.items),
        left_out=len(training.left_out),
        notes=tuple(_list_notes(training, held_out)),
        evaluation_examples=len(held_out.items),
        tokens_per_epoch=tokens,
        trained_tokens_per_epoch=learnt,
        longest=max(len(item) for item in training.items),
        steps_per_epoch=steps_per_epoch,
        steps=steps,
        parameters=shape.parameters,
        trainable=shape.trainable,
        learning_rate=rate,
        retokenized=sum(part.retokenized for part in sequences),
        cut=sum(part.cut > 0 for part in sequences),
        expected_memory=expect_memory(shape, config, precision, device),
        expected_seconds=round(flops / speed, 1),
    )


def _list_notes(training: EncodedSet, held_out: EncodedSet) -> Iterator[str]:
    for which, encoded in (("", training), ("held-out ", held_out)):
        whole = len(encoded.items) + len(encoded.left_out)
        for reason, count in encoded.reasons.most_common():
            yield f"{count:,} of {whole:,} {which}examples left out. {reason}"
        sequences = (part for item in encoded.items for part in _parts(item))
        if lost := sum(part.loses_thoughts for part in sequences):
            yield (
                f"{lost:,} of {whole:,} {which}examples lose what was thought before the answer, "
                "as the chat template of the base model has no place for it."
            )


def seconds_left(durations: Sequence[float], steps_left: int) -> float:
    """Return the remaining time, by the median of the last steps."""
    return statistics.median(durations[-20:]) * steps_left


def _measure_cpu() -> float:
    """Return the FLOP/s of a small matrix product, the size that such models have."""
    left, right = torch.rand(2048, 128), torch.rand(128, 320)
    started = time.perf_counter()
    for _ in range(10):
        _ = left @ right
    return 10 * 2 * left.numel() * right.shape[1] / (time.perf_counter() - started) * 0.5


def _parts(item: Item) -> tuple[Any, ...]:
    chosen = getattr(item, "chosen", None)
    return (item,) if chosen is None else (chosen, item.rejected)  # type: ignore[union-attr]
