#!/usr/bin/env python
"""Django's command line, and `up`, which starts the whole studio."""

import os
import signal
import sys

from studio.start_options import apply_start_options
from tapes_app.engine.errors import StudioError

_TAKE_START_OPTIONS = {"up", "backup", "restore"}
_REFUSED = 2
_PIPE_CLOSED = 128 + signal.SIGPIPE
"""As a shell says it of a program that ends by that signal."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    from studio.command_line.help import StudioUtility

    try:
        if sys.argv[1:2] and sys.argv[1] in _TAKE_START_OPTIONS:
            apply_start_options(sys.argv[2:])
        try:
            StudioUtility(sys.argv).execute()
        finally:
            sys.stdout.flush()  # here, where a pipe that nobody reads any more is no bug
    except StudioError as error:
        sys.stderr.write(f"{error.message}\n")
        raise SystemExit(_REFUSED) from None
    except BrokenPipeError:
        # What is left to write goes nowhere, or Python would complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_PIPE_CLOSED) from None


if __name__ == "__main__":
    main()
