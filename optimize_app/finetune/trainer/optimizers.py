"""Optimizers over the trained weights."""

import torch

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.muon import Muon

_BETAS = (0.9, 0.999)


def make_optimizers(model: torch.nn.Module, config: FinetuneConfig) -> list[torch.optim.Optimizer]:
    """Return the optimizers of a run; their learning rate is set before each step.

    Muon (Jordan 2024) orthogonalises the update of each matrix; embeddings, the head and vectors
    stay with AdamW, as its author advises.
    """
    trained = [(name, part) for name, part in model.named_parameters() if part.requires_grad]
    if config.optimizer == "adamw":
        return [_adamw([part for _, part in trained], config)]
    embedded = {id(part) for part in _embeddings(model)}
    matrices = [part for _, part in trained if part.ndim == 2 and id(part) not in embedded]  # noqa: PLR2004
    chosen = {id(part) for part in matrices}
    rest = [part for _, part in trained if id(part) not in chosen]
    muon = Muon(matrices, lr=0.0, weight_decay=config.weight_decay)
    return [muon, _adamw(rest, config)]


def set_rate(optimizers: list[torch.optim.Optimizer], rate: float) -> None:
    """Set the learning rate of the next step."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = rate


def _adamw(parts: list[torch.nn.Parameter], config: FinetuneConfig) -> torch.optim.Optimizer:
    return torch.optim.AdamW(parts, lr=0.0, betas=_BETAS, weight_decay=config.weight_decay)


def _embeddings(model: torch.nn.Module) -> list[torch.nn.Parameter]:
    return [
        parameter
        for module in model.modules()
        if isinstance(module, torch.nn.Embedding)
        for parameter in module.parameters()
    ]
