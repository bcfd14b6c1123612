"""Ending together with the process that started this one."""

import ctypes
import signal
import sys

FOR_CHILDREN = (signal.SIGTERM, signal.SIGHUP)
"""Signals that the process which children are forked from ignores, and they do not."""

_PR_SET_PDEATHSIG = 1


def die_with_parent(signal_number: int = signal.SIGTERM) -> None:
    """Have the kernel end this process if its parent is killed abruptly; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)
