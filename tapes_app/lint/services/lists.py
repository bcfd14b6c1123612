"""What the linter found across many tapes: counts for lists, trends over versions, titles."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.store import agents as agent_storage
from tapes_app.lint.findings import Finding, Severity
from tapes_app.lint.linter import DETECTORS
from tapes_app.lint.services.rules import RULE_PREFIX
from tapes_app.lint.store import marks as lint_marks
from tapes_app.lint.store.marks import DetectorCount
from tapes_app.projects.services.people import Person

_TITLES = {detector.name: detector.title for detector in DETECTORS}


@dataclass(frozen=True)
class TitledFinding:
    """A finding with the title of its detector."""

    detector: str
    title: str
    severity: Severity
    position: int
    field: str
    message: str


@dataclass(frozen=True)
class FindingCount:
    """On how many tapes a detector found something."""

    detector: str
    title: str
    severity: Severity
    tape_count: int


@dataclass(frozen=True)
class VersionTrend:
    """What is found on the tapes of one agent version."""

    agent_version_id: UUID
    version: int
    tape_count: int
    items: tuple[FindingCount, ...]


def title_of(detector: str) -> str:
    """Return the words for a detector or a rule."""
    return _TITLES.get(detector) or detector.removeprefix(RULE_PREFIX)


def describe_findings(findings: Iterable[Finding]) -> list[TitledFinding]:
    return [
        TitledFinding(title=title_of(finding.detector), **finding.model_dump())
        for finding in findings
    ]


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


def _shown(count: DetectorCount) -> FindingCount:
    return FindingCount(count.detector, title_of(count.detector), count.severity, count.tape_count)
