"""`/lint`: what the linter found across tapes, its rules and its jobs; findings of one tape."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.lint.domain.findings import Severity
from tapes_app.lint.domain.rules import LONGEST_RULE
from tapes_app.lint.services import jobs, linting, rules
from tapes_app.lint.services.jobs import LintRequest
from tapes_app.lint.services.linting import RulePreview, TitledFinding
from tapes_app.lint.services.rules import LintRule, ShippedDetector
from tapes_app.lint.store.marks import VersionTrend
from tapes_app.projects.api.bodies import In, Line, Out
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items

of_tapes = make_router("linter")
router = make_router("linter")


RuleName = Annotated[Line, Field(min_length=1, max_length=100)]
RuleText = Annotated[Line, Field(max_length=LONGEST_RULE)]


class LintTrendOut(Out):
    """The versions of an agent, by number."""

    versions: list[VersionTrend]


class LintRuleIn(In):
    name: RuleName
    text: RuleText
    severity: Severity = "warning"
    is_enabled: bool = True


class LintRulePatchIn(In):
    """Changes to a rule; omitted fields stay as they are."""

    name: RuleName | None = None
    text: RuleText | None = None
    severity: Severity | None = None
    is_enabled: bool | None = None


class DetectorSwitchIn(In):
    is_enabled: bool


class RuleCheckIn(In):
    text: RuleText


@of_tapes.get("/{tape_id}/lint", response=Items[TitledFinding])
def lint_tape(request: PersonRequest, tape_id: UUID) -> Items[TitledFinding]:
    """Return the findings on a tape in its current state."""
    return Items(linting.describe_findings(linting.lint_one(request.auth, tape_id).findings))


@router.post("/jobs", response=created(JobOut))
def start_lint(request: PersonRequest, body: LintRequest) -> Status[ShownJob]:
    """Lint tapes in the background and store the findings for the lists."""
    return Status(201, show_job(jobs.start_lint(request.auth, **dict(body))))


@router.get("/trend/{agent_id}", response=LintTrendOut)
def show_trend(request: PersonRequest, agent_id: UUID) -> LintTrendOut:
    """Return the findings on the tapes of each version of an agent."""
    return LintTrendOut(versions=linting.list_trend(request.auth, agent_id))


@router.get("/detectors", response=Items[ShippedDetector])
def list_detectors(request: PersonRequest) -> Items[ShippedDetector]:
    """List the studio's detectors, and which of them are on in this project."""
    return Items(rules.list_detectors(request.auth))


@router.patch("/detectors/{name}", response=ShippedDetector)
def switch_detector(request: PersonRequest, name: str, body: DetectorSwitchIn) -> ShippedDetector:
    """Turn a detector on or off in this project; turning it off removes its findings."""
    return rules.switch_detector(request.auth, name, is_enabled=body.is_enabled)


@router.get("/rules", response=Items[LintRule])
def list_rules(request: PersonRequest) -> Items[LintRule]:
    """List the lint rules that people of this project wrote."""
    return Items(rules.list_rules(request.auth))


@router.post("/rules", response=created(LintRule))
def create_rule(request: PersonRequest, body: LintRuleIn) -> Status[LintRule]:
    """Add a rule; one that cannot be parsed is refused with the position and a suggestion."""
    return Status(201, rules.create_rule(request.auth, **body.model_dump()))


@router.post("/rules/check", response=RulePreview)
def check_rule(request: PersonRequest, body: RuleCheckIn) -> RulePreview:
    """Parse a rule and return how many of the newest tapes it finds something on."""
    return linting.preview_rule(request.auth, body.text)


@router.patch("/rules/{rule_id}", response=LintRule)
def change_rule(request: PersonRequest, rule_id: UUID, body: LintRulePatchIn) -> LintRule:
    """Change a lint rule: its name, text, severity, or whether it is on."""
    changes = body.model_dump(exclude_none=True)
    return rules.change_rule(request.auth, rule_id, **changes)


@router.delete("/rules/{rule_id}", response=emptied())
def delete_rule(request: PersonRequest, rule_id: UUID) -> Status[None]:
    """Delete a rule with all its findings."""
    rules.delete_rule(request.auth, rule_id)
    return Status(204, None)
