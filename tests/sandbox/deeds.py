"""What code tries that wants out of its room, and what it needs to work; run inside of one.

Should a wall fail, nothing here may harm the machine of a tester who is root: what is changed lies
in the test's own folders, and mounts and the like have arguments that make no sense.
"""

import asyncio
import ctypes
import errno
import fcntl
import importlib
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

Deed = Callable[[], Any]

_libc = ctypes.CDLL(None, use_errno=True)


def list_escapes(place: Path, outside: Path) -> dict[str, Deed]:
    """Return the escapes by name: each raises an error if it is refused.

    `place` can be read, except for its `data` and `.env`; `outside` cannot, and has the socket
    `listener` and the file `note`. The module `module.py` is in `place`.
    """
    return {
        **_changes(place / "module.py", place),
        **{f"outside: {name}": deed for name, deed in _changes(outside / "note", outside).items()},
        **_secrets(place, outside),
        **_network(outside),
        **_processes(),
        **_kernel(place),
    }


def _changes(file: Path, folder: Path) -> dict[str, Deed]:
    modes = {f"open for {mode}": partial(open, file, mode) for mode in ("a", "w", "r+")}
    return {
        **modes,
        "create": (folder / "new").touch,
        "create by os.open": lambda: os.open(folder / "new", os.O_RDONLY | os.O_CREAT),
        "create by creat": lambda: call("creat", bytes(folder / "new"), 0o600),
        "truncate by opening": lambda: os.open(file, os.O_RDONLY | os.O_TRUNC),
        "open without a name": lambda: os.open(folder, os.O_RDWR | os.O_TMPFILE),
        "truncate": partial(os.truncate, file, 0),
        "delete": file.unlink,
        "rename": partial(file.rename, folder / "moved"),
        "replace": partial(os.replace, file, folder / "moved"),
        "link": partial((folder / "linked").hardlink_to, file),
        "symlink": partial((folder / "linked").symlink_to, file),
        "make a folder": (folder / "made").mkdir,
        "delete a folder": (folder / "empty").rmdir,
        "make a pipe": partial(os.mkfifo, folder / "pipe"),
        "make a device": partial(os.mknod, folder / "device", 0o600 | 0o020000, os.makedev(1, 3)),
        "change the mode": partial(file.chmod, 0o777),
        "change the owner": partial(os.chown, file, 12, 12),
        "change the times": partial(os.utime, file, (1, 1)),
        "set an attribute": partial(os.setxattr, file, "user.note", b"x"),
        "make a database": lambda: _write_database(folder / "new.sqlite3"),
    }


def _secrets(place: Path, outside: Path) -> dict[str, Deed]:
    parent = Path("/proc") / str(os.getppid())
    files = {
        "the data folder": place / "data" / "secret_key",
        "the data folder by a detour": place / "package" / ".." / "data" / "secret_key",
        "the data folder by a link": place / "shortcut" / "secret_key",
        "a settings file": place / ".env",
        "what lies outside": outside / "note",
        "passwords": Path("/etc/shadow"),
        "the variables of the parent": parent / "environ",
        "the memory of the parent": parent / "mem",
        "the first process": Path("/proc/1/environ"),
    }
    folders = {
        "the data folder": place / "data",
        "what lies outside": outside,
        "what the parent has open": parent / "fd",
    }
    return {
        **{f"read {name}": path.read_bytes for name, path in files.items()},
        **{f"list {name}": partial(os.listdir, path) for name, path in folders.items()},
    }


def _network(outside: Path) -> dict[str, Deed]:
    deeds: dict[str, Deed] = {
        "connect by TCP": lambda: socket.create_connection(("127.0.0.1", 9), timeout=1),
        "listen by TCP": lambda: socket.create_server(("127.0.0.1", 0)),
        "send by UDP": lambda: _send_datagram(socket.AF_INET, ("127.0.0.1", 9)),
        "connect to a file": lambda: _connect_unix(str(outside / "listener")),
        "connect to an abstract name": lambda: _connect_unix("\0tape-studio-test"),
        "send through a pair to a file": lambda: _send_through_pair(str(outside / "listener")),
        "ask the kernel by netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0),
        "make a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
        "make a pair of another family": lambda: socket.socketpair(socket.AF_INET),
    }
    return {name: partial(_reach, deed) for name, deed in deeds.items()}


