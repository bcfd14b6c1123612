"""`up`: the web server, the workers and the sweeper as children of one process."""

import errno
import http.client
import os
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import django
from django.conf import settings
from django.core.management import call_command, get_commands
from django.db import connections

from studio.backups.upgrading import prepare_upgrade
from studio.children import Child, ChildSpec, load_ahead, stop_children
from studio.data_dir import make_all_private, prepare_data_dir
from studio.database_faults import explaining_database_errors
from studio.env import read_variable, set_variable
from studio.file_broker import remove_leftovers
from studio.heartbeat import forget_dead_workers
from studio.instance_lock import InstanceLock
from studio.logins import create_login_token, needs_login_link
from studio.plugin_files import PluginFiles
from studio.space import require_space
from studio.stuck_workers import StuckWorkers
from studio.web import serve
from studio.workers import agents_worker, list_training_workers
from tapes_app.agents.services.plugins import list_own_modules
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.stop_request import StopRequest
from tapes_app.jobs.store.workers import workers_folder

_PORTS_TRIED = 50
_POLL_SECONDS = 0.2
_GREEN_WITHIN_SECONDS = 90.0
# Runs are handed over within a second. An idle worker takes up to 5 s to sign off from its broker,
# and nothing is lost by not waiting for that.
_GRACE_SECONDS = 3.5
_LOOK_SECONDS = 0.5
_STATE_SECONDS = 1.5  # to log what it is doing, and to hand over what it can
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104

Say = Callable[[str], None]


@dataclass(frozen=True)
class Listener:
    """The socket of the web server and the address that reaches it."""

    socket: socket.socket
    url: str


def run_studio(say: Say, *, opens_browser: bool, reloads: bool = False) -> None:
    """Start everything, keep it alive, and stop it on Ctrl-C or SIGTERM.

    With `reloads`, everything restarts whenever one of the person's own modules changes.
    """
    data_dir = Path(settings.STUDIO_DATA_DIR)
    prepare_data_dir(data_dir)
    require_space(data_dir)
    if not settings.STUDIO_ARTEFACTS:  # another machine's user may have to read shared files
        os.umask(0o077)
    make_all_private(data_dir)
    set_variable("STUDIO_DATA_DIR", str(data_dir))  # children run in another folder
    with InstanceLock(data_dir) as lock:
        load_ahead()  # in another process, while this one prepares the database
        listener = open_listener(settings.STUDIO_HOST, settings.STUDIO_PORT, say)
        prepare_database(say)
        forget_dead_workers(data_dir / "workers")
        remove_leftovers(data_dir / "broker")
        lock.describe(url=listener.url)
        own_files = PluginFiles(list_own_modules()) if reloads else None
        children = [Child(spec) for spec in list_children(listener)]
        supervisor = Supervisor(children, say, own_files=own_files)
        supervisor.run(listener.url, opens_browser=opens_browser)


