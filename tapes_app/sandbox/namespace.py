"""What a process may read, where the kernel has no Landlock: a root folder with nothing else."""

import os
from collections.abc import Iterable
from pathlib import Path

from tapes_app.sandbox.kernel import call

_NEW_USER, _NEW_NET, _NEW_MOUNTS = 0x10000000, 0x40000000, 0x00020000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _REMOUNT = 0x1, 0x2, 0x4, 0x20
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_ROOT = "/proc"
"""Every system has this folder, nothing below it is ever bound, and in here it is hidden."""


def show_only(paths: Iterable[str]) -> None:
    """Make `paths` all that this process finds; it must have one thread.

    Raises:
        OSError: the system lets this user have no namespaces.
    """
    user, group = os.geteuid(), os.getegid()
    call("unshare", _NEW_USER | _NEW_NET | _NEW_MOUNTS)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    _mount("tmpfs", _ROOT, "tmpfs", _NO_SUID | _NO_DEVICES)
    for path in paths:
        _bind(path)
    _mount("none", _ROOT, "", _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEVICES)
    os.chroot(_ROOT)
    os.chdir("/")


def _bind(path: str) -> None:
    target = Path(_ROOT + path)
    if Path(path).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif Path(path).exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    else:
        return
    # What is mounted below comes along: the kernel refuses to bind a folder without it.
    _mount(path, str(target), "", _BIND | _RECURSIVE)


def _mount(source: str, target: str, kind: str, flags: int) -> None:
    call("mount", source.encode(), target.encode(), kind.encode() or None, flags, None)