def _processes() -> dict[str, Deed]:
    parent = os.getppid()
    return {
        "fork": _fork,
        "start a program": lambda: subprocess.run(["/bin/true"], check=False),
        "spawn a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "become a program": lambda: os.execv("/bin/true", ["true"]),
        "signal the parent": partial(os.kill, parent, 0),
        "signal all": partial(os.kill, -1, 0),
        "signal a group": partial(os.killpg, os.getpgid(parent), 0),
        "signal by a descriptor": lambda: call("syscall", 434, parent, 0),
        "have a pipe signal the parent": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, parent),
        "limit the parent": lambda: resource.prlimit(
            parent, resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)
        ),
        "lift its own limits": lambda: resource.setrlimit(
            resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        ),
        "slow the parent": lambda: os.setpriority(
            os.PRIO_PROCESS, parent, os.getpriority(os.PRIO_PROCESS, os.getpid())
        ),
        "trace the parent": lambda: call("ptrace", 0x4206, parent, 0, 0),
        "read the memory of the parent": lambda: call("process_vm_readv", parent, 0, 0, 0, 0, 0),
    }


def _kernel(place: Path) -> dict[str, Deed]:
    return {
        "mount": lambda: call("mount", b"none", b"/no/folder", b"tmpfs", 0, None),
        "unmount": lambda: call("umount2", b"/no/folder", 0),
        "change the root": lambda: os.chroot("/"),
        "take a namespace": lambda: call("unshare", 0x10000000),
        "queue calls with io_uring": lambda: call(
            "syscall", 425, 1, ctypes.create_string_buffer(256)
        ),
        "start a process by clone3": lambda: call("syscall", 435, None, 0),
        "open by openat2": lambda: call("syscall", 437, -100, b"/dev/null", bytes(24), 24),
        "share memory": lambda: call("shmget", 0x7A9E, 4096, 0o1600),
        "make a file in memory": lambda: os.memfd_create("note"),
        "watch files": lambda: call("inotify_init"),
        "name the machine": lambda: socket.sethostname(socket.gethostname()),
        "start a timer that signals": lambda: call("timer_create", 0, None, bytes(8)),
        "change an attribute of a file": lambda: fcntl.ioctl(
            os.open(place, os.O_RDONLY), 0x40086602, bytes(8)
        ),
    }


def list_work(place: Path) -> dict[str, Deed]:
    """Return what honest code does, by name: none of it raises."""
    return {
        "import of the standard library": lambda: importlib.import_module("colorsys"),
        "import of a package": lambda: importlib.import_module("wcwidth"),
        "import of a module beside it": (place / "module.py").read_bytes,
        "a file beside the module": (place / "package" / "words.txt").read_bytes,
        "chance": lambda: (os.urandom(8), Path("/dev/urandom").open("rb").read(8)),
        "an event loop": lambda: asyncio.run(asyncio.sleep(0)),
        "threads": _run_thread,
        "a database in memory": lambda: _write_database(":memory:"),
        "an alarm": lambda: signal.setitimer(signal.ITIMER_REAL, 3600),
        "a signal to itself": lambda: os.kill(os.getpid(), 0),
    }


def attempt(deeds: dict[str, Deed]) -> dict[str, str]:
    """Return for each deed why it was refused; empty: it was not."""
    told = {}
    for name, deed in deeds.items():
        try:
            deed()
            told[name] = ""
        except (OSError, ValueError, sqlite3.Error) as error:
            told[name] = str(error) or type(error).__name__
    return told


def call(name: str, *arguments: Any) -> None:
    """Call the C library; it raises only if the call is forbidden, and not if it makes no sense."""
    failed = getattr(_libc, name)(*arguments) < 0
    if failed and ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _run_thread() -> None:
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()


def _write_database(path: Path | str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table note (text)")


def _send_datagram(family: int, address: Any) -> None:
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", address)


def _connect_unix(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(address)


def _send_through_pair(address: str) -> None:
    left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with left, right:
        left.sendto(b"x", address)


def _reach(deed: Deed) -> None:
    """Raise only if a deed is forbidden, and not if nobody listens or there is no way."""
    try:
        deed()
    except OSError as error:
        if error.errno == errno.EPERM:
            raise
