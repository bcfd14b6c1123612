"""Admission: a run's expected memory is compared with what is free before it takes any."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import torch

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.errors import DeviceError

_LOOK_SECONDS = 1.0
_HOST = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Memory:
    """Bytes of a GPU, or of the host if the run is on the CPU."""

    free: int
    total: int


def read_memory(device: torch.device, limit: int | None = None) -> Memory | None:
    """Return total and free memory, at most `limit`; `None` if it cannot be determined."""
    found = _read_gpu(device) if device.type == "cuda" else _read_host()
    if found is None or limit is None:
        return found
    return Memory(min(found.free, limit), min(found.total, limit))


def check_memory(needed: int, memory: Memory | None, config: FinetuneConfig) -> None:
    """Reject a run that can never fit, or that does not fit now and must not wait.

    Raises:
        DeviceError: it does not fit; the message states what would make it fit.
    """
    if memory is None or config.too_little_memory == "try":
        return
    most = memory.total if config.too_little_memory == "wait" else memory.free
    if needed > most:
        there_is = "there are" if most == memory.total else "are free"
        raise DeviceError(
            f"The run needs about {_gigabytes(needed)} of memory, and {_gigabytes(most)} "
            f"{there_is}. Choose fewer tokens_per_pass, a shorter max_length or "
            'gradient_checkpointing; or set too_little_memory to "try", as this is an estimate.'
        )


def wait_for_memory(
    needed: int,
    read: Callable[[], Memory | None],
    *,
    must_stop: Callable[[], bool],
    report: Callable[[str], None],
    pause_seconds: float = _LOOK_SECONDS,
) -> bool:
    """Wait until enough memory is free; return False if somebody asked to stop instead."""
    while (memory := read()) is not None and needed > memory.free:
        if must_stop():
            return False
        report(
            f"Waiting for memory: about {_gigabytes(needed)} are needed, "
            f"{_gigabytes(memory.free)} are free"
        )
        time.sleep(pause_seconds)
    return True


def _read_gpu(device: torch.device) -> Memory:
    free, total = torch.cuda.mem_get_info(device)
    return Memory(free, total)


def _read_host() -> Memory | None:
    """Return the memory that programs can use without swapping, on the host or in a container."""
    try:
        fields = dict(line.split(":", 1) for line in _HOST.read_text().splitlines())
        free, total = (1024 * int(fields[name].split()[0]) for name in ("MemAvailable", "MemTotal"))
    except (OSError, KeyError, ValueError):
        return None
    with suppress(OSError, ValueError):  # no container, or none with a limit
        most = int((_GROUP / "memory.max").read_text())
        used = int((_GROUP / "memory.current").read_text())
        return Memory(min(free, max(0, most - used)), min(total, most))
    return Memory(free, total)


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
