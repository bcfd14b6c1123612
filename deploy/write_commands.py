"""Writes docs/commands.md, the page of all commands."""

import os
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    django.setup()
    from studio.command_line.reference import write_reference

    (ROOT / "docs" / "commands.md").write_text(write_reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
