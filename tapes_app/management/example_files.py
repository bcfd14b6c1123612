"""The arguments that say which column of a file says what of an example, and their import."""

from pathlib import Path
from typing import Any

from tapes_app.engine.errors import InvalidInputError
from tapes_app.exchange.example_mapping import ExampleMapping, list_columns, suggest_mapping
from tapes_app.exchange.services.example_files import LOOKED_AT, KeptFile, refusing
from tapes_app.exchange.services.example_imports import ExampleImport, import_examples
from tapes_app.exchange.services.example_report import ImportedExamples
from tapes_app.interchange.example_rows import read_rows
from tapes_app.interchange.folders import clean_name
from tapes_app.management.arguments import NAME, option, refusing_misfits
from tapes_app.projects.services.people import Person

_PARTS = ("message", "expected", "id", "task", "split", "check", "state")

EXAMPLE_FILE = (
    NAME,
    option("file", metavar="FILE", type=Path, help="JSON Lines, CSV or Parquet"),
    *(
        option(f"--{part}", metavar="COLUMN", help=f"column that says the {part}")
        for part in _PARTS
    ),
    option("--metadata", metavar="COLUMN", nargs="+", default=[], help="columns to keep"),
    option("--all-in", metavar="SPLIT", default="", help="split of rows that name none"),
)


def import_file(person: Person, options: dict[str, Any]) -> ImportedExamples:
    """Make examples of the rows of a file; a column that is not named is looked for by its name.

    Raises:
        InvalidInputError: no column is a message, or the file has not all of them.
        ImportRefusedError: it cannot be read.
    """
    file = KeptFile(path=options["file"], name=clean_name(options["file"].name) or "examples")
    named = {part: options[part] for part in _PARTS if options[part] is not None}
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
        return named  # whoever names the message has looked at the file
    with refusing(file):
        rows = zip(range(LOOKED_AT), read_rows(file.path, file.name), strict=False)
        columns = list_columns(row.values for _, row in rows if not row.problem)
    suggested = suggest_mapping(columns)
    if suggested is None:
        raise InvalidInputError(
            f"No column is called like a message; name it with --message. There are: "
            f"{', '.join(columns[:20])}."
        )
    return {part: getattr(suggested, part) for part in _PARTS} | named
