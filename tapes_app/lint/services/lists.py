"""What the linter found, as people see it: findings with titles, trends over versions."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.store import agents
from tapes_app.lint.findings import Finding, Severity
from tapes_app.lint.linter import title_of
from tapes_app.lint.store import marks
from tapes_app.lint.store.marks import VersionTrend
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class TitledFinding:
    """A finding with the title of its detector."""

    detector: str
    title: str
    severity: Severity
    position: int
    field: str
    message: str


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
    agents.load_agent(agent_id, person.project_id)
    return marks.list_trend(person.project_id, agent_id)
