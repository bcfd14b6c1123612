"""The answers of an annotation queue as a file: JSON lines or CSV, one answer per line."""

from collections.abc import Iterator
from typing import Any, Literal
from uuid import UUID

from tapes_app.annotation.store import queue_items, queues
from tapes_app.annotation.store.queue_items import AnswerRow, ItemRow
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.interchange.chat_lines import dump_line
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.table_files import write_csv_rows
from tapes_app.projects.services.downloads import Download, write_download
from tapes_app.projects.services.people import Person

AnswerFormat = Literal["jsonl", "csv"]


def export_answers(person: Person, queue_id: UUID, file_format: AnswerFormat) -> Download:
    """Return all answers of a queue as a file, one per line.

    Raises:
        NotFoundError: no such queue in the project.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    name = clean_name(queue.name).replace("/", " ") or "answers"
    if file_format == "csv":
        return write_download(name, ".csv", "text/csv; charset=utf-8", _csv_lines(queue))
    return write_download(name, ".jsonl", "application/jsonl", _json_lines(queue))


def _json_lines(queue: QueueRow) -> Iterator[str]:
    head = {
        "queue": queue.name,
        "rubric": queue.rubric_name,
        "rubric_version": queue.rubric_version,
    }
    for item, answer in _answers(queue):
        line = {**head, **_facts(item, answer), "values": answer.values}
        yield dump_line(line)


def _csv_lines(queue: QueueRow) -> Iterator[str]:
    keys = [item.key for item in queue.rubric.items]
    yield write_csv_rows([[*_FACTS, *(f"values.{key}" for key in keys)]])
    for item, answer in _answers(queue):
        facts = _facts(item, answer)
        cells = [facts[name] for name in _FACTS]
        yield write_csv_rows([[*cells, *(answer.values.get(key) for key in keys)]])


def _answers(queue: QueueRow) -> Iterator[tuple[ItemRow, AnswerRow]]:
    for item in queue_items.iterate_items(queue.id):
        for answer in item.answers:
            yield item, answer


def _facts(item: ItemRow, answer: AnswerRow) -> dict[str, Any]:
    return {
        "item": item.number,
        "tape_id": str(item.tape_id),
        "tape": item.tape_title,
        "other_tape_id": None if item.other_tape_id is None else str(item.other_tape_id),
        "other_tape": item.other_tape_title or None,
        "position": item.position,
        "person": answer.person,
        "score": answer.score,
        "seconds": answer.seconds,
        "note": answer.note,
        "answered_at": answer.answered_at.isoformat(),
    }


_FACTS = (
    "item", "tape_id", "tape", "other_tape_id", "other_tape", "position", "person", "score",
    "seconds", "note", "answered_at",
)  # fmt: skip
