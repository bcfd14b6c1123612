"""What the linter looks for: rules that people wrote, as detectors, and the studio's detectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.tape.conditions import ConditionError, compile_condition, condition_holds
from tapes_app.lint.domain.findings import Found, Severity
from tapes_app.lint.domain.linter import DETECTORS, RULE_PREFIX, Detector
from tapes_app.lint.domain.reading import Reading
from tapes_app.lint.domain.rules import Part, Rule, RuleError, find_broken, read_rule
from tapes_app.lint.store import marks, rules
from tapes_app.lint.store.rules import LintRuleRow
from tapes_app.projects.domain.rows import required, row_of
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class LintRule:
    """A rule as a person sees it."""

    id: UUID
    name: str
    text: str
    severity: Severity
    is_enabled: bool
    problem: str
    """Why it can no longer be parsed; empty if it can."""

    updated_at: datetime


@dataclass(frozen=True)
class ShippedDetector:
    """A detector that ships with the studio."""

    name: str
    title: str
    severity: Severity
    is_enabled: bool
    """Whether it checks the tapes of this project."""


@lru_cache(maxsize=256)
def compile_rule(text: str) -> Rule:
    """Return a rule with conditions compiled for evaluation.

    Raises:
        RuleError: it cannot be parsed; its details show where, in the rule's text.
    """
    rule = read_rule(text)
    for part in (rule.first, rule.second):
        if part is not None:
            _check(part)
    return rule


def rule_detector(name: str, text: str, severity: Severity = "warning") -> Detector:
    """Return the detector of a rule. A rule that can no longer be parsed finds nothing."""

    def find(reading: Reading) -> Iterator[Found]:
        try:
            rule = compile_rule(text)
        except RuleError:
            return
        yield from find_breaks(rule, reading)

    return Detector(f"{RULE_PREFIX}{name}", severity, name, find)


def find_breaks(rule: Rule, reading: Reading) -> Iterator[Found]:
    """Find the steps of a tape at which a rule is broken."""
    facts = reading.facts
    return find_broken(
        rule, lambda condition, at: condition_holds(condition, facts[at]), len(facts)
    )


def list_rules(person: Person) -> list[LintRule]:
    """Return the project's rules by name."""
    return [_shown(row) for row in rules.list_rules(person.project_id)]


def load_rule_named(person: Person, name: str) -> LintRule:
    """Return the rule with the given name.

    Raises:
        NotFoundError: the project has no such rule.
    """
    rule = next((rule for rule in list_rules(person) if rule.name == name), None)
    return required(rule, f"There is no rule {name!r} in {person.project!r}.")


def create_rule(person: Person, **values: Any) -> LintRule:
    """Add a rule to the project.

    Raises:
        RuleError: its text cannot be parsed; the details show where.
        ConflictError: the project already has a rule of that name.
    """
    compile_rule(values["text"])
    row = rules.create_rule(person.project_id, owner=person.user_id, **values)
    return _shown(row)


@transaction.atomic
def change_rule(person: Person, rule_id: UUID, **changes: Any) -> LintRule:
    """Change some values of a rule; findings under its old name or wording are removed.

    Raises:
        NotFoundError: no such rule in the project.
        RuleError: its new text cannot be parsed; the details show where.
        ConflictError: the project has another rule of that name.
    """
    old = rules.load_rule(rule_id, person.project_id)
    if "text" in changes:
        compile_rule(changes["text"])
    row = rules.change_rule(rule_id, person.project_id, **changes)
    if (row.name, row.text, row.severity) != (old.name, old.text, old.severity) or (
        old.is_enabled and not row.is_enabled
    ):
        marks.forget_detector(person.project_id, f"{RULE_PREFIX}{old.name}")
    return _shown(row)


@transaction.atomic
def delete_rule(person: Person, rule_id: UUID) -> None:
    """Delete a rule with all its findings.

    Raises:
        NotFoundError: no such rule in the project.
    """
    row = rules.delete_rule(rule_id, person.project_id)
    marks.forget_detector(person.project_id, f"{RULE_PREFIX}{row.name}")


def list_detectors(person: Person) -> list[ShippedDetector]:
    """Return all detectors, in the order in which the linter runs them."""
    off = rules.list_off(person.project_id)
    return [row_of(ShippedDetector, one, is_enabled=one.name not in off) for one in DETECTORS]


@transaction.atomic
def switch_detector(person: Person, name: str, *, is_enabled: bool) -> ShippedDetector:
    """Turn a detector on or off in the project; turning it off removes its findings.

    Raises:
        NotFoundError: the studio has no detector of that name.
    """
    detector = load_detector(name)
    if is_enabled:
        rules.turn_on(person.project_id, name)
    else:
        rules.turn_off(person.project_id, name)
        marks.forget_detector(person.project_id, name)
    return row_of(ShippedDetector, detector, is_enabled=is_enabled)


def load_detector(name: str) -> Detector:
    """Return a detector of the studio.

    Raises:
        NotFoundError: the studio has no detector of that name.
    """
    detector = next((one for one in DETECTORS if one.name == name), None)
    if detector is None:
        raise NotFoundError(f"There is no detector {name!r}.", detector=name)
    return detector


def _shown(row: LintRuleRow) -> LintRule:
    problem = ""
    try:
        compile_rule(row.text)
    except RuleError as error:
        problem = error.message
    return row_of(LintRule, row, problem=problem)


def _check(part: Part) -> None:
    try:
        compile_condition(part.text)
    except ConditionError as error:
        there = int(error.details.get("position", 0))
        position = part.start + there
        message = error.message.replace(f"character {there + 1}", f"character {position + 1}")
        raise RuleError(
            message.replace("The condition", "A condition of the rule"),
            position=position,
            suggestion=str(error.details.get("suggestion", "")),
        ) from error
