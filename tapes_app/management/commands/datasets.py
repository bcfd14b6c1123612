"""List, create, fill, rename and delete datasets, import examples into them, and undo that."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tapes_app.bulk.services import datasets
from tapes_app.bulk.store import dataset_versions
from tapes_app.bulk.store import datasets as datasets_store
from tapes_app.bulk.store.dataset_versions import DatasetVersion
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.engine.errors import InvalidInputError
from tapes_app.exchange.domain.example_mapping import (
    PARTS,
    ExampleMapping,
    list_columns,
    suggest_mapping,
)
from tapes_app.exchange.services.example_files import LOOKED_AT, KeptFile, refusing
from tapes_app.exchange.services.example_imports import ExampleImport, import_examples
from tapes_app.exchange.services.import_report import ImportedExamples
from tapes_app.interchange.example_rows import read_rows
from tapes_app.interchange.folders import clean_name
from tapes_app.management import named, output
from tapes_app.management.arguments import (
    NAME,
    NEEDED_QUERY,
    QUERY,
    option,
    refusing_misfits,
    select_tapes,
)
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.rows import read_all
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_PAGE = 200

_EXAMPLE_FILE = (
    NAME,
    option("file", metavar="FILE", type=Path, help="JSON Lines, CSV or Parquet"),
    *(option(f"--{part}", metavar="COLUMN", help=f"column with the {part}") for part in PARTS),
    option("--metadata", metavar="COLUMN", nargs="+", default=[], help="columns to keep"),
    option("--all-in", metavar="SPLIT", default="", help="split of rows without one"),
)


class Command(ActionCommand):
    help = (
        "List, create and delete datasets, and add or remove the tapes that match a query. The "
        "query dataset:NAME selects the tapes of a dataset in every command, such as "
        "export_tapes."
    )

    def add_actions(self) -> None:
        self.add_action(
            "list", self._list, "list datasets with their tapes per split, newest first"
        )
        about = option("--description", metavar="TEXT", default="")
        words = "create a dataset, optionally with the tapes that match a query"
        self.add_action("create", self._create, words, NAME, QUERY, about)
        words = "add the tapes that match a query"
        self.add_action("add", self._add, words, NAME, NEEDED_QUERY)
        self.add_action(
            "import", self._import, "create examples from a file's rows", *_EXAMPLE_FILE
        )
        self.add_action("freeze", self._freeze, "freeze the current state as a version", NAME)
        self.add_action("versions", self._versions, "list the versions of a dataset", NAME)
        between = (
            option("--since", metavar="N", type=int, required=True, help="earlier version"),
            option("--to", metavar="N", type=int, help="later version (default: now)"),
        )
        self.add_action(
            "changes", self._changes, "show the changes since a version", NAME, *between
        )
        words = "remove them from the dataset; the tapes are not deleted"
        self.add_action("remove", self._remove, words, NAME, NEEDED_QUERY)
        change_id = option(
            "id", metavar="ID", help="id printed by add or remove; valid for one day"
        )
        self.add_action("undo", self._undo, "undo an addition or removal", change_id)
        changes = (
            option("--name", metavar="NAME", dest="new_name"),
            option("--description", metavar="TEXT"),
        )
        words = "change the name or description"
        self.add_action("edit", self._edit, words, NAME, *changes)
        self.add_action("delete", self._delete, "delete a dataset", NAME)
        deleted_id = option("id", metavar="ID", help="id printed by delete")
        self.add_action("restore", self._restore, "restore a deleted dataset", deleted_id)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        rows = read_all(
            lambda after: datasets_store.list_datasets(person.project_id, after=after, limit=_PAGE)
        )
        return self.print_rows(rows, "dataset", _show, asdict)

    def _create(self, person: Person, options: dict[str, Any]) -> Answer:
        query = options["query"]
        made = datasets.create_dataset(
            person,
            name=options["name"],
            description=options["description"],
            selection=None if query is None else select_tapes(query),
        )
        summary = f"Dataset {made.name!r} created with {count_of(made.tape_count, 'tape')}."
        return Answer(summary, asdict(made))

    def _add(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets.load_dataset_named(person, options["name"])
        change = datasets.add_tapes(person, dataset.id, select_tapes(options["query"]))
        return _describe_change(dataset, change, "added to")

    def _freeze(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets.load_dataset_named(person, options["name"])
        version = dataset_versions.freeze(dataset.id, person.project_id)
        count = count_of(version.tape_count, "tape")
        return Answer(f"{dataset.name}@{version.number} has {count}.", asdict(version))

    def _versions(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets.load_dataset_named(person, options["name"])
        rows = dataset_versions.list_versions(dataset.id, person.project_id)
        return self.print_rows(rows, "version", _show_version, asdict)

    def _changes(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets.load_dataset_named(person, options["name"])
        found = dataset_versions.compare_versions(
            dataset.id, person.project_id, before=options["since"], after=options["to"]
        )
        for tape in found.tapes:
            details = f": {tape.before!r} is {tape.after!r}" if tape.change == "expected" else ""
            self.print_line(f"{tape.change} {tape.tape_id} {tape.title}{details}")
        summary = (
            f"{found.added_count} added, {found.removed_count} removed, {found.expected_count} "
            f"with a different expected answer, {found.same_count} the same."
        )
        return Answer(summary, asdict(found))

    def _import(self, person: Person, options: dict[str, Any]) -> Answer:
        imported = _import_file(person, options)
        count = imported.count
        for word, found in (("left out", count.list_left_out()), ("lost", count.list_lost())):
            for rows in found:
                many = count_of(rows.count, "row")
                self.print_line(f"{word}: {rows.why} ({many}, first {rows.first_row})")
        return Answer(imported.summarize(), imported.describe())

    def _remove(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets.load_dataset_named(person, options["name"])
        change = datasets.remove_tapes(person, dataset.id, select_tapes(options["query"]))
        return _describe_change(dataset, change, "removed from")

    def _undo(self, person: Person, options: dict[str, Any]) -> Answer:
        return output.undo(person, options["id"], of="datasets")

    def _edit(self, person: Person, options: dict[str, Any]) -> Answer:
        wanted = {"name": options["new_name"], "description": options["description"]}
        changes = {field: value for field, value in wanted.items() if value is not None}
        if not changes:
            raise InvalidInputError("Choose what to change with --name or --description.")
        dataset = datasets.load_dataset_named(person, options["name"])
        changed = datasets_store.change_dataset(dataset.id, person.project_id, **changes)
        return Answer(f"Dataset {changed.name!r} changed.", asdict(changed))

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets.load_dataset_named(person, options["name"])
        datasets_store.delete_dataset(dataset.id, person.project_id)
        summary = (
            f"Dataset {dataset.name!r} deleted; restore it with datasets restore {dataset.id}."
        )
        return Answer(summary, asdict(dataset))

    def _restore(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = datasets_store.restore_dataset(
            named.find_id(person, options["id"], "dataset"), person.project_id
        )
        return Answer(f"Dataset {dataset.name!r} restored.", asdict(dataset))


def _import_file(person: Person, options: dict[str, Any]) -> ImportedExamples:
    """Create examples from the rows of a file; columns that are not given are found by their names.

    Raises:
        InvalidInputError: no column looks like a message, or the file lacks some of the columns.
        ImportRefusedError: it cannot be read.
    """
    file = KeptFile(path=options["file"], name=clean_name(options["file"].name) or "examples")
    named = {part: options[part] for part in PARTS if options[part] is not None}
    with refusing_misfits():
        request = ExampleImport(
            dataset=options["name"],
            mapping=ExampleMapping.model_validate(
                {
                    **_suggest(file, named),
                    "metadata": options["metadata"],
                    "all_in": options["all_in"],
                }
            ),
        )
    return import_examples(person, file, request)


def _suggest(file: KeptFile, named: dict[str, str]) -> dict[str, str]:
    if "message" in named:
        return named  # whoever gives the message column knows the file
    with refusing(file):
        rows = zip(range(LOOKED_AT), read_rows(file.path, file.name), strict=False)
        columns = list_columns(row.values for _, row in rows if not row.problem)
    suggested = suggest_mapping(columns)
    if suggested is None:
        raise InvalidInputError(
            f"No column looks like a message; give it with --message. The columns are: "
            f"{', '.join(columns[:20])}."
        )
    return {part: getattr(suggested, part) for part in PARTS} | named


def _describe_change(dataset: DatasetRow, change: UndoableChange, done: str) -> Answer:
    words = f"{done} dataset {dataset.name!r}"
    return output.describe_change(change, words, undo="datasets undo", dataset=str(dataset.id))


def _show_version(row: DatasetVersion) -> str:
    count = count_of(row.tape_count, "tape")
    return f"{row.number}  {count}  {row.created_at:%Y-%m-%d %H:%M}  {row.content_hash[:12]}"


def _show(row: DatasetRow) -> str:
    splits = (
        ("train", row.train_count),
        ("validation", row.validation_count),
        ("test", row.test_count),
    )
    details = "".join(f", {count} {name}" for name, count in splits if count)
    return f"{row.name}  {count_of(row.tape_count, 'tape')}{details}"
