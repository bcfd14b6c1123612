"""Commands of the shell one after the other in one process; a program for a process of its own.

It reads argument lists as a JSON array and writes, for each, its exit status and what it said. A
process for every command takes a second of a core each, and looks at the same few lines.
"""

import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

import manage


def run(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Return exit status, output and errors of one command."""
    said, complained = io.StringIO(), io.StringIO()
    sys.argv = ["manage.py", *arguments]
    status = 0
    with redirect_stdout(said), redirect_stderr(complained):
        try:
            manage.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    return status, said.getvalue(), complained.getvalue()


if __name__ == "__main__":
    sys.stdout.write(json.dumps([run(arguments) for arguments in json.load(sys.stdin)]))
