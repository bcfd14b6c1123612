"""Commands that do several things with one kind of thing: `queues list`, `queues show NAME`."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.management.command_line import Answer, StudioCommand
from tapes_app.projects.services.people import Person

Work = Callable[[Person, dict[str, Any]], Answer]


class ActionCommand(StudioCommand):
    """A command whose first word says what it does."""

    def add_arguments(self, parser: CommandParser) -> None:
        self._parts = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        self.add_actions()

    @abstractmethod
    def add_actions(self) -> None:
        """Say by `add_action` what there is to do."""

    def add_action(self, name: str, work: Work, words: str) -> CommandParser:
        """Add something to do, and return what its arguments are added to."""
        part: CommandParser = self._parts.add_parser(name, help=words, description=words)
        super().add_arguments(part)
        part.set_defaults(do=work)
        return part

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        work: Work = options["do"]
        return work(person, options)
