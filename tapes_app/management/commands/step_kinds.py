"""List the step kinds that the studio does not know, and set their families."""

from dataclasses import asdict
from typing import Any, get_args

from tapes_app.engine.tape.families import AssignedFamily
from tapes_app.management.arguments import option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.services import kind_families
from tapes_app.tapes.services.kind_families import KindFamily

_KIND = option("kind", metavar="KIND", help="a step kind that the studio does not know")
_FAMILY = option(
    "family",
    metavar="FAMILY",
    choices=get_args(AssignedFamily),
    help="its family; stop: an action that ends its tape",
)

_NAMES = {"stop": "an action that ends the tape"}


class Command(ActionCommand):
    help = "List the step kinds that the studio does not know, or set the family of one."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the unknown kinds of the project")
        self.add_action("set", self._set, "set the family of a kind", _KIND, _FAMILY)
        self.add_action("reset", self._set, "guess the family of a kind again", _KIND)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(kind_families.list_kind_families(person), "kind", _show, asdict)

    def _set(self, person: Person, options: dict[str, Any]) -> Answer:
        family = options.get("family")
        change = kind_families.set_kind_family(person, options["kind"], family)
        now = "is guessed again" if family is None else f"is {_NAMES.get(family, family)} now"
        steps = count_of(change.changed_count, "step")
        return Answer(f"The family of {change.kind!r} {now}; {steps} changed.", asdict(change))


def _show(row: KindFamily) -> str:
    by = "set by a person" if row.is_told else "guessed"
    return f"{row.kind}  {row.family}, {by}, {count_of(row.step_count, 'step')}"
