"""Real workers, sweepers and web servers on the rows of a test, to be killed at will."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection, transaction

from studio.env import child_environment
from studio.heartbeat import forget_dead_workers
from tapes_app.jobs.store.workers import workers_folder
from tapes_app.models import JobRecord
from tests.waiting import wait_until

_QUIET = ("--without-gossip", "--without-mingle", "-l", "ERROR")


class Processes:
    """Everything that a test has started; nothing of it outlives the test."""

    def __init__(self, log: Path, *, redis_url: str = "") -> None:
        self._log = log
        self._started: list[subprocess.Popen[bytes]] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self._environment = child_environment(
            DJANGO_SETTINGS_MODULE="tests.jobs.process_settings",
            TEST_PROCESS_DATABASE=str(connection.settings_dict["NAME"]),
            DATABASE_URL=read_test_database_url(),
            REDIS_URL=redis_url,
            STUDIO_PLUGINS="tests.runs.plugin",
        )
        clear_broker()

    def start_worker(
        self, *, pool: str = "prefork", concurrency: int = 64
    ) -> subprocess.Popen[bytes]:
        """Start a worker that does up to `concurrency` jobs at once."""
        self._environment["STUDIO_AGENT_CONCURRENCY"] = str(concurrency)
        celery = ["-m", "celery", "-q", "-A", "studio.celery", "worker", "-Q", "agents"]
        name = f"test-{len(self._started)}-{os.getpid()}@%h"
        return self._start([*celery, "-P", pool, "-c", "1", "-n", name, *_QUIET])

    def start_sweeper(self) -> subprocess.Popen[bytes]:
        return self._start(["manage.py", "sweep"])

    def start_web(self) -> subprocess.Popen[bytes]:
        """Serve on the socket that this object keeps, as the supervisor does."""
        descriptor = self._listener.fileno()
        return self._start(["-m", "studio.web", str(descriptor)], pass_fds=(descriptor,))

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a process without a word, and nothing but that process."""
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def suspend(self, process: subprocess.Popen[bytes]) -> None:
        """Stop a worker for a while, between its transactions: within one it would keep locks."""

        def is_stopped_without_locks() -> bool:
            os.killpg(process.pid, signal.SIGSTOP)
            if _can_lock_jobs():
                return True
            self.wake(process)
            return False

        wait_until(is_stopped_without_locks, "a worker that is stopped between transactions")

    def wake(self, process: subprocess.Popen[bytes]) -> None:
        os.killpg(process.pid, signal.SIGCONT)

    def kill_all(self) -> None:
        for process in self._started:
            # The whole group: a killed worker leaves the children of its pool behind.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        for process in self._started:
            process.wait()
        self._started.clear()

    def close(self) -> None:
        self.kill_all()
        # What is killed leaves its heartbeat, which other tests would find.
        forget_dead_workers(workers_folder())
        self._listener.close()

    def _start(
        self, arguments: list[str], *, pass_fds: tuple[int, ...] = ()
    ) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=settings.BASE_DIR,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=pass_fds,
            )
        self._started.append(process)
        return process


def read_test_database_url() -> str:
    return os.environ.get("TEST_DATABASE_URL", "")  # noqa: TID251 - names the tests' server


def clear_broker() -> None:
    """Forget the nudges of other tests, and whatever else the broker keeps."""
    for name in ("queue", "done", "broken", "control"):
        folder = Path(settings.STUDIO_DATA_DIR) / "broker" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)


def _can_lock_jobs() -> bool:
    """Whether nobody else has locked a job, which in SQLite is the whole database."""
    try:
        if connection.vendor == "sqlite":
            path = str(connection.settings_dict["NAME"])
            with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as database:
                database.execute("BEGIN IMMEDIATE")
        else:
            with transaction.atomic():
                list(JobRecord.objects.select_for_update(nowait=True, of=("self",)))
    except (sqlite3.OperationalError, OperationalError):
        return False
    return True


def list_children(process_id: int) -> list[int]:
    path = Path(f"/proc/{process_id}/task/{process_id}/children")
    return [int(number) for number in path.read_text().split()]
