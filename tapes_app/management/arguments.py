"""Arguments of commands as values, those that many commands share, and parsing their values."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.interchange.packed_files import read_text
from tapes_app.interchange.refusals import FormatProblem
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.services.lenses import filter_of, load_lens_named
from tapes_app.library.services.queries import read_filter
from tapes_app.library.services.selection import TapeSelection
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.services.people import Person

_MICRO = 1_000_000
Part = Callable[[Any], object]
"""Adds an argument, or several mutually exclusive ones, to a parser."""


def option(*names: str, **how: Any) -> Part:
    """Return an argument, described like one of `add_argument`.

    An option that takes several values may be repeated: all of its values are kept.
    """
    if names[0].startswith("-") and how.get("nargs") in ("+", "*"):
        how = {"action": "extend", **how}
    return lambda parser: parser.add_argument(*names, **how)


def one_of(*parts: Part, is_required: bool = False) -> Part:
    """Return mutually exclusive arguments."""

    def add(parser: Any) -> None:
        group = parser.add_mutually_exclusive_group(required=is_required)
        for part in parts:
            part(group)

    return add


NAME = option("name", metavar="NAME")
TAPE = option("tape", metavar="TAPE")
TAPE_IDS = option("ids", metavar="ID", nargs="*", help="id of a tape")
QUERY = option("--query", "-q", metavar="QUERY", help="query, as in list_tapes")
ANY_QUERY = option("--query", "-q", metavar="QUERY", default="", help="query, as in list_tapes")
NEEDED_QUERY = option(
    "--query", "-q", metavar="QUERY", required=True, help="query, as in list_tapes"
)
NEW_BATCH = option("--batch", metavar="NAME", default="", help="name of the new batch")
UNDO_OF_A_DAY = option("--undo", metavar="ID", help="undo a change made within the last day")
LIST = one_of(
    option("--query", "-q", metavar="QUERY", default="", help="query that selects the tapes"),
    option("--lens", metavar="NAME", default="", help="saved search to use instead"),
)


def settings_option(what: str) -> Part:
    """Return the argument `--set NAME=VALUE …`, which `read_settings` reads."""
    return option("--set", metavar="NAME=VALUE", nargs="+", default=[], help=what)


def read_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return settings by name; a value is parsed as JSON, or else taken as text.

    Raises:
        InvalidInputError: one of them has no "=".
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidInputError(f"{text!r} sets nothing; write it as NAME=VALUE.")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def to_micro_usd(dollars: float | None) -> int | None:
    """Convert dollars to millionths, the unit of budgets."""
    return None if dollars is None else round(dollars * _MICRO)


@contextmanager
def refusing_misfits() -> Iterator[None]:
    """Turn validation errors of a request into one error message.

    Raises:
        InvalidInputError: a value does not fit; the message shows which and why.
    """
    try:
        yield
    except ValidationError as error:
        raise InvalidInputError(f"{first_reason(error)}.") from error


def read_list(person: Person, options: dict[str, Any]) -> tuple[TapeFilter, str]:
    """Return the filter for the tapes of a command's `LIST` arguments, and their order.

    Raises:
        NotFoundError: the person sees no lens of this name.
        QueryError: the query cannot be parsed.
    """
    if not options["lens"]:
        return read_filter(options["query"]), ""
    look = load_lens_named(person, options["lens"]).look
    return filter_of(look), str(look.get("sort", ""))


def select_tapes(query: str) -> TapeSelection:
    """Return all tapes that a query finds; archived ones if it mentions them.

    Raises:
        QueryError: the query cannot be parsed.
    """
    parse_query(query)
    return TapeSelection(q=query)


def read_file(path: Path) -> str:
    """Return the text of a file given to a command.

    Raises:
        InvalidInputError: the file does not exist, or is not text.
    """
    try:
        return read_text(path.read_bytes())
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    except FormatProblem as problem:
        reason = problem.reason.removeprefix("it ")
        raise InvalidInputError(f"{str(path)!r} {reason}.") from problem
