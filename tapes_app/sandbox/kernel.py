"""Calls of the kernel that Python does not offer."""

import ctypes
import os
import sys

_PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: int | bytes | None) -> int:
    """Call a function of the C library; numbers are passed in their full width.

    Raises:
        OSError: it failed, or this system does not have it.
    """
    if sys.platform != "linux":
        raise OSError("this system is not Linux")
    try:
        function = getattr(_libc, name)
    except AttributeError as error:
        raise OSError(f"this system has no {name}") from error
    wide = (ctypes.c_long(one) if isinstance(one, int) else one for one in arguments)
    result: int = function(*wide)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def forbid_new_privileges() -> None:
    """Let no program that this process starts gain rights, as walls without privileges require."""
    call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
