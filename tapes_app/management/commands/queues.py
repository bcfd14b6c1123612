"""List, create and delete annotation queues, and show their results."""

from dataclasses import asdict
from typing import Any

from tapes_app.annotation.services import queue_results, queues, rubrics
from tapes_app.annotation.services.queue_results import Agreement, ItemResult
from tapes_app.annotation.store import queues as queues_store
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.management.arguments import NAME, option, select_tapes
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.rows import read_all
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_PAGE = 200


class Command(ActionCommand):
    help = (
        "List, create and delete annotation queues, and show their answers and agreement. "
        "queue_tapes adds tapes to a queue, export_answers exports its answers."
    )

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list queues with their progress, newest first")
        self.add_action("show", self._show, "show the answers and agreement of a queue", NAME)
        queue = (
            NAME,
            option("--rubric", metavar="NAME", required=True, help="name of a rubric or a preset"),
            option("--query", "-q", metavar="QUERY", help="query for the tapes to add"),
            option("--pairwise", action="store_true", help="each item compares two tapes"),
            option(
                "--annotators", metavar="N", type=int, default=1, help="people who answer each item"
            ),
            option(
                "--audit",
                metavar="PERCENT",
                type=float,
                help="percent of items that one more person answers",
            ),
            option("--lock", metavar="MINUTES", type=int, default=30),
            option("--people", metavar="NAME", nargs="+", default=[], help="else all"),
        )
        self.add_action("create", self._create, "make one", *queue)
        self.add_action("delete", self._delete, "delete a queue; its annotations are kept", NAME)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        rows = read_all(
            lambda after: queues_store.list_queues(person.project_id, after=after, limit=_PAGE)
        )
        return self.print_rows(rows, "queue", _show_row, _values)

    def _show(self, person: Person, options: dict[str, Any]) -> Answer:
        queue = queues.load_queue_named(person, options["name"])
        results = queue_results.show_results(person, queue.id)
        for item in (*results.items, *filter(None, [results.score])):
            self.print_line(_show_item(item))
        for one in results.people:
            self.print_line(f"by {one.person}: {one.answer_count}, {one.median_seconds:.0f} s each")
        return Answer(f"{_progress(queue)}.", {**_values(queue), "results": asdict(results)})

    def _create(self, person: Person, options: dict[str, Any]) -> Answer:
        query = options["query"]
        made = queues.create_queue(
            person,
            rubric_id=rubrics.ensure_rubric(person, options["rubric"]).id,
            preset="",
            selection=None if query is None else select_tapes(query),
            name=options["name"],
            mode="pairwise" if options["pairwise"] else "single",
            annotators_per_item=options["annotators"],
            audit_percent=options["audit"],
            lock_minutes=options["lock"],
            people=queues.find_people(person, options["people"]),
        )
        summary = f"Queue {made.name!r} created with {count_of(made.item_count, 'tape')}."
        return Answer(summary, _values(made))

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        queue = queues.load_queue_named(person, options["name"])
        queues_store.delete_queue(queue.id, person.project_id)
        return Answer(f"Queue {queue.name!r} deleted.", _values(queue))


def _show_row(row: QueueRow) -> str:
    return f"{row.name}  {_progress(row)}, asks {row.rubric_name!r}"


def _progress(queue: QueueRow) -> str:
    done = f"{queue.done_count} of {count_of(queue.item_count, 'item')} done"
    return f"{done}, {count_of(queue.answer_count, 'answer')}"


def _show_item(item: ItemResult) -> str:
    parts = [f"{one.value} {one.count}" for one in item.values if one.count]
    if item.mean is not None:
        parts.append(f"mean {item.mean:.3g}")
    if item.agreement is not None and item.agreement.unit_count:
        parts.append(_show_agreement(item.agreement))
    result = ", ".join(parts) or count_of(item.answer_count, "answer")
    return f"{item.key or 'score'}: {result}"


def _show_agreement(agreement: Agreement) -> str:
    measures = (("equal", agreement.percent), ("kappa", agreement.kappa),
                ("alpha", agreement.alpha))  # fmt: skip
    shown = [f"{name} {value:.2f}" for name, value in measures if value is not None]
    return f"{' '.join(shown)} on {agreement.unit_count} answered twice"


def _values(queue: QueueRow) -> dict[str, Any]:
    values = asdict(queue)
    values["rubric"] = queue.rubric.model_dump(mode="json")
    return values
