"""The project's names: its subjects, its modules, and the front end's features."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TAPES_APP = ROOT / "tapes_app"
FEATURES = ROOT / "frontend" / "src" / "features"


def list_subjects() -> list[str]:
    """Return the folders of tapes_app that are divided into entry points, services and store."""
    return sorted(
        folder.name
        for folder in TAPES_APP.iterdir()
        if any((folder / layer).is_dir() for layer in ("api", "services", "store"))
    )


def list_modules() -> list[Path]:
    """Return the paths of all modules and packages of tapes_app except its migrations."""
    modules = [path for path in TAPES_APP.rglob("*.py") if path.stem != "__init__"]
    packages = [path.parent for path in TAPES_APP.rglob("__init__.py")]
    names = (path.relative_to(TAPES_APP) for path in (*modules, *packages))
    return sorted(name for name in names if "migrations" not in name.parts)
