"""What the commands of the studio share: project, answer as a line or as JSON, exit status."""

import json
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandParser

from tapes_app.agents.rows import AgentRow
from tapes_app.agents.store.agents import find_agent
from tapes_app.agents.store.llm_models import list_models
from tapes_app.bulk.store.made_batches import Discarded
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.engine.errors import InvalidInputError, NotFoundError, StudioError
from tapes_app.library.services.lenses import load_lens_named
from tapes_app.library.services.queries import read_filter
from tapes_app.library.services.saved_searches import filter_of
from tapes_app.library.services.selection import TapeSelection
from tapes_app.library.statistics import Estimate
from tapes_app.library.store.lenses import find_lens_named
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.tape_query.parser import parse_query
from tapes_app.projects.rows import Page
from tapes_app.projects.services.people import Person
from tapes_app.projects.store import projects
from tapes_app.projects.wording import count_of
from tapes_app.tapes.store.access import find_tape_ids
from tapes_app.tapes.store.batches import find_batch

Row = TypeVar("Row")


@dataclass(frozen=True)
class Answer:
    """What a command says at its end."""

    summary: str
    """One line."""

    values: dict[str, Any] = field(default_factory=dict)
    """The JSON object that `--json` prints."""

    is_done: bool = True
    """Whether it did what it was asked; the exit status."""


class AnsweringCommand(BaseCommand):
    """A command that ends with one line, or one JSON object."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - no positional ones
        self.is_json: bool = options["json"]
        try:
            answer = self.answer(options)
        except StudioError as error:
            problem = {"code": error.code, "message": error.message, "details": error.details}
            answer = Answer(error.message, {"error": problem}, is_done=False)
        if self.is_json:
            self.stdout.write(json.dumps(answer.values, default=str))
        else:
            target = self.stdout if answer.is_done else self.stderr
            target.write(show(answer.summary))
        if not answer.is_done:
            raise SystemExit(1)

    @abstractmethod
    def answer(self, options: dict[str, Any]) -> Answer:
        """Do what was asked."""

    def tell(self, line: str) -> None:
        """Print a line before the last one; not with `--json`."""
        if not self.is_json:
            self.stdout.write(show(line))


class StudioCommand(AnsweringCommand):
    """A command that works in a project."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", default="", help="name of the project")
        super().add_arguments(parser)

    def answer(self, options: dict[str, Any]) -> Answer:
        return self.work(find_operator(options["project"]), options)

    @abstractmethod
    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        """Do what was asked, in the person's project."""


def show(line: str) -> str:
    """Return a line as a terminal may see it: tapes may hold control and bidi characters."""
    return "".join(sign if sign.isprintable() else "�" for sign in line)


def show_rate(rate: Estimate) -> str:
    """Return "62% of 8 judged passed (31% to 86%)"."""
    return f"{rate.value:.0%} of {rate.count} judged passed ({rate.low:.0%} to {rate.high:.0%})"


def read_file(path: Path) -> str:
    """Return the text of a file that a command was given.

    Raises:
        InvalidInputError: there is none, or it is not text.
    """
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{str(path)!r} is not UTF-8 text.") from error


def tell_discarded(gone: Discarded) -> Answer:
    """Return what is said when the tapes that a bulk action made were removed."""
    kept = f"; {gone.kept_count} kept because somebody is using them" if gone.kept_count else ""
    values = {"removed": gone.tape_count, "kept": gone.kept_count}
    return Answer(f"{count_of(gone.tape_count, 'tape')} removed{kept}.", values)


def tell_change(
    change: UndoableChange, done: str = "changed", *, undo: str = "--undo", **values: Any
) -> Answer:
    """Return what is said of a change of many tapes, and by which id it is taken back."""
    told = f"{count_of(change.changed_count, 'tape')} of {change.tape_count} {done}"
    back = f"; undo with {undo} {change.id}" if change.id else ""
    counts = {"tapes": change.tape_count, "changed": change.changed_count}
    undone_by = str(change.id) if change.id else None
    return Answer(f"{told}{back}.", {**counts, **values, "undo": undone_by})


def tell_taken_back(tape_count: int) -> Answer:
    """Return what is said when a change of many tapes was undone."""
    return Answer(f"Undone on {count_of(tape_count, 'tape')}.", {"changed": tape_count})


