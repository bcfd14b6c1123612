"""Runs every test: Python on SQLite, again on a PostgreSQL that answers, and the front end's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree

import psycopg
import redis

ROOT = Path(__file__).resolve().parent.parent
_CANDIDATES = (
    "postgresql://postgres@127.0.0.1:5432/postgres",
    "postgresql://postgres:postgres@127.0.0.1:5432/postgres",
)
_REDIS = "redis://127.0.0.1:6379/15"


def main(arguments: list[str]) -> int:
    environment = dict(os.environ)
    environment.pop("TEST_DATABASE_URL", None)
    redis_url = find_redis()
    if redis_url:
        environment["TEST_REDIS_URL"] = redis_url
    # The front end first: what pytest says of a failure then stands near the end of the output.
    outcomes = {"front end": Outcome(run_front_end())}
    outcomes["python, SQLite"] = run_pytest(environment, arguments)
    postgres_url = find_postgres()
    if postgres_url:
        environment["TEST_DATABASE_URL"] = postgres_url
        outcomes["python, PostgreSQL"] = run_pytest(
            environment, ["-m", "both_databases", *arguments]
        )

    print()
    for name, (status, failures) in outcomes.items():
        print(f"{name:<20} {'passed' if status == 0 else f'FAILED (status {status})'}")
        for failure in failures:
            print(f"{'':<20} {failure}")
    if not postgres_url:
        print("PostgreSQL           not there: set TEST_DATABASE_URL or start one on port 5432")
    if not redis_url:
        print("Redis                not there: its tests were skipped")
    return max(outcome.status for outcome in outcomes.values())


class Outcome(NamedTuple):
    """How a run of tests ended, with a line for each test that failed."""

    status: int
    failures: tuple[str, ...] = ()


def run_pytest(environment: dict[str, str], arguments: list[str]) -> Outcome:
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *arguments]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        return Outcome(status, tuple(list_failures(report)))


def list_failures(report: Path) -> Iterator[str]:
    """Give one line for each failed test of a JUnit report, as pytest writes it."""
    if not report.exists():
        return
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
        found = [child for child in case if child.tag in {"failure", "error"}]
        for child in found:
            reason, *_ = child.get("message", "").splitlines() or [""]
            yield f"{case.get('classname')}::{case.get('name')}: {reason[:200]}"


def run_front_end() -> int:
    bootstrap = str(ROOT / "deploy" / "bootstrap.py")
    command = [sys.executable, bootstrap, "npm", "run", "test", "--silent"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


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
    url = os.environ.get("TEST_REDIS_URL", _REDIS)
    try:
        redis.Redis.from_url(url, socket_connect_timeout=1).ping()
    except redis.RedisError:
        return None
    return url


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
