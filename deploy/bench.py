"""Runs the measured claims, all or the named ones, and prints the table of all results."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
TABLE = BENCHMARKS / "table.py"


def main(names: list[str]) -> int:
    scripts = [BENCHMARKS / f"{name}.py" for name in names] or list_scripts()
    failed = [script.stem for script in scripts if not run(script)]
    run(TABLE)
    if failed:
        print(f"Could not be run: {', '.join(failed)}.")
    return 1 if failed else 0


def list_scripts() -> list[Path]:
    """Return the programs among the files; the others are what they share."""
    return [
        path
        for path in sorted(BENCHMARKS.glob("*.py"))
        if path != TABLE and _is_claim(path.read_text(encoding="utf-8"))
    ]


def _is_claim(text: str) -> bool:
    """Return whether a program writes a result, unlike the workers that such programs start."""
    return "__main__" in text and "    finish(" in text


def run(script: Path) -> bool:
    if script != TABLE:
        print(f"== {script.stem}", flush=True)
    command = [sys.executable, str(script)]
    return subprocess.run(command, cwd=BENCHMARKS.parent, check=False).returncode == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
