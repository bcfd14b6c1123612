"""A system that has neither Landlock nor namespaces for its users, as in an older container."""

import ctypes
import errno
import os
import struct

from tapes_app.sandbox.kernel import call, forbid_new_privileges

_CREATE_RULESET = 444
_UNSHARE = {"x86_64": 272, "aarch64": 97}


def take_walls_away() -> None:
    """Refuse this process, and what it starts, the calls that hide files."""
    load, if_equal, end = 0x20, 0x15, 0x06
    filters = (
        (load, 0, 0, 0),
        (if_equal, 1, 0, _CREATE_RULESET),
        (if_equal, 0, 1, _UNSHARE[os.uname().machine]),
        (end, 0, 0, 0x00050000 | errno.EPERM),
        (end, 0, 0, 0x7FFF0000),
    )
    packed = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in filters))
    forbid_new_privileges()
    call("prctl", 22, 2, struct.pack("@HP", len(filters), ctypes.addressof(packed)), 0, 0)
