"""What a process may read, enforced by Landlock (Linux 5.13 or newer)."""

import os
import struct
from collections.abc import Iterable

from tapes_app.sandbox.kernel import call, forbid_new_privileges

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS_BY_VERSION = (13, 14, 15, 15, 16)
"""How many rights over files each version knows, the first bits; all of them are taken away."""


def find_version() -> int:
    """Return the kernel's version of Landlock.

    Raises:
        OSError: it has none, or it is turned off.
    """
    return call("syscall", _CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)


def allow_reading_only(paths: Iterable[str]) -> None:
    """Take from this process every right over files but that of reading what lies at `paths`.

    Raises:
        OSError: Landlock is not to be had.
    """
    rights = _RIGHTS_BY_VERSION[min(find_version(), len(_RIGHTS_BY_VERSION)) - 1]
    handled = struct.pack("=Q", (1 << rights) - 1)
    ruleset = call("syscall", _CREATE_RULESET, handled, len(handled), 0)
    try:
        for path in paths:
            _allow_reading(ruleset, path)
        forbid_new_privileges()
        call("syscall", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow_reading(ruleset: int, path: str) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it has gone, and what does not exist needs no rule
        return
    try:
        rights = _READ_FILE | _READ_DIR if os.path.isdir(path) else _READ_FILE  # noqa: PTH112
        rule = struct.pack("=Qi", rights, place)
        call("syscall", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(place)
