"""Room on the disk: what a run's checkpoints need, and the message when there is none.

Does not import torch, so that a run can be refused before it is queued.
"""

import errno
import json
import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from optimize_app.finetune.trainer.config import ALL_LINEAR, FinetuneConfig
from optimize_app.finetune.trainer.errors import DeviceError, TrainingFailedError

_BYTES_PER_WEIGHT = 12
"""Bytes in a checkpoint: the weight and its two moments, four bytes each."""

_LITTLE = 1_000_000
_MATRIX = 2


def check_room(folder: Path, trainable: int, config: FinetuneConfig) -> None:
    """Raise `DeviceError` if the disk has no room for checkpoints and the result."""
    needed = trainable * (_BYTES_PER_WEIGHT * (config.keep_checkpoints + 1) + 4)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise DeviceError(
            f"The run needs about {needed / 1e9:.1f} GB for checkpoints, and the disk of "
            f"{folder} has {free / 1e9:.1f} GB left. Make room, or keep fewer checkpoints."
        )


def count_trainable(base: Path, config: FinetuneConfig) -> int:
    """Return how many weights a run trains, from the headers of its base's files.

    0: they cannot be read; loading them later raises an error with the reason.
    """
    try:
        shapes = {
            name: entry["shape"]
            for file in base.glob("*.safetensors")
            for name, entry in _read_header(file).items()
            if name != "__metadata__"
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return 0
    if config.method == "full":
        return sum(math.prod(shape) for shape in shapes.values())
    return config.lora.rank * sum(
        sum(shape) for name, shape in shapes.items() if _gets_adapter(name, shape, config)
    )


@contextmanager
def explaining_full_disk(folder: Path) -> Iterator[None]:
    """Turn any library's error about a full disk into one clear sentence.

    Raises:
        TrainingFailedError: the disk is full.
    """
    try:
        yield
    except Exception as error:  # each library has its own type
        may_be = isinstance(error, (OSError, RuntimeError)) and is_full(folder)
        if may_be or _means_full(error):
            raise TrainingFailedError(full_disk_message(folder), reason="no_space") from error
        raise


def is_full(folder: Path) -> bool:
    """Return whether hardly anything can be written anymore."""
    return shutil.disk_usage(folder).free < _LITTLE


def full_disk_message(folder: Path) -> str:
    """Return the message for a full disk."""
    return (
        f"The disk of {folder} is full. The last checkpoint is kept: make room, then resume the "
        "run."
    )


def _means_full(error: Exception) -> bool:
    return getattr(error, "errno", None) == errno.ENOSPC or "No space left" in str(error)


def _read_header(file: Path) -> dict[str, dict[str, list[int]]]:
    with file.open("rb") as source:
        length = int.from_bytes(source.read(8), "little")
        header: dict[str, dict[str, list[int]]] = json.loads(source.read(length))
        return header


def _gets_adapter(name: str, shape: list[int], config: FinetuneConfig) -> bool:
    parts = name.split(".")
    if len(shape) != _MATRIX or parts[-1] != "weight" or "embed" in name or "lm_head" in parts:
        return False
    wanted = config.lora.target_modules
    return wanted == ALL_LINEAR or parts[-2] in wanted
