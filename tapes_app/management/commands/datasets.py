"""List, make, fill and delete datasets."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.engine.errors import NotFoundError
from tapes_app.management.command_line import Answer, StudioCommand, select_tapes
from tapes_app.services import datasets
from tapes_app.services.import_report import count_of
from tapes_app.services.people import Person
from tapes_app.storage.datasets import DatasetRow

_PAGE = 200


class Command(StudioCommand):
    help = (
        "List datasets, make and delete them, put in what a query finds and take it out. "
        "The query dataset:NAME names one wherever tapes are chosen, export_tapes say."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, words in _HELP.items():
            action = actions.add_parser(name, help=words, description=words)
            super().add_arguments(action)
            if name != "list":
                action.add_argument("name", metavar="NAME")
            if name in ("add", "remove"):
                action.add_argument("--query", "-q", metavar="QUERY", required=True, help=_QUERY)
            if name == "create":
                action.add_argument("--query", "-q", metavar="QUERY", help=_QUERY)
                action.add_argument("--description", metavar="TEXT", default="")

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        match options["action"]:
            case "list":
                return self._list(person)
            case "create":
                return _create(person, options)
            case "delete":
                dataset = _find(person, options["name"])
                datasets.delete_dataset(person, dataset.id)
                return Answer(f"The dataset {dataset.name!r} is deleted.", _values(dataset))
            case action:
                return _change(person, options, is_adding=action == "add")

    def _list(self, person: Person) -> Answer:
        rows: list[DatasetRow] = []
        after: str | None = ""
        while after is not None:
            page = datasets.list_datasets(person, after=after, limit=_PAGE)
            rows += page.items
            after = page.next
        for row in rows:
            self.tell(_show(row))
        values = {"datasets": [_values(row) for row in rows]}
        return Answer(f"{count_of(len(rows), 'dataset')}.", values)


_HELP = {
    "list": "list the datasets with how many tapes they have",
    "create": "make one, with the tapes in it that a query finds",
    "add": "put in the tapes that a query finds",
    "remove": "take out the tapes that a query finds; the tapes themselves stay",
    "delete": "take one out of the list; its tapes stay",
}
_QUERY = "as list_tapes"


def _create(person: Person, options: dict[str, Any]) -> Answer:
    query = options["query"]
    made = datasets.create_dataset(
        person,
        name=options["name"],
        description=options["description"],
        selection=None if query is None else select_tapes(query),
    )
    summary = f"The dataset {made.name!r} is made, with {count_of(made.tape_count, 'tape')}."
    return Answer(summary, _values(made))


def _change(person: Person, options: dict[str, Any], *, is_adding: bool) -> Answer:
    dataset = _find(person, options["name"])
    do = datasets.add_tapes if is_adding else datasets.remove_tapes
    change = do(person, dataset.id, select_tapes(options["query"]))
    done = "put into" if is_adding else "taken out of"
    return Answer(
        f"{count_of(change.changed_count, 'tape')} of {change.tape_count} {done} the dataset "
        f"{dataset.name!r}.",
        {
            "dataset": str(dataset.id),
            "tapes": change.tape_count,
            "changed": change.changed_count,
        },
    )


def _find(person: Person, name: str) -> DatasetRow:
    dataset = datasets.find_dataset(person, name)
    if dataset is None:
        raise NotFoundError(
            f"There is no dataset {name!r} in {person.project!r}; see `datasets list`."
        )
    return dataset


def _show(row: DatasetRow) -> str:
    splits = (
        ("train", row.train_count),
        ("validation", row.validation_count),
        ("test", row.test_count),
    )
    told = "".join(f", {count} {name}" for name, count in splits if count)
    return f"{row.name}  {count_of(row.tape_count, 'tape')}{told}"


def _values(row: DatasetRow) -> dict[str, Any]:
    return {**asdict(row), "unsplit_count": row.unsplit_count}
