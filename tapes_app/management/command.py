"""The base classes of all commands: a project, an answer as a line or JSON, an exit status."""

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.management.base import CommandParser

from tapes_app.engine.errors import StudioError
from tapes_app.management.arguments import Part
from tapes_app.management.named import find_operator
from tapes_app.management.shell import REFUSED, ShellCommand
from tapes_app.projects.domain.wording import count_of, plural_of
from tapes_app.projects.services.people import Person

Row = TypeVar("Row")


@dataclass(frozen=True)
class Answer:
    """The final output of a command."""

    summary: str
    """One line."""

    values: dict[str, Any] = field(default_factory=dict)
    """The JSON object that `--json` prints."""

    is_done: bool = True
    """Whether the command did what it was asked; determines the exit status."""


Work = Callable[[Person, dict[str, Any]], Answer]


class AnsweringCommand(ShellCommand):
    """A command that ends with one line, or one JSON object.

    The exit status is 0 if the command did what it was asked, 1 if the answer is no, and 2 if the
    request cannot be carried out.
    """

    arguments: Sequence[Part] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead")
        for add in self.arguments:
            add(parser)

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.is_json: bool = options["json"]
        try:
            return super().execute(*args, **options)
        except StudioError as error:
            problem = {"code": error.code, "message": error.message, "details": error.details}
            self._end(Answer(error.message, {"error": problem}, is_done=False), status=REFUSED)
            return None

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - no positional ones
        self.is_json = options["json"]
        self._end(self.answer(options), status=1)

    def _end(self, answer: Answer, *, status: int) -> None:
        """Print an answer, and exit with a status unless it is done."""
        if self.is_json:
            self.stdout.write(json.dumps(answer.values, default=str))
        else:
            target = self.stdout if answer.is_done else self.stderr
            target.write(show(answer.summary))
        if not answer.is_done:
            raise SystemExit(status)

    @abstractmethod
    def answer(self, options: dict[str, Any]) -> Answer:
        """Do what was asked."""

    def print_line(self, line: str) -> None:
        """Print a line before the final one; nothing with `--json`."""
        if not self.is_json:
            self.stdout.write(show(line))

    def print_skipped(self, reasons: Iterable[tuple[str, int]], left: str = "left out") -> None:
        """Print why some of the selected tapes were left out."""
        for why, count in reasons:
            self.print_line(f"{count_of(count, 'tape')} {left}: {why}")

    def print_rows(
        self,
        rows: Sequence[Row],
        noun: str,
        describe: Callable[[Row], str],
        values: Callable[[Row], dict[str, Any]],
    ) -> Answer:
        """Print a line for each row, and return an answer with their number."""
        for row in rows:
            self.print_line(describe(row))
        return Answer(f"{count_of(len(rows), noun)}.", {plural_of(noun): list(map(values, rows))})


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


class ActionCommand(StudioCommand):
    """A command with several actions on one kind of object: `queues list`, `queues show`."""

    def add_arguments(self, parser: CommandParser) -> None:
        self._parts = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        self.add_actions()

    @abstractmethod
    def add_actions(self) -> None:
        """Declare the actions by calling `add_action`."""

    def add_action(self, name: str, work: Work, words: str, *arguments: Part) -> None:
        """Add an action with its arguments."""
        part: CommandParser = self._parts.add_parser(name, help=words, description=words)
        super().add_arguments(part)
        for add in arguments:
            add(part)
        part.set_defaults(do=work)

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        work: Work = options["do"]
        return work(person, options)


def show(line: str) -> str:
    """Return a line that is safe for a terminal: tapes may contain control and bidi characters."""
    return "".join(sign if sign.isprintable() else "�" for sign in line)
