"""Add tapes to an annotation queue, creating it if necessary."""

from typing import Any

from tapes_app.annotation.services.queues import add_items, create_queue
from tapes_app.annotation.store import queues
from tapes_app.engine.errors import NotFoundError
from tapes_app.library.services.selection import TapeSelection
from tapes_app.management.arguments import NEEDED_QUERY, option, select_tapes
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Add the tapes that match a query to a queue of single tapes; --preset creates the "
        "queue with a bundled rubric."
    )

    arguments = (
        option("queue", metavar="NAME"),
        NEEDED_QUERY,
        option("--preset", metavar="RUBRIC", default="", help="bundled rubric, such as GREADTH"),
        option(
            "--annotators", metavar="N", type=int, default=1, help="people who answer each item"
        ),
        option(
            "--audit",
            metavar="PERCENT",
            type=float,
            help="percent of items that one more person answers (default: 10 if an item needs one "
            "of several people, else 0)",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        selection = select_tapes(options["query"])
        queue = queues.find_queue(options["queue"], person.project_id)
        if queue is not None:
            added = add_items(person, queue.id, targets=(), selection=selection)
        elif options["preset"]:
            queue = _make_queue(person, options, selection)
            added = queue.item_count
        else:
            raise NotFoundError(
                f"There is no queue {options['queue']!r} in {person.project!r}; create it with "
                "--preset GREADTH."
            )
        values = {"queue": str(queue.id), "added": added, "audit_percent": queue.audit_percent}
        return Answer(f"{count_of(added, 'tape')} added to queue {queue.name!r}.", values)


def _make_queue(person: Person, options: dict[str, Any], selection: TapeSelection) -> Any:
    return create_queue(
        person,
        rubric_id=None,
        preset=options["preset"],
        selection=selection,
        name=options["queue"],
        mode="single",
        annotators_per_item=options["annotators"],
        audit_percent=options["audit"],
        lock_minutes=30,
        people=(),
    )
