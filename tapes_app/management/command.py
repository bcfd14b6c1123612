"""What every command of the studio has: a project, an answer as a line or JSON, an exit status."""

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
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of, plural_of

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


Work = Callable[[Person, dict[str, Any]], Answer]


class AnsweringCommand(ShellCommand):
    """A command that ends with one line, or one JSON object.

    Its exit status is 0 when it did what it was asked, 1 when the answer is no, and 2 when it was
    asked for what cannot be done.
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
        """Print an answer, and end with a status unless it is done."""
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

    def tell(self, line: str) -> None:
        """Print a line before the last one; not with `--json`."""
        if not self.is_json:
            self.stdout.write(show(line))

    def tell_left_out(self, reasons: Iterable[tuple[str, int]], left: str = "left out") -> None:
        """Say why some of the tapes that were chosen were left out."""
        for why, count in reasons:
            self.tell(f"{count_of(count, 'tape')} {left}: {why}")

    def tell_rows(
        self,
        rows: Sequence[Row],
        noun: str,
        describe: Callable[[Row], str],
        values: Callable[[Row], dict[str, Any]],
    ) -> Answer:
        """Print a line for each row, and answer with how many there are."""
        for row in rows:
            self.tell(describe(row))
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
    """A command that does several things with one kind of thing: `queues list`, `queues show`."""

    def add_arguments(self, parser: CommandParser) -> None:
        self._parts = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        self.add_actions()

    @abstractmethod
    def add_actions(self) -> None:
        """Say by `add_action` what there is to do."""

    def add_action(self, name: str, work: Work, words: str, *arguments: Part) -> None:
        """Add something to do, with what it takes."""
        part: CommandParser = self._parts.add_parser(name, help=words, description=words)
        super().add_arguments(part)
        for add in arguments:
            add(part)
        part.set_defaults(do=work)

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        work: Work = options["do"]
        return work(person, options)


def show(line: str) -> str:
    """Return a line as a terminal may see it: tapes may hold control and bidi characters."""
    return "".join(sign if sign.isprintable() else "�" for sign in line)
