"""How a model does on examples that it is not trained on: their loss, and answers to read."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from optimize_app.finetune.trainer.batching import plan_step
from optimize_app.finetune.trainer.encoding import Encoded, EncodedPair, Item
from optimize_app.finetune.trainer.objectives import Objective
from optimize_app.finetune.trainer.turn_ends import find_end_ids


@dataclass(frozen=True)
class Generation:
    """A held-out prompt with the model's greedy answer and the recorded one."""

    id: str
    prompt: str
    expected: str
    answer: str


@dataclass(frozen=True)
class HeldOut:
    """How a model does on held-out examples."""

    loss: float
    """On the scale of the training loss."""

    figures: dict[str, float]
    """Further figures of the objective, each a mean over the examples."""


def measure_held_out(
    model: torch.nn.Module, objective: Objective, items: Sequence[Item], tokens_per_pass: int
) -> HeldOut:
    """Measure a model on held-out examples, which it does not learn."""
    lengths = [len(item) for item in items]
    plan = plan_step(range(len(items)), lengths, tokens_per_pass=tokens_per_pass)
    total = 0.0
    figures: dict[str, float] = defaultdict(float)
    model.eval()
    with torch.no_grad():
        for places in plan.passes[0]:
            result = objective.measure(model, [items[place] for place in places])
            total += float(result.total)
            for name, value in result.figures.items():
                figures[name] += value
    model.train()
    return HeldOut(
        loss=total / objective.size(items),
        figures={name: value / len(items) for name, value in figures.items()},
    )


def answer_prompts(
    model: Any, tokenizer: Any, items: Sequence[Item], *, count: int, tokens: int
) -> list[Generation]:
    """Return answers to the first learnt part of the first `count` examples."""
    generations = []
    model.eval()
    device = next(model.parameters()).device
    for item in items[:count]:
        sequence = item.chosen if isinstance(item, EncodedPair) else item
        prompt, expected = _split(sequence)
        given = torch.tensor([prompt], device=device)
        with torch.no_grad():
            output = model.generate(
                input_ids=given,
                attention_mask=torch.ones_like(given),
                max_new_tokens=tokens,
                do_sample=False,
                use_cache=True,
                pad_token_id=tokenizer.eos_token_id or 0,
                eos_token_id=list(find_end_ids(tokenizer)) or None,
            )
        generations.append(
            Generation(
                id=item.id,
                prompt=tokenizer.decode(prompt),
                expected=tokenizer.decode(expected),
                answer=tokenizer.decode(output[0, len(prompt) :].tolist()),
            )
        )
    model.train()
    return generations


def _split(sequence: Encoded) -> tuple[list[int], list[int]]:
    ids, weights = sequence.token_ids, sequence.weights
    start = next(at for at in range(1, len(ids)) if weights[at])
    end = next((at for at in range(start, len(ids)) if not weights[at]), len(ids))
    return list(ids[:start]), list(ids[start:end])
