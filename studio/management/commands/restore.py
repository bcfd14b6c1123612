"""Restore a backup."""

from pathlib import Path
from typing import Any

from studio.backups.restoring import restore_backup
from studio.management.commands.backup import describe, to_values
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, AnsweringCommand


class Command(AnsweringCommand):
    needs_tables = False
    help = (
        "Restore a backup into an empty data folder (and, with DATABASE_URL, an empty database of "
        "PostgreSQL): all of it, or nothing."
    )

    arguments = (
        option("file", metavar="FILE", type=Path, help="file that `backup` made"),
        option("--data-dir", type=Path, help="data folder (default .studio)"),
        option(
            "--replace",
            action="store_true",
            help="even if they are not empty: the data folder is kept under another name, the "
            "tables of PostgreSQL are dropped",
        ),
    )

    def answer(self, options: dict[str, Any]) -> Answer:
        path: Path = options["file"]
        restored = restore_backup(path, replaces=options["replace"])
        manifest = restored.manifest
        if restored.kept:
            self.print_line(f"kept: {restored.kept}")
        if not manifest.has_key:
            self.print_line("Set STUDIO_SECRET_KEY to what it was: the key is not in the backup.")
        if manifest.artefacts:
            self.print_line(f"Not in the backup: what is in {manifest.artefacts}")
        made = f"{manifest.made_at:%Y-%m-%d %H:%M} UTC"
        kept = str(restored.kept) if restored.kept else None
        summary = f"Restored {describe(manifest)}, as of {made}. Start it with `manage.py up`."
        return Answer(summary, {"file": str(path), "kept": kept, **to_values(manifest)})
