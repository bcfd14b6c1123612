"""The system calls that remain in a room, enforced by seccomp.

The list names what is allowed, so that a call that a later kernel adds is refused as well.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator

from tapes_app.sandbox.kernel import call, forbid_new_privileges

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's number of a machine, and its place in the numbers of a call."""

# fmt: off
_CALLS: dict[str, tuple[int | None, int | None]] = {
    # Files and folders that are open, or opened for reading.
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "stat": (4, None),
    "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291), "lseek": (8, 62),
    "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "preadv": (295, 69), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "pipe": (22, None), "pipe2": (293, 59), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "getdents64": (217, 61), "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17),
    "statfs": (137, 43), "fstatfs": (138, 44), "fadvise64": (221, 223),
    # Waiting.
    "select": (23, None), "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None),
    "epoll_pwait": (281, 22), "eventfd2": (290, 19), "recvfrom": (45, 207), "shutdown": (48, 210),
    "pause": (34, None), "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    # Memory.
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "mremap": (25, 216),
    "madvise": (28, 233), "mincore": (27, 232), "brk": (12, 214),
    # Signals to itself, and its end.
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "rt_sigpending": (127, 136),
    "sigaltstack": (131, 132), "getitimer": (36, 102), "setitimer": (38, 103), "alarm": (37, None),
    "restart_syscall": (219, 128), "exit": (60, 93), "exit_group": (231, 94),
    # Threads.
    "futex": (202, 98), "set_tid_address": (218, 96), "set_robust_list": (273, 99),
    "rseq": (334, 293), "membarrier": (324, 283), "gettid": (186, 178), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "arch_prctl": (158, None),
    # What it is told about itself and the machine.
    "getpid": (39, 172), "getppid": (110, 173), "getpgrp": (111, None), "getpgid": (121, 155),
    "getsid": (124, 156), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getgroups": (115, 158), "getresuid": (118, 148),
    "getresgid": (120, 150), "uname": (63, 160), "sysinfo": (99, 179), "times": (100, 153),
    "getrusage": (98, 165), "getrlimit": (97, 163), "gettimeofday": (96, 169),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "getrandom": (318, 278),
    "getcpu": (309, 168), "wait4": (61, 260), "waitid": (247, 95),
}
_CHECKED: dict[str, tuple[int | None, int | None]] = {
    "open": (2, None), "openat": (257, 56), "fcntl": (72, 25), "ioctl": (16, 29),
    "clone": (56, 220), "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261),
    "prctl": (157, 167), "socketpair": (53, 199), "sendto": (44, 206),
}
_UNKNOWN = {"clone3": 435, "openat2": 437}
"""What these do stands in memory, where no filter sees it; the C library then takes the others."""
# fmt: on

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_FCNTL = (0, 1, 2, 3, 4, 1030)
"""Copy a descriptor, read and set its flags; not `F_SETOWN`, which sends signals to others."""
_IOCTL = (0x5401, 0x5450, 0x5451, 0x5421, 0x541B)
"""TCGETS, FIONCLEX, FIOCLEX, FIONBIO and FIONREAD; not the flags of files on the disk."""
_PRCTL = (15, 16)
"""Set and read the name of a thread."""
_CLONE_THREAD = 0x10000
_AF_UNIX = 1

_LOAD, _IF_EQUAL, _IF_ANY_BIT, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_ANSWER_UNKNOWN = 0x00050000 | errno.ENOSYS
_NUMBER, _MACHINE = 0, 4
_FOREIGN_NUMBERS = 0x40000000
"""From here on x86_64 counts the calls of x32, the same ones under other numbers."""

_PR_SET_SECCOMP, _FILTER = 22, 2

_Instruction = tuple[int, int, int, int]
"""Code, how many to skip if it holds, how many if not, and its number."""


def keep_few_calls() -> None:
    """Leave this process only calls that change no file and reach no other process or machine.

    It opens files for reading, computes in several threads and speaks through what is open; it
    cannot start a process. A refused call ends with `EPERM`. It must have one thread.

    Raises:
        OSError: the system has no seccomp, or the machine is of a kind that is not known here.
    """
    machine = os.uname().machine
    if machine not in _MACHINES or sys.maxsize < 2**32 or sys.byteorder != "little":
        raise OSError(f"the system calls of {machine!r} are not known")
    filters = list(_list_instructions(*_MACHINES[machine], os.getpid()))
    packed = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in filters))
    program = struct.pack("@HP", len(filters), ctypes.addressof(packed))
    forbid_new_privileges()
    call("prctl", _PR_SET_SECCOMP, _FILTER, program, 0, 0)


def _list_instructions(machine: int, column: int, pid: int) -> Iterator[_Instruction]:
    yield _LOAD, 0, 0, _MACHINE
    yield _IF_EQUAL, 1, 0, machine
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER
    yield _IF_AT_LEAST, 0, 1, _FOREIGN_NUMBERS
    yield _RETURN, 0, 0, _KILL
    for numbers in _CALLS.values():
        if (number := numbers[column]) is not None:
            yield _IF_EQUAL, 0, 1, number
            yield _RETURN, 0, 0, _ALLOW
    for unknown in _UNKNOWN.values():
        yield _IF_EQUAL, 0, 1, unknown
        yield _RETURN, 0, 0, _ANSWER_UNKNOWN
    rules = _list_rules(pid)
    for name, numbers in _CHECKED.items():
        if (number := numbers[column]) is not None:
            yield _IF_EQUAL, 0, len(rules[name]), number
            yield from rules[name]
    yield _RETURN, 0, 0, _REFUSE


def _list_rules(pid: int) -> dict[str, tuple[_Instruction, ...]]:
    return {
        "open": _unless(1, _WRITING),
        "openat": _unless(2, _WRITING),
        "fcntl": _only(1, *_FCNTL),
        "ioctl": _only(1, *_IOCTL),
        "clone": _only_with(0, _CLONE_THREAD),
        "kill": _only(0, pid),
        "tgkill": _only(0, pid),
        # Its own limits are read, and not set: root could lift them.
        "prlimit64": _only_zero(0, 2),
        "prctl": _only(0, *_PRCTL),
        "socketpair": _only(0, _AF_UNIX),
        "sendto": _only_zero(4),  # through its own pair, and not to an address
    }


def _only(argument: int, *values: int) -> tuple[_Instruction, ...]:
    """Allow a call whose argument, of 32 bits, has one of some values."""
    rules = [(_IF_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return (_load(argument), *rules, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW))


def _unless(argument: int, bits: int) -> tuple[_Instruction, ...]:
    rule = (_IF_ANY_BIT, 0, 1, bits)
    return (_load(argument), rule, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW))


def _only_with(argument: int, bit: int) -> tuple[_Instruction, ...]:
    rule = (_IF_ANY_BIT, 1, 0, bit)
    return (_load(argument), rule, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW))


def _only_zero(*arguments: int) -> tuple[_Instruction, ...]:
    """Allow a call if both halves of each argument, such as an address, are zero."""
    rules: list[_Instruction] = []
    for argument in arguments:
        for half in (0, 4):
            rules += [_load(argument, half), (_IF_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _REFUSE)]
    return (*rules, (_RETURN, 0, 0, _ALLOW))


def _load(argument: int, half: int = 0) -> _Instruction:
    return _LOAD, 0, 0, 16 + 8 * argument + half
