"""A room for code that is not trusted: it reads named folders, and changes and reaches nothing.

Two walls stand on the kernel, and neither needs privileges. Seccomp lists the few system calls that
remain, so that files cannot be changed and other processes and machines cannot be reached; Landlock
or, on older kernels, a mount namespace decides what can be read. Only the standard library is
imported, so a child process enters its room quickly.
"""

from tapes_app.sandbox.room import Room, Wall, WallError, enter, find_wall

__all__ = ["Room", "Wall", "WallError", "enter", "find_wall"]
