"""List, try, add, change and delete the linter's rules of a project."""

from dataclasses import asdict
from typing import Any

from tapes_app.engine.errors import InvalidInputError
from tapes_app.lint.domain.findings import SEVERITIES
from tapes_app.lint.services import rules
from tapes_app.lint.services.linting import preview_rule
from tapes_app.lint.services.rules import LintRule, ShippedDetector
from tapes_app.management.arguments import NAME, one_of, option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = (
        "List, try, add, change and delete the linter rules that lint_tapes uses, and turn its "
        "detectors on and off."
    )

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the rules")
        rule = option("text", metavar="RULE")
        self.add_action("try", self._try, "try a rule on the newest tapes", rule)
        severity = option("--severity", choices=SEVERITIES, default="warning")
        self.add_action("add", self._add, "add one", NAME, rule, severity)
        changes = (
            option("--rule", metavar="RULE", dest="text"),
            option("--rename", metavar="NAME"),
            option("--severity", choices=SEVERITIES),
            one_of(
                option("--on", dest="is_enabled", action="store_true", default=None),
                option("--off", dest="is_enabled", action="store_false"),
            ),
        )
        self.add_action(
            "change", self._change, "change a rule, or turn it on or off", NAME, *changes
        )
        self.add_action("detectors", self._detectors, "list the studio's own detectors")
        on_or_off = one_of(
            option("--on", dest="is_enabled", action="store_true", default=None),
            option("--off", dest="is_enabled", action="store_false"),
            is_required=True,
        )
        self.add_action("switch", self._switch, "turn a detector on or off", NAME, on_or_off)
        self.add_action("delete", self._delete, "delete a rule and its findings", NAME)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(rules.list_rules(person), "rule", _show, asdict)

    def _try(self, person: Person, options: dict[str, Any]) -> Answer:
        found = preview_rule(person, options["text"])
        for match in found.matches:
            self.print_line(f"{match.tape_id} step {match.position}  {match.title}")
        looked_at = count_of(found.looked_at, "tape")
        return Answer(f"Matches {found.match_count} of {looked_at}.", asdict(found))

    def _add(self, person: Person, options: dict[str, Any]) -> Answer:
        values = {name: options[name] for name in ("name", "text", "severity")}
        return _answer(rules.create_rule(person, **values), "added")

    def _change(self, person: Person, options: dict[str, Any]) -> Answer:
        named = {**options, "name": options["rename"]}
        changes = {name: named[name] for name in _CHANGEABLE if named[name] is not None}
        if not changes:
            raise InvalidInputError("Give --rule, --rename, --severity, --on or --off.")
        rule = rules.load_rule_named(person, options["name"])
        return _answer(rules.change_rule(person, rule.id, **changes), "changed")

    def _detectors(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(rules.list_detectors(person), "detector", _show_detector, asdict)

    def _switch(self, person: Person, options: dict[str, Any]) -> Answer:
        switched = rules.switch_detector(person, options["name"], is_enabled=options["is_enabled"])
        state = "on" if switched.is_enabled else "off"
        return Answer(f"Detector {switched.name!r} is {state}.", asdict(switched))

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        rule = rules.load_rule_named(person, options["name"])
        rules.delete_rule(person, rule.id)
        return _answer(rule, "deleted")


_CHANGEABLE = ("name", "text", "severity", "is_enabled")


def _show(rule: LintRule) -> str:
    state = "" if rule.is_enabled else ", off"
    problem = f"  cannot be parsed: {rule.problem}" if rule.problem else ""
    return f"{rule.name} ({rule.severity}{state}): {rule.text}{problem}"


def _show_detector(detector: ShippedDetector) -> str:
    state = "" if detector.is_enabled else ", off"
    return f"{detector.name} ({detector.severity}{state}): {detector.title}"


def _answer(rule: LintRule, done: str) -> Answer:
    return Answer(f"Rule {rule.name!r} {done}.", asdict(rule))
