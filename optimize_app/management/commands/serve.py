"""Serve an adapter or a base model until the command is interrupted."""

import signal
from types import FrameType
from typing import Any

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.finetune.store.adapters import find_adapter
from optimize_app.serving.request import SERVE_QUEUE, ServeRequest
from optimize_app.serving.services import serving
from optimize_app.serving.services.serving import ServedModel
from tapes_app.engine.errors import NotFoundError
from tapes_app.jobs.domain.stop_request import StopRequest
from tapes_app.management import jobs
from tapes_app.management.arguments import NAME, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person

_POLL_SECONDS = 0.3


class Command(StudioCommand):
    help = (
        "Serve the newest adapter of a name, or a base model, until this command is interrupted. "
        "Once it reports that the model is ready, runs can choose it."
    )

    arguments = (
        NAME,
        option("--base", action="store_true", help="NAME is a base model, not an adapter"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        interrupted = StopRequest()

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            interrupted.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, interrupt)
        served = serving.serve(person, _choose(person, options))
        with jobs.working_on(SERVE_QUEUE):
            served = self._wait(person, served, interrupted)
            if served.state in ("ready", "starting"):
                serving.stop_serving(person, served.id)
        values = {"model": served.name, "state": served.state, "message": served.message}
        if served.state in ("refused", "failed"):
            return Answer(f"{served.name} is not served: {served.message}", values, is_done=False)
        return Answer(f"{served.name} is no longer served.", values)

    def _wait(self, person: Person, served: ServedModel, interrupted: StopRequest) -> ServedModel:
        """Wait while the model starts or is ready; announce when it is."""
        is_announced = False
        while served.state in ("starting", "ready") and not interrupted.wait(_POLL_SECONDS):
            served = serving.load_served(person, served.id)
            if served.state == "ready" and not is_announced:
                is_announced = True
                self.print_line(f"{served.name} is ready. End this command to stop serving it.")
                self.stdout.flush()  # a program that reads it from a pipe waits for this line
        return served


def _choose(person: Person, options: dict[str, Any]) -> ServeRequest:
    if options["base"]:
        return ServeRequest(base=options["name"])
    adapter = find_adapter(options["name"], person.project_id)
    if adapter is None:
        raise NotFoundError(f"There is no adapter {options['name']!r}.")
    return ServeRequest(adapter_id=adapter.id)
