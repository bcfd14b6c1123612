"""List, try, add, change and delete the linter's rules of a project."""

from dataclasses import asdict
from typing import Any

from tapes_app.engine.errors import InvalidInputError
from tapes_app.lint.findings import SEVERITIES
from tapes_app.lint.services import rules as lint_rules
from tapes_app.lint.services.linting import preview_rule
from tapes_app.lint.services.rules import LintRule
from tapes_app.management.actions import ActionCommand
from tapes_app.management.command_line import Answer
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of


class Command(ActionCommand):
    help = "List, try, add, change and delete the linter rules that lint_tapes uses."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the rules")
        trying = self.add_action("try", self._try, "try a rule on the newest tapes")
        trying.add_argument("text", metavar="RULE")
        adding = self.add_action("add", self._add, "add one")
        adding.add_argument("name", metavar="NAME")
        adding.add_argument("text", metavar="RULE")
        adding.add_argument("--severity", choices=SEVERITIES, default="warning")
        changing = self.add_action("change", self._change, "change a rule, or turn it on or off")
        changing.add_argument("name", metavar="NAME")
        changing.add_argument("--rule", metavar="RULE", dest="text")
        changing.add_argument("--rename", metavar="NAME")
        changing.add_argument("--severity", choices=SEVERITIES)
        turning = changing.add_mutually_exclusive_group()
        turning.add_argument("--on", dest="is_enabled", action="store_true", default=None)
        turning.add_argument("--off", dest="is_enabled", action="store_false")
        deleting = self.add_action("delete", self._delete, "delete a rule and its findings")
        deleting.add_argument("name", metavar="NAME")

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        rules = lint_rules.list_rules(person)
        for rule in rules:
            state = "" if rule.is_enabled else ", off"
            problem = f"  cannot be parsed: {rule.problem}" if rule.problem else ""
            self.tell(f"{rule.name} ({rule.severity}{state}): {rule.text}{problem}")
        values = {"rules": [asdict(rule) for rule in rules]}
        return Answer(f"{count_of(len(rules), 'rule')}.", values)

    def _try(self, person: Person, options: dict[str, Any]) -> Answer:
        found = preview_rule(person, options["text"])
        for match in found.matches:
            self.tell(f"{match.tape_id} step {match.position}  {match.title}")
        looked_at = count_of(found.looked_at, "tape")
        return Answer(f"Matches {found.match_count} of {looked_at}.", asdict(found))

    def _add(self, person: Person, options: dict[str, Any]) -> Answer:
        values = {name: options[name] for name in ("name", "text", "severity")}
        return _answer(lint_rules.create_rule(person, **values), "added")

    def _change(self, person: Person, options: dict[str, Any]) -> Answer:
        named = {**options, "name": options["rename"]}
        changes = {name: named[name] for name in _CHANGEABLE if named[name] is not None}
        if not changes:
            raise InvalidInputError("Give --rule, --rename, --severity, --on or --off.")
        rule = lint_rules.load_rule_named(person, options["name"])
        return _answer(lint_rules.change_rule(person, rule.id, **changes), "changed")

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        rule = lint_rules.load_rule_named(person, options["name"])
        lint_rules.delete_rule(person, rule.id)
        return _answer(rule, "deleted")


_CHANGEABLE = ("name", "text", "severity", "is_enabled")


def _answer(rule: LintRule, done: str) -> Answer:
    return Answer(f"Rule {rule.name!r} {done}.", asdict(rule))
