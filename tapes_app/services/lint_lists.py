"""What the linter found across many tapes: counts for lists, trends over versions, titles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.lint.findings import Finding, Severity
from tapes_app.engine.lint.linter import DETECTORS
from tapes_app.services.lint import current_stamp
from tapes_app.services.lint_rules import RULE_PREFIX
from tapes_app.services.people import Person
from tapes_app.storage import agents as agent_storage
from tapes_app.storage import lint_counts, lint_marks
from tapes_app.storage.lint_marks import DetectorCount
from tapes_app.storage.tape_plans import TapeFilter

_TITLES = {detector.name: detector.title for detector in DETECTORS}


@dataclass(frozen=True)
class ShownFinding:
    """A finding with the title of its detector."""

    detector: str
    title: str
    severity: Severity
    position: int
    field: str
    message: str


@dataclass(frozen=True)
class ShownCount:
    """On how many tapes a detector found something."""

    detector: str
    title: str
    severity: Severity
    tape_count: int


@dataclass(frozen=True)
class LintCounts:
    """What is found on some tapes."""

    items: tuple[ShownCount, ...]
    tape_count: int
    linted_count: int
    is_cut: bool
    """There are more tapes: only the newest were counted."""

    stale_count: int
    """Tapes of the whole project that were not linted as they and the rules are now."""


@dataclass(frozen=True)
class VersionTrend:
    """What is found on the tapes of one agent version."""

    agent_version_id: UUID
    version: int
    tape_count: int
    items: tuple[ShownCount, ...]


def title_of(detector: str) -> str:
    """Return the words for a detector or a rule."""
    return _TITLES.get(detector) or detector.removeprefix(RULE_PREFIX)


def describe_findings(findings: Iterable[Finding]) -> list[ShownFinding]:
    return [
        ShownFinding(title=title_of(finding.detector), **finding.model_dump())
        for finding in findings
    ]


def count_findings(person: Person, wanted: TapeFilter) -> LintCounts:
    """Return how many of the tapes that a filter picks have which findings."""
    counted = lint_counts.count_findings(person.project_id, wanted)
    return LintCounts(
        items=tuple(_shown(count) for count in counted.items),
        tape_count=counted.tape_count,
        linted_count=counted.linted_count,
        is_cut=counted.is_cut,
        stale_count=lint_marks.count_stale(person.project_id, current_stamp(person.project_id)),
    )


def list_trend(person: Person, agent_id: UUID) -> list[VersionTrend]:
    """Return what is found on the tapes of each version of an agent, by number.

    Raises:
        NotFoundError: no such agent in the project.
    """
    agent_storage.load_agent(agent_id, person.project_id)
    return [
        VersionTrend(
            item.agent_version_id,
            item.version,
            item.tape_count,
            tuple(_shown(count) for count in item.counts),
        )
        for item in lint_marks.list_trend(person.project_id, agent_id)
    ]


def _shown(count: DetectorCount) -> ShownCount:
    return ShownCount(count.detector, title_of(count.detector), count.severity, count.tape_count)