def read_all(read: Callable[[str], Page[Row]]) -> list[Row]:
    """Return the rows of all pages; `read` takes the cursor of a page, empty for the first."""
    rows: list[Row] = []
    after: str | None = ""
    while after is not None:
        page = read(after)
        rows += page.items
        after = page.next
    return rows


def read_id(text: str) -> UUID:
    """Return the id that a command was given.

    Raises:
        InvalidInputError: it is none.
    """
    try:
        return UUID(text)
    except ValueError as error:
        raise InvalidInputError(f"{text!r} is not an id.") from error


def find_operator(project: str) -> Person:
    """Return the owner of the install, in the project of this name or the first one.

    Raises:
        NotFoundError: there is no such project.
    """
    users = get_user_model().objects
    owner, is_new = users.get_or_create(username=settings.STUDIO_OWNER_NAME)
    if is_new:
        owner.set_unusable_password()
        owner.is_staff = owner.is_superuser = True
        owner.save()
    rows = projects.list_projects(owner.pk)
    if not project:
        row = rows[0] if rows else projects.ensure_default_project(owner.pk)
        return Person(owner.pk, owner.get_username(), row.id, row.name, row.role)
    for row in rows:
        if row.name == project:
            return Person(owner.pk, owner.get_username(), row.id, row.name, row.role)
    known = ", ".join(repr(row.name) for row in rows) or "none"
    raise NotFoundError(f"There is no project {project!r}; available: {known}.")


def find_tape(person: Person, text: str) -> UUID:
    """Return the tape of an id: that of this store, or the one of its file.

    Raises:
        NotFoundError: no tape has it, or several have.
    """
    found = find_tape_ids(person.project_id, text)
    if not found:
        raise NotFoundError(f"There is no tape {text!r} in project {person.project!r}.")
    if len(found) > 1:
        raise NotFoundError(
            f"{len(found)} tapes were imported with the id {text!r}; use one of "
            f"{', '.join(str(tape_id) for tape_id in found[:5])}."
        )
    return found[0]


def select_tapes(query: str) -> TapeSelection:
    """Return all tapes that a query finds; those in the archive when it speaks of them.

    Raises:
        QueryError: the query cannot be read.
    """
    parse_query(query)
    return TapeSelection(q=query)


def add_list_arguments(parser: CommandParser) -> None:
    """Let a command be asked about a list: by a query, or by a lens."""
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--query", "-q", metavar="QUERY", default="", help="query that selects the tapes"
    )
    chosen.add_argument("--lens", metavar="NAME", default="", help="saved search to use instead")


def read_list(person: Person, options: dict[str, Any]) -> tuple[TapeFilter, str]:
    """Return what picks the tapes of a list that a command is asked about, and their order.

    Raises:
        NotFoundError: the person sees no lens of this name.
        QueryError: the query cannot be read.
    """
    if not options["lens"]:
        return read_filter(q=options["query"]), ""
    look = load_lens_named(person, options["lens"]).look
    return filter_of(look), str(look.get("sort", ""))


def find_side_named(person: Person, name: str) -> UUID:
    """Return the batch of a name, or else the saved search.

    Raises:
        NotFoundError: the project has neither.
    """
    row = find_batch(name, person.project_id)
    side = row or find_lens_named(name, person.project_id, person.user_id)
    if side is None:
        raise NotFoundError(
            f"There is no batch {name!r} in {person.project!r}, and no lens of that name."
        )
    return side.id


def find_batch_named(person: Person, name: str) -> UUID:
    """Return the batch of a name.

    Raises:
        NotFoundError: the project has none.
    """
    row = find_batch(name, person.project_id)
    if row is None:
        raise NotFoundError(f"There is no batch {name!r} in {person.project!r}.")
    return row.id


def find_agent_named(person: Person, name: str) -> AgentRow:
    """Return the agent of a name.

    Raises:
        NotFoundError: the project has none.
    """
    agent = find_agent(name, person.project_id)
    if agent is None:
        raise NotFoundError(f"There is no agent {name!r} in this project.")
    return agent


def find_model_named(person: Person, name: str) -> UUID:
    """Return the model of a name.

    Raises:
        NotFoundError: the project has none.
    """
    known = {row.name: row.id for row in list_models(person.project_id)}
    if name not in known:
        raise NotFoundError(f"There is no model {name!r}; available: {sorted(known)}.")
    return known[name]
