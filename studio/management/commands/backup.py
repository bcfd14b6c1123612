"""Back the studio up into one file, or check whether a backup is complete."""

from pathlib import Path
from typing import Any

from studio.backups.manifest import Manifest
from studio.backups.reading import DamagedBackupError, read_backup
from studio.backups.writing import write_backup
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, AnsweringCommand
from tapes_app.projects.domain.wording import count_of

_VENDORS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class Command(AnsweringCommand):
    needs_tables = False
    help = (
        "Write the database and the files of the data folder into one file (.tar.gz), even while "
        "the studio runs; with --check, check that such a file is complete."
    )

    arguments = (
        option("file", metavar="FILE", type=Path, help="file to make, or to check"),
        option(
            "--check", action="store_true", help="read FILE and compare everything with its hashes"
        ),
        option("--data-dir", type=Path, help="data folder (default .studio)"),
    )

    def answer(self, options: dict[str, Any]) -> Answer:
        path: Path = options["file"]
        if options["check"]:
            return _check(path)
        manifest = write_backup(path)
        for name in manifest.left_out:
            self.print_line(f"left out: {name} is a link")
        if manifest.artefacts:
            self.print_line(f"left out: what is in the artefact store {manifest.artefacts}")
        if not manifest.has_key:
            self.print_line(
                "left out: the key in STUDIO_SECRET_KEY; keep it, or stored keys are lost"
            )
        size = path.stat().st_size
        summary = f"{path}: {describe(manifest)}, {_show_size(size)}."
        return Answer(summary, {"file": str(path), "size": size, **to_values(manifest)})


def describe(manifest: Manifest) -> str:
    """Describe briefly what is in a backup."""
    files = count_of(manifest.file_count, "file")
    return f"the database ({_VENDORS[manifest.vendor]}) and {files}"


def _show_size(size: int) -> str:
    return f"{size / 1024**2:.1f} MiB" if size >= 1024**2 else f"{size / 1024:.0f} KiB"


def to_values(manifest: Manifest) -> dict[str, Any]:
    """Return a backup's manifest without its members."""
    values = manifest.model_dump(mode="json", exclude={"members"})
    return {**values, "files": manifest.file_count, "unpacked_size": manifest.size}


def _check(path: Path) -> Answer:
    try:
        manifest = read_backup(path)
    except DamagedBackupError as error:
        values = {"file": str(path), "is_whole": False, "message": error.message}
        return Answer(error.message, values, is_done=False)
    made = f"{manifest.made_at:%Y-%m-%d %H:%M} UTC"
    summary = f"{path} is whole: {describe(manifest)}, of {made}, version {manifest.version}."
    return Answer(summary, {"file": str(path), "is_whole": True, **to_values(manifest)})
