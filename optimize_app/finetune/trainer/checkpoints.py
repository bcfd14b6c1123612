"""Saved points of a run. A resumed run equals an uninterrupted one, to the last bit on a CPU.

A checkpoint holds the trained weights, the optimizer's state and the run's position. It needs no
random state: each step draws from its own seed (`training.seed_step`), and the order of examples is
a function of seed and epoch.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from optimize_app.finetune.trainer.errors import ChangedRunError
from optimize_app.finetune.trainer.room import explaining_full_disk
from optimize_app.finetune.trainer.run_folder import atomic_folder, write_json
from optimize_app.finetune.trainer.sharding import full_state, gather, load_full_state, part_like
from tapes_app.engine.frozen_model import FrozenModel


class Progress(FrozenModel):
    """A run's position after a step; what a checkpoint stores in addition to the weights."""

    config_hash: str
    data_hash: str
    step: int = 0
    """Optimizer steps done so far."""
    seconds: float = 0.0
    tokens: int = 0
    tokens_per_pass: int
    """It falls when a GPU's memory was too small."""
    best_loss: float | None = None
    best_step: int | None = None
    worse: int = 0
    """Number of evaluations since the best one."""


@dataclass(frozen=True)
class Learnt:
    """What a checkpoint keeps of a model and its optimizers, complete and on the CPU."""

    weights: dict[str, torch.Tensor]
    optimizers: list[dict[str, Any]]


def collect(model: torch.nn.Module, optimizers: list[torch.optim.Optimizer]) -> Learnt:
    """Return what was learnt so far, for the first process to write.

    If the model is sharded, all processes must call this.
    """
    return Learnt(trained_weights(model), [full_state(part) for part in optimizers])


def save_checkpoint(folder: Path, progress: Progress, learnt: Learnt, keep: int) -> None:
    """Write a complete checkpoint, and remove those that are neither newest nor best."""
    place = checkpoint_of(folder, progress.step)
    if place.is_dir():
        return
    with atomic_folder(place) as fresh, explaining_full_disk(folder):
        save_file(learnt.weights, fresh / "weights.safetensors")
        torch.save(learnt.optimizers, fresh / "optimizer.pt")
        write_json(fresh / "progress.json", progress.model_dump())
    kept = {path.name for path in _list(folder)[-keep:]}
    if progress.best_step is not None:
        kept.add(checkpoint_of(folder, progress.best_step).name)
    for path in _list(folder):
        if path.name not in kept:
            shutil.rmtree(path)


def find_newest_step(folder: Path) -> int | None:
    """Return the step of the newest checkpoint."""
    found = _list(folder)
    return int(found[-1].name.removeprefix("step-")) if found else None


def find_checkpoint(folder: Path) -> tuple[Path | None, tuple[str, ...]]:
    """Return the newest checkpoint that can be read, and the names of newer ones that cannot.

    Half-written ones are removed, and so are the damaged ones, as their steps are done again.
    """
    damaged: list[str] = []
    for leftover in folder.glob(".*.tmp-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    for checkpoint in reversed(_list(folder)):
        if _is_sound(checkpoint):
            return checkpoint, tuple(damaged)
        damaged.append(checkpoint.name)
        # Another process of the same launch may be removing it too.
        shutil.rmtree(checkpoint, ignore_errors=True)
    return None, tuple(damaged)


_DAMAGE = (FileNotFoundError, EOFError, LookupError, RuntimeError, ValueError, UnpicklingError,
    SafetensorError)  # fmt: skip
"""What reading a damaged checkpoint raises: torch's reader of archives a `RuntimeError`, its
unpickler most of the others, Pydantic a `ValueError`.

Other errors of the system, such as too little memory or a disk that does not answer, say nothing
about the checkpoint, which is removed if it is damaged.
"""


def _is_sound(checkpoint: Path) -> bool:
    try:
        Progress.model_validate_json((checkpoint / "progress.json").read_bytes())
        load_file(checkpoint / "weights.safetensors")
        torch.load(checkpoint / "optimizer.pt", map_location="cpu", weights_only=True)
    except _DAMAGE:
        return False
    return True


def read_progress(checkpoint: Path, *, config_hash: str, data_hash: str) -> Progress:
    """Return a run's position.

    Raises:
        ChangedRunError: the folder's config or examples differ from the checkpoint's.
    """
    progress = Progress.model_validate_json((checkpoint / "progress.json").read_bytes())
    changed = [
        name
        for name, now, then in (
            ("config", config_hash, progress.config_hash),
            ("examples", data_hash, progress.data_hash),
        )
        if now != then
    ]
    if changed:
        raise ChangedRunError(
            f"The {' and the '.join(changed)} of this run changed after step {progress.step}. "
            "Restore them to continue, or start a new run folder."
        )
    return progress


def load_weights(checkpoint: Path, model: torch.nn.Module) -> None:
    """Load a checkpoint's weights into the model."""
    stored = load_file(checkpoint / "weights.safetensors")
    for name, parameter in _trained(model).items():
        with torch.no_grad():
            parameter.copy_(part_like(stored[name], parameter))


def load_optimizers(checkpoint: Path, optimizers: list[torch.optim.Optimizer]) -> None:
    """Load a checkpoint's moments into the optimizers."""
    stored: list[Any] = torch.load(
        checkpoint / "optimizer.pt", map_location="cpu", weights_only=True
    )
    for optimizer, state in zip(optimizers, stored, strict=True):
        load_full_state(optimizer, state)


def trained_weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Return the trained weights, complete, by name, for writing."""
    return {name: gather(value.detach()).contiguous() for name, value in _trained(model).items()}


def checkpoint_of(folder: Path, step: int) -> Path:
    """Return the checkpoint of a step."""
    return folder / f"step-{step:08d}"


def _trained(model: torch.nn.Module) -> dict[str, torch.nn.Parameter]:
    return {name: value for name, value in model.named_parameters() if value.requires_grad}


def _list(folder: Path) -> list[Path]:
    return sorted(folder.glob("step-*"))
