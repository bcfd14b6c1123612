"""How many threads torch computes with, and how they wait: others use the machine too."""

import math
import os
from contextlib import suppress
from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")
_PASSIVE = {"OMP_WAIT_POLICY": "PASSIVE", "KMP_BLOCKTIME": "0"}
"""GNU's OpenMP reads the first, Intel's the second."""


def wait_passively() -> None:
    """Let threads that wait for others sleep; call it before torch is loaded.

    By default they spin, which on a busy machine takes the cores from those they wait for. What is
    set already stays.
    """
    for name, value in _PASSIVE.items():
        os.environ.setdefault(name, value)  # noqa: TID251 - for torch, not for us


def limit_threads() -> str:
    """Keep torch to the cores that this process may use, and return a sentence on that.

    Not to those that are idle: with another number of threads, sums are rounded differently, and a
    resumed run would not equal an uninterrupted one.
    """
    import torch

    cores = count_cores()
    if torch.get_num_threads() > cores:
        torch.set_num_threads(cores)
    threads = torch.get_num_threads()
    return f"Computing with {threads} thread{'s' if threads > 1 else ''} on {cores} of the cores."


def count_cores(group: Path = _GROUP) -> int:
    """Return how many cores this process may use: by its affinity, and by its container's quota."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    quota = _read_quota(group)
    return cores if quota is None else max(1, min(cores, math.ceil(quota)))


def _read_quota(group: Path) -> float | None:
    with suppress(OSError, ValueError):
        limit, period = (group / "cpu.max").read_text().split()
        return int(limit) / int(period)
    with suppress(OSError, ValueError):
        limit, period = (
            (group / "cpu" / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period")
        )
        return int(limit) / int(period) if int(limit) > 0 else None
    return None
