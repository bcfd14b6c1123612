"""The job of a server: starting and watching its program, probing and announcing its models."""

import subprocess
import sys
import threading
import time

from optimize_app.programs import ROOT
from optimize_app.serving.request import SERVE_KIND, ServerRequest
from optimize_app.serving.server.server_folder import Address, ServerFolder
from optimize_app.serving.services import announcing
from optimize_app.serving.store import folders, served
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.projects.domain.wording import count_of

_POLL_SECONDS = 0.5
_PATIENCE_SECONDS = 30.0
"""How long a server may take to end before it is killed."""

_WORDS = 500
"""Maximum characters of a probe's output in a message."""

_STEADY_SECONDS = 300.0
"""A server that ran this long before it died is started again."""


class ServerFailedError(StudioError):
    """A server ended unexpectedly."""

    code = "server_failed"
    status = 500


@job_kind(SERVE_KIND)
async def execute_server(context: JobContext) -> Outcome:
    """Serve until somebody stops the server; it restarts together with the studio."""
    return await run_until_stopped(context, _work, lambda _job, _project: None)


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    request = ServerRequest.model_validate(context.job.request)
    folder = folders.prepare_server(context.job, request.base, request.served_name)
    context.report_progress(0, message="Loading the base model")
    server, reported = _Server(context, folder), ""
    try:
        while not stopped.is_set():
            folder.note_watched()
            address = server.find_address()
            if address is not None:
                message = _attend(context, folder, address, stopped)
                if message != reported:
                    reported = message
                    context.report_progress(0, message=message)
            stopped.wait(_POLL_SECONDS)
    finally:
        server.end()
    return Outcome("cancelled")


def _attend(
    context: JobContext, folder: ServerFolder, address: Address, stopped: threading.Event
) -> str:
    """Probe newly loaded models, announce them, and return a sentence on what is served."""
    wanted = served.list_of_server(context.job.id)
    folders.unlink_others(folder, {record.name for record in wanted})
    for record in wanted:
        if stopped.is_set() or announcing.is_known(record, address):
            continue
        folders.prepare_model(folder, record, context.job.project_id)
        context.report_progress(0, message=f"Probing {record.name}")
        parity = _probe(folder, record.name, stopped)
        if parity is not None:
            parity["loaded_at"] = address.started_at
            context.write_in_thread(
                lambda record=record, parity=parity: announcing.announce(  # type: ignore[misc]
                    context.job, record, parity, address, folder.read_config().api_key or ""
                )
            )
    return f"Serving {count_of(len(wanted), 'model')}"


def _probe(folder: ServerFolder, name: str, stopped: threading.Event) -> dict[str, object] | None:
    """Return the result of the parity probe; `None` if it was stopped."""
    folders.forget_parity(folder, name)
    log = folder.probes / f"{name}.log"
    with log.open("wb") as output:
        probe = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "optimize_app.serving.probe", str(folder.path), name],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    while probe.poll() is None:
        folder.note_watched()
        if stopped.wait(_POLL_SECONDS):
            probe.kill()
            probe.wait()
            return None
    found = folders.read_parity(folder, name)
    if found is not None:
        return found
    words = log.read_text(errors="replace").strip()[-_WORDS:]
    return {"passed": False, "message": f"The parity probe failed. Its last words: {words}"}


class _Server:
    """The program of a folder; it is restarted if it dies after having run for long."""

    def __init__(self, context: JobContext, folder: ServerFolder) -> None:
        self._context = context
        self._folder = folder
        self._start()

    def find_address(self) -> Address | None:
        """Return its address, `None` while it loads.

        Raises:
            ServerFailedError: it ended soon after it was started here; the message has its last
                words.
        """
        if not self._is_at_work():
            is_own = self._child is not None  # one that was found here may have been ending already
            if is_own and time.monotonic() - self._started_at < _STEADY_SECONDS:
                words = self._folder.read_last_words()
                raise ServerFailedError(f"The server ended unexpectedly. Its last words: {words}")
            self._start()
        return self._folder.read_address()

    def end(self) -> None:
        """End the program, so that no unwatched server is left."""
        self._folder.stop_file.touch()
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while self._is_at_work() and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS / 5)
        if self._is_at_work():
            self._folder.kill()
        self._folder.address_file.unlink(missing_ok=True)

    def _start(self) -> None:
        self._started_at = time.monotonic()
        self._child = None
        if not self._folder.is_at_work():
            job_id = self._context.job.id
            self._context.write_in_thread(lambda: served.forget_parities(job_id))
            self._folder.address_file.unlink(missing_ok=True)
            self._child = self._folder.start(folders.server_command(self._folder))

    def _is_at_work(self) -> bool:
        if self._child is not None:
            return self._child.poll() is None
        return self._folder.is_at_work()
