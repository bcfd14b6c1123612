"""Commands in separate processes, as a shell starts them on a data folder."""

import subprocess
import sys
from pathlib import Path

from tests.studio.running_studio import ROOT, studio_environment


def manage(data_dir: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(data_dir), **variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def manage_well(data_dir: Path, *arguments: str, **variables: str) -> str:
    ended = manage(data_dir, *arguments, **variables)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip().splitlines()[-1]


def refused(data_dir: Path, *arguments: str, status: int = 2, **variables: str) -> str:
    ended = manage(data_dir, *arguments, **variables)
    assert (ended.returncode, ended.stdout) == (status, "")
    (line,) = ended.stderr.splitlines()
    return line


def make_token(data_dir: Path, **variables: str) -> str:
    """Return a new access token that may write."""
    return manage_well(data_dir, "tokens", "make", "a script", "--access", "write", **variables)


def mode_of_all(folder: Path) -> set[int]:
    return {path.lstat().st_mode & 0o777 for path in folder.rglob("*") if not path.is_socket()}
