#!/usr/bin/env python
"""Django's command line, and `up`, which starts the whole studio."""

import os
import sys

from studio.start_options import apply_start_options
from tapes_app.engine.errors import StudioError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    from django.core.management import execute_from_command_line

    try:
        if sys.argv[1:2] == ["up"]:
            apply_start_options(sys.argv[2:])
        execute_from_command_line(sys.argv)
    except StudioError as error:
        sys.stderr.write(f"{error.message}\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
