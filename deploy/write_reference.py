"""Writes the reference pages of docs: commands, settings, requests, queries."""

import os
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    django.setup()
    from studio.reference.pages import PAGES

    for name, write in PAGES.items():
        (ROOT / "docs" / f"{name}.md").write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
