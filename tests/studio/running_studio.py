"""A complete studio in separate processes, started as a person starts it."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from queue import Empty, Queue

import httpx
import psutil

from tests.waiting import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
_START_SECONDS = 240
_DATABASE = "studio.sqlite3"


class RunningStudio:
    """`manage.py up` and the lines that it has printed."""

    def __init__(
        self, data_dir: Path, port: int, options: Sequence[str] = (), **variables: str
    ) -> None:
        self.data_dir = data_dir
        self.lines: list[str] = []
        self.link = ""
        self._fresh: Queue[str] = Queue()
        self.process = subprocess.Popen(
            [*up_command(data_dir, port), *options],
            cwd=ROOT,
            env=studio_environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    @property
    def url(self) -> str:
        return str(json.loads((self.data_dir / "lock").read_text())["url"])

    def wait_until_ready(self) -> str:
        """Wait for the last line of the start and return the one-time link in it."""
        self.link = self.wait_for_line("Sign in once: (.+)")
        return self.link

    def wait_for_line(self, pattern: str) -> str:
        """Return the first group of the first line that matches."""
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                line = self._fresh.get(timeout=1)
            except Empty:
                if self.process.poll() is not None:
                    break
                continue
            found = re.search(pattern, line)
            if found:
                return found[1]
        raise AssertionError(f"no line matched {pattern!r} in:\n{self.output}")

    def find_child(self, name: str) -> psutil.Process | None:
        """Return the child whose title holds `name`."""
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.Error):
                if name in " ".join(process.cmdline()):
                    return process
        return None

    def stop(self, signal_number: int = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal_number)
        status = self.process.wait(timeout=PATIENCE_SECONDS)
        self._reader.join(timeout=PATIENCE_SECONDS)
        return status

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip())
                self._fresh.put(line)


@contextmanager
def run_studio(
    data_dir: Path, port: int | None = None, options: Sequence[str] = (), **variables: str
) -> Iterator[RunningStudio]:
    """Run a studio until the block ends; `variables` are set in its environment.

    A folder without a database gets the tables beforehand, rather than at the start.
    """
    if "DATABASE_URL" not in variables:
        put_tables(data_dir)
    with run_studio_from_nothing(data_dir, port, options, **variables) as studio:
        yield studio


@contextmanager
def run_studio_from_nothing(
    data_dir: Path, port: int | None = None, options: Sequence[str] = (), **variables: str
) -> Iterator[RunningStudio]:
    """Run a studio that creates its own tables."""
    studio = RunningStudio(data_dir, port or find_free_port(), options, **variables)
    try:
        yield studio
    finally:
        studio.stop(signal.SIGTERM)


def up_command(data_dir: Path, port: int) -> list[str]:
    options = ["--data-dir", str(data_dir), "--port", str(port), "--no-browser"]
    return [sys.executable, "manage.py", "up", *options]


def studio_environment(**changes: str) -> dict[str, str]:
    """Return this process's variables without those that name the tests' own studio."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("STUDIO_") and name not in {"DATABASE_URL", "REDIS_URL"}
    }
    return {**inherited, "DJANGO_SETTINGS_MODULE": "studio.settings", **changes}


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_green(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def wait_until_green(url: str) -> None:
    # Each look costs the studio some milliseconds, which its start needs.
    wait_until(lambda: is_green(url), f"{url} to be green", pause_seconds=0.2)


def put_tables(data_dir: Path) -> None:
    """Give a data folder without a database the tables of this version.

    They are made once for all tests: that takes eight seconds of a core, and most tests that start
    a studio are about what comes after.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = data_dir / _DATABASE
    if not database.exists():
        copy_tables(database)


def copy_tables(database: Path) -> None:
    """Write a SQLite database that has the tables of this version, and nothing in them."""
    shutil.copy(_make_tables(), database)
    database.chmod(0o600)


@cache
def _make_tables() -> Path:
    """Return a database that `migrate` made from these migrations, in this process or earlier."""
    place = ROOT / ".pytest_cache" / f"tables-{_digest_migrations()}.sqlite3"
    place.parent.mkdir(exist_ok=True)
    with place.with_suffix(".lock").open("w") as held:  # test processes start together
        fcntl.flock(held, fcntl.LOCK_EX)
        if not place.exists():
            _migrate(place)
    return place


def _migrate(place: Path) -> None:
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "migrate", "-v", "0"],
            env=studio_environment(STUDIO_DATA_DIR=folder),
            check=True,
        )
        (Path(folder) / _DATABASE).replace(place)


def _digest_migrations() -> str:
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for path in sorted(ROOT.glob("*_app/migrations/*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
