"""Write the answers of an annotation queue to a file."""

from pathlib import Path
from typing import Any, get_args

from tapes_app.annotation.services.queue_exports import AnswerFormat, export_answers
from tapes_app.annotation.services.queues import load_queue_named
from tapes_app.exchange.services.export_targets import FolderTarget
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = "Export the answers of an annotation queue, one per line."

    arguments = (
        option("queue", metavar="NAME"),
        option("--format", choices=get_args(AnswerFormat), default="jsonl"),
        option("--out", metavar="DIR", type=Path, required=True),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        queue = load_queue_named(person, options["queue"])
        written = export_answers(person, queue.id, options["format"])
        try:
            FolderTarget(options["out"]).add(written.path, written.name)
        finally:
            written.remove()
        path = options["out"] / written.name
        summary = f"{count_of(queue.answer_count, 'answer')} written to {str(path)!r}."
        values = {"answers": queue.answer_count, "files": [written.name], "out": str(path.parent)}
        return Answer(summary, values)
