"""List workers, drain one, or let it take work again."""

from dataclasses import asdict
from typing import Any

from studio.draining import KnownWorker, drain_worker, list_known_workers, resume_worker
from tapes_app.management.arguments import option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_WORKER = option("worker", metavar="WORKER", help="its name (HOST:PID), or its process id")


class Command(ActionCommand):
    help = "List workers; drain one, so that it takes no new job; let it take work again."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the workers, and what each does")
        self.add_action(
            "drain", self._drain, "let a worker finish its jobs and take no new one", _WORKER
        )
        self.add_action("resume", self._resume, "let a drained worker take work again", _WORKER)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(list_known_workers(), "worker", _show, asdict)

    def _drain(self, person: Person, options: dict[str, Any]) -> Answer:
        worker = drain_worker(person.user_id, person.name, options["worker"])
        rest = f"; it continues {count_of(len(worker.jobs), 'job')}" if worker.jobs else ""
        summary = f"{worker.name} takes no new job{rest}."
        return Answer(summary, {"worker": worker.name, "jobs": len(worker.jobs)})

    def _resume(self, person: Person, options: dict[str, Any]) -> Answer:
        worker = resume_worker(person.user_id, options["worker"])
        return Answer(f"{worker.name} takes work again.", {"worker": worker.name})


def _show(worker: KnownWorker) -> str:
    queues = ", ".join(worker.queues) or "elsewhere"
    does = ", ".join(job.title or job.kind for job in worker.jobs)
    if worker.is_drained:
        state = f"draining: {does}" if does else "drained"
    elif not worker.is_alive:
        state = "no sign of life"
    else:
        state = does or "waits for work"
    return f"{worker.name}  {queues}  {state}"
