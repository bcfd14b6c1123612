"""Runs every test: Python on SQLite and, if it answers, on PostgreSQL, browser and front end.

Everything runs in parallel parts, with one process more than there are cores.

    run_tests.py tests/engine -k fork   what pytest selects by these arguments, in one process
    run_tests.py --changed[=COMMIT]     what uncommitted changes, or those since a commit, may break
    run_tests.py --record               everything; files that took long come first from then on
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg
import redis
from changed_tests import list_changed_tests
from test_reports import (
    closing_line,
    count_busy_seconds,
    describe_costs,
    list_failures,
    list_files,
    record_slow_files,
)

ROOT = Path(__file__).resolve().parent.parent
SLOW_FILES = ROOT / "tests" / "slow_files.json"
sys.path.insert(0, str(ROOT))

from tests.postgres.selection import ON_POSTGRES, runs_on_postgres  # noqa: E402

_CANDIDATES = (
    "postgresql://postgres@127.0.0.1:5432/postgres",
    "postgresql://postgres:postgres@127.0.0.1:5432/postgres",
)
_REDIS = "redis://127.0.0.1:6379/15"
_BOOTSTRAP = [sys.executable, str(ROOT / "deploy" / "bootstrap.py")]
_PYTEST = [sys.executable, "-m", "pytest", "-q"]
_STORIES = "tests/e2e"
_NOTHING_SELECTED = 5
_MOST_WORKERS = 4
_PROCESSES_BEYOND_CORES = 1
"""Tests wait for pages, for processes and for the end of a lease. Two more than cores brought
nothing: it is the processor that is short."""

_POLL_SECONDS = 0.2
_SAY_SECONDS = 30.0
_RECORD = "--record"
_CHANGED = "--changed"


def main(arguments: list[str]) -> int:
    # Compiled modules start two to three times faster, and tests start many processes.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    servers = Servers(find_postgres(), find_redis())
    with TemporaryDirectory(prefix="test-reports-") as folder:
        try:
            if arguments and arguments[0].startswith(_CHANGED):
                return run_changed(arguments, servers, Path(folder))
            if arguments and arguments != [_RECORD]:
                return run_selection(arguments, servers, Path(folder))
            return run_everything(servers, Path(folder), records=bool(arguments))
        except KeyboardInterrupt:
            return 130


class Servers(NamedTuple):
    """The servers that answer on this machine."""

    postgres_url: str | None
    redis_url: str | None

    def environment(self, *, on_postgres: bool = False) -> dict[str, str]:
        """Return the environment variables for a run of pytest."""
        used = {
            "TEST_REDIS_URL": self.redis_url,
            "TEST_POSTGRES_URL": self.postgres_url,  # for tests that make databases of their own
            "TEST_DATABASE_URL": self.postgres_url if on_postgres else None,
        }
        given = {name: value for name, value in os.environ.items() if name not in used}
        return given | {name: url for name, url in used.items() if url}

    def list_missing(self) -> Iterator[str]:
        if not self.postgres_url:
            yield "PostgreSQL is not there: set TEST_DATABASE_URL or start one on port 5432."
        if not self.redis_url:
            yield "Redis is not there: its tests were skipped."


@dataclass
class Part:
    """One process of tests that may run in parallel with others, and its output."""

    name: str
    command: list[str]
    environment: dict[str, str]
    folder: Path
    processes: int = 1
    after: str = ""
    """The part that must end before it starts."""
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    started_at: float = field(default=0.0, init=False)
    seconds: float = field(default=0.0, init=False)

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def report(self) -> Path:
        return self.folder / f"{self.name}.xml"

    @property
    def status(self) -> int | None:
        return self.process.returncode if self.process else None

    def start(self) -> None:
        self.started_at = time.monotonic()
        with self.log.open("wb") as log:
            # In a separate session: Ctrl-C is passed on once, so that pytest cleans up.
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def has_ended(self) -> bool:
        if self.process is None or self.process.poll() is None:
            return False
        self.seconds = time.monotonic() - self.started_at
        return True

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

    def read_log(self) -> str:
        return self.log.read_text("utf-8", errors="replace")

    def describe_progress(self) -> str:
        shares = re.findall(r"\[ *(\d+)%\]", self.read_log())
        return f"{self.name} {shares[-1]} %" if shares else self.name

    def describe_end(self) -> str:
        """Return all output of a failure; otherwise the reasons of skips and the counts."""
        output = self.read_log().rstrip()
        if self.status == 0:
            _, line, summary = output.rpartition("short test summary info")
            output = summary.partition("\n")[2] if line else "\n".join(output.splitlines()[-8:])
        elapsed = f"{self.seconds // 60:.0f}:{self.seconds % 60:02.0f}"
        outcome = "passed" if self.status == 0 else f"FAILED (status {self.status})"
        return f"\n── {self.name}: {outcome} after {elapsed}\n{output}\n"


def run_everything(servers: Servers, folder: Path, *, records: bool) -> int:
    """Run all parts in parallel and print the result of each."""
    cores = count_cores()
    parts = list_parts(servers, folder, cores=cores)
    busy_before = count_busy_seconds()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        run_in_parallel(parts, most=cores + _PROCESSES_BEYOND_CORES)
    finally:
        for part in parts:
            part.stop()
    print()
    for part in parts:
        outcome = "passed" if part.status == 0 else "FAILED"
        print(f"{part.name:<12} {outcome}  {closing_line(part.read_log())}")
        for line in list_failures(part.report):
            print(f"    {line}")
    for line in servers.list_missing():
        print(line)
    for line in describe_costs([part.report for part in parts], count_busy_seconds() - busy_before):
        print(line)
    if records:
        record_slow_files(SLOW_FILES, [part.report for part in parts])
    return max(abs(part.status or 0) for part in parts)


def list_parts(servers: Servers, folder: Path, *, cores: int) -> list[Part]:
    """Return the parts in the order of their start: awaited and long ones first."""
    workers = min(_MOST_WORKERS, max(1, cores // 2))
    on_most = min(_MOST_WORKERS, cores // 2 + 1)
    plain = {**os.environ, "NO_COLOR": "1"}
    on_sqlite = servers.environment()
    parts = [
        Part("build", [*_BOOTSTRAP, "pages"], plain, folder),
        # By far the longest: in a single process it would still run when all others have ended.
        pytest_part("SQLite", [f"--ignore={_STORIES}"], on_sqlite, folder, on_most, after="build"),
        pytest_part(
            "browser", [_STORIES], on_sqlite, folder, min(_MOST_WORKERS, cores), after="build"
        ),
        vitest_part("front end", plain, folder, workers, after="build"),
    ]
    if servers.postgres_url:
        environment = servers.environment(on_postgres=True)
        parts.insert(1, pytest_part("PostgreSQL", [*ON_POSTGRES], environment, folder, workers))
    return parts


def pytest_part(
    name: str,
    selected: Sequence[str],
    environment: dict[str, str],
    folder: Path,
    workers: int,
    *,
    after: str = "",
) -> Part:
    command = [*_PYTEST, *selected, *(["-n", str(workers)] if workers > 1 else [])]
    part = Part(name, command, environment, folder, workers, after)
    command.append(f"--junit-xml={part.report}")
    return part


def vitest_part(
    name: str, environment: dict[str, str], folder: Path, workers: int, *, after: str
) -> Part:
    command = [*_BOOTSTRAP, "npm", "run", "test", "--silent", "--", f"--maxWorkers={workers}"]
    part = Part(name, command, environment, folder, workers, after)
    command += ["--reporter=default", "--reporter=junit", f"--outputFile.junit={part.report}"]
    return part


def run_in_parallel(parts: Sequence[Part], *, most: int) -> None:
    """Start each part as soon as the number of running processes allows, until all have ended."""
    waiting, running = list(parts), list[Part]()
    started_at = reported_at = time.monotonic()
    while waiting or running:
        busy = {part.name for part in (*waiting, *running)}
        for part in [part for part in waiting if part.after not in busy]:
            if not running or sum(other.processes for other in (part, *running)) <= most:
                waiting.remove(part)
                running.append(part)
                part.start()
        for part in [part for part in running if part.has_ended()]:
            running.remove(part)
            print(part.describe_end(), flush=True)
        now = time.monotonic()
        if now - reported_at >= _SAY_SECONDS:
            reported_at = now
            minutes, seconds = divmod(int(now - started_at), 60)
            shares = ", ".join(part.describe_progress() for part in running)
            print(f"{minutes}:{seconds:02} {shares}", flush=True)
        time.sleep(_POLL_SECONDS)


def run_changed(arguments: list[str], servers: Servers, folder: Path) -> int:
    """Run the tests that a change may break, and those of the front end if it changed."""
    option, *others = arguments
    base = option.removeprefix(_CHANGED).removeprefix("=") or "HEAD"
    files = list_changed_tests(base)
    print(f"{len(files)} files of tests are about what changed.", flush=True)
    command = [*_BOOTSTRAP, "npm", "run", "test", "--silent", "--", f"--changed={base}"]
    front_end = subprocess.run(command, cwd=ROOT, check=False).returncode
    return max(front_end, run_selection([*files, *others], servers, folder) if files else 0)


def run_selection(arguments: list[str], servers: Servers, folder: Path) -> int:
    """Run what the arguments select, also on PostgreSQL if any of it is marked for that."""
    wants_browser = any("e2e" in argument for argument in arguments)
    if wants_browser and subprocess.run([*_BOOTSTRAP, "pages"], check=False).returncode:
        return 1
    if not wants_browser:  # before the arguments, so that a -m among them wins
        arguments = ["-m", "not e2e", *arguments]
    report = folder / "SQLite.xml"
    command = [*_PYTEST, f"--junit-xml={report}", *arguments]
    environment = servers.environment()
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    failures = list(list_failures(report))
    files = [file for file in list_files(report) if runs_on_postgres(ROOT / file)]
    if servers.postgres_url and files:
        print("\nThe same on PostgreSQL:", flush=True)
        report = folder / "PostgreSQL.xml"
        command = [*_PYTEST, f"--junit-xml={report}", *arguments]
        if not any((ROOT / argument.partition("::")[0]).exists() for argument in arguments):
            command += files  # files without such tests need not be read again
        environment = servers.environment(on_postgres=True)
        again = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        status = max(status, 0 if again == _NOTHING_SELECTED else again)
        failures += [f"on PostgreSQL: {line}" for line in list_failures(report)]
    print()
    print("passed" if status == 0 else f"FAILED (status {status})")
    for line in failures:
        print(f"    {line}")
    return status


def count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def find_postgres() -> str | None:
    """Return the address of a server whose databases this user may create, or None."""
    named = os.environ.get("TEST_DATABASE_URL")
    for url in [named] if named else _CANDIDATES:
        try:
            with psycopg.connect(url, connect_timeout=2):
                return url
        except psycopg.OperationalError:
            continue
    return None


def find_redis() -> str | None:
    url = os.environ.get("TEST_REDIS_URL") or _REDIS
    try:
        redis.Redis.from_url(url, socket_connect_timeout=1).ping()
    except redis.RedisError:
        return None
    return url


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
