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
"""The exit status that a shell reports for a program ended by that signal."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    from studio.command_line.help import StudioUtility

    try:
        if sys.argv[1:2] and sys.argv[1] in _TAKE_START_OPTIONS:
            apply_start_options(sys.argv[2:])
        try:
            StudioUtility(sys.argv).execute()
        finally:
            sys.stdout.flush()  # flush here, where a pipe without a reader is not a bug
    except StudioError as error:
        sys.stderr.write(f"{error.message}\n")
        raise SystemExit(_REFUSED) from None
    except BrokenPipeError:
        # Redirect what is left to write to nowhere, or Python would complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_PIPE_CLOSED) from None


if __name__ == "__main__":
    main()