def open_listener(host: str, port: int, say: Say) -> Listener:
    """Listen on the port, or report it as taken and use the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + _PORTS_TRIED, 65536)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
        except OSError as error:
            listener.close()
            if error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise ConflictError(
                    f"Cannot listen on {host!r}: {error.strerror}. Choose another --host."
                ) from error
            say(f"Port {candidate} is taken; trying {candidate + 1}.")
            continue
        listener.listen(256)
        shown_host = _ANY_ADDRESS.get(host, f"[{host}]" if ":" in host else host)
        return Listener(listener, f"http://{shown_host}:{candidate}")
    raise ConflictError(
        f"The ports {port} to {port + _PORTS_TRIED - 1} are all taken; choose another with --port."
    )


def prepare_database(say: Say) -> None:
    """Bring the tables up to date and load the sample project once.

    Raises:
        DatabaseUnusableError: the database does not answer, or is damaged.
        NewerDatabaseError: a newer version wrote it.
        BackupError: it cannot be copied before it is changed.
    """
    say("Preparing the database …")
    with explaining_database_errors():
        prepare_upgrade(say)
        call_command("migrate", verbosity=0, interactive=False)
        if "load_sample" in get_commands():
            call_command("load_sample", verbosity=0)
    connections.close_all()


def list_children(listener: Listener) -> list[ChildSpec]:
    """Return how each child is started."""
    children = [
        ChildSpec("web", serve, (listener.socket,)),
        agents_worker(),
        *list_training_workers(serves=True),
    ]
    if "sweep" in get_commands():
        children.append(ChildSpec("sweeper", sweep))
    return children


def sweep() -> None:
    """Be the sweeper until SIGTERM."""
    django.setup()
    call_command("sweep")


class Supervisor:
    """Keeps the children alive until it is asked to stop.

    `own_files` are checked repeatedly; when they change, every child is restarted, because a
    running process cannot unload a module. Runs are handed over as at any stop.
    """

    def __init__(
        self, children: list[Child], say: Say, *, own_files: PluginFiles | None = None
    ) -> None:
        self._children = children
        self._say = say
        self._own_files = own_files
        self._look_again_at = 0.0
        self._stuck = StuckWorkers(workers_folder())
        self._stopping = StopRequest()

    def run(self, url: str, *, opens_browser: bool) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        try:
            self._wait_until_green(url)
            if not self._stopping.is_set():
                self._announce(url, opens_browser=opens_browser)
            while not self._stopping.wait(_POLL_SECONDS):
                if self._have_files_changed(time.monotonic()):
                    self._reload(url)
                self._replace_stuck()
                self._revive()
        finally:
            self._say("Stopping …")
            stop_children(self._children, grace_seconds=_GRACE_SECONDS)
            self._say("Stopped.")

    def _stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._stopping.is_set():  # asked twice: stop waiting
            for child in self._children:
                child.send(signal.SIGKILL)
        self._stopping.set()

    def _revive(self) -> None:
        for child in self._children:
            child.revive(time.monotonic())

    def _replace_stuck(self) -> None:
        for child in self._children:
            if self._stuck.is_stuck(child, time.monotonic()):
                self._say(f"The {child.spec.name} is stuck and will be killed; its threads are at:")
                self._stuck.ask_for_state(child)
                # The runs of its other event loops are handed over meanwhile.
                child.send(signal.SIGTERM)
                self._stopping.wait(_STATE_SECONDS)
                self._stuck.end(child)

    def _have_files_changed(self, now: float) -> bool:
        if self._own_files is None or now < self._look_again_at:
            return False
        self._look_again_at = now + _LOOK_SECONDS
        return self._own_files.have_changed()

    def _reload(self, url: str) -> None:
        self._say("A plugin module changed.")
        stop_children(self._children, grace_seconds=_GRACE_SECONDS)
        for child in self._children:
            child.renew()
        self._wait_until_green(url)
        if not self._stopping.is_set():
            self._say("Reloaded.")

    def _wait_until_green(self, url: str) -> None:
        self._say("Starting web server and workers …")
        deadline = time.monotonic() + _GREEN_WITHIN_SECONDS
        while time.monotonic() < deadline and not self._stopping.is_set():
            self._revive()
            if is_green(url):
                return
            self._stopping.wait(_POLL_SECONDS)
        if not self._stopping.is_set():
            self._say(
                f"Some services are not up after {_GREEN_WITHIN_SECONDS:.0f} s; see {url}/healthz"
            )
            self._say("and run `.venv/bin/python manage.py doctor`.")

    def _announce(self, url: str, *, opens_browser: bool) -> None:
        with_link = needs_login_link()
        url = settings.STUDIO_PUBLIC_URL or url
        if opens_browser:
            webbrowser.open(f"{url}/login/{create_login_token()}" if with_link else url)
        self._say("Press Ctrl-C to stop.")
        self._say(f"Tape Studio:  {url}")
        if with_link:
            self._say(f"Sign in once: {url}/login/{create_login_token()}")


def is_green(url: str) -> bool:
    """Return whether `/healthz` reports all parts as working."""
    address = url.removeprefix("http://")
    try:
        connection = http.client.HTTPConnection(address, timeout=5)
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False


def may_open_browser() -> bool:
    """Return whether a browser would open in a window, rather than inside this terminal."""
    return sys.stdout.isatty() and _has_screen()


def _has_screen() -> bool:
    return sys.platform == "darwin" or any(
        read_variable(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
