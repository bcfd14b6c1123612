"""`/lint`: what the linter found across tapes, its rules and its jobs; findings of one tape."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import (
    JobOut,
    KeptFindingIn,
    KeptFindingOut,
    LintJobIn,
    LintRuleIn,
    LintRuleListOut,
    LintRuleOut,
    LintRulePatchIn,
    LintTrendOut,
    RuleCheckIn,
    RuleCheckOut,
    TapeLintOut,
)
from tapes_app.services import lint, lint_jobs, lint_lists, lint_notes, lint_rules

of_tapes = make_router("linter")
router = make_router("linter")


@of_tapes.get("/{tape_id}/lint", response=found(TapeLintOut))
def lint_tape(request: PersonRequest, tape_id: UUID) -> Any:
    """Give what is wrong on a tape as it is now."""
    return {"items": lint_lists.describe_findings(lint.lint_one(request.auth, tape_id).findings)}


@of_tapes.post("/{tape_id}/lint/notes", response=created(KeptFindingOut))
def keep_finding(request: PersonRequest, tape_id: UUID, body: KeptFindingIn) -> Status[Any]:
    """Write a finding as a note by the linter; what was kept of it before is replaced."""
    kept = lint_notes.keep_finding(request.auth, tape_id, body.detector, body.position)
    return Status(201, {"annotation_id": kept})


@router.post("/jobs", response=created(JobOut))
def start_lint(request: PersonRequest, body: LintJobIn) -> Status[Any]:
    """Lint tapes in the background and keep what is found for the lists."""
    job = lint_jobs.start_lint(request.auth, tape_ids=body.tape_ids, batch_id=body.batch_id)
    return Status(201, job)


@router.get("/trend/{agent_id}", response=found(LintTrendOut))
def show_trend(request: PersonRequest, agent_id: UUID) -> Any:
    """Give what is found on the tapes of each version of an agent."""
    return {"versions": lint_lists.list_trend(request.auth, agent_id)}


@router.get("/rules", response=found(LintRuleListOut))
def list_rules(request: PersonRequest) -> Any:
    return {"items": lint_rules.list_rules(request.auth)}


@router.post("/rules", response=created(LintRuleOut))
def create_rule(request: PersonRequest, body: LintRuleIn) -> Status[Any]:
    """Add a rule; one that cannot be read is refused with the place and a suggestion."""
    return Status(201, lint_rules.create_rule(request.auth, **body.model_dump()))


@router.post("/rules/check", response=found(RuleCheckOut))
def check_rule(request: PersonRequest, body: RuleCheckIn) -> Any:
    """Read a rule and say how many of the newest tapes it finds something on."""
    return lint.preview_rule(request.auth, body.text)


@router.patch("/rules/{rule_id}", response=found(LintRuleOut))
def change_rule(request: PersonRequest, rule_id: UUID, body: LintRulePatchIn) -> Any:
    changes = body.model_dump(exclude_none=True)
    return lint_rules.change_rule(request.auth, rule_id, **changes)


@router.delete("/rules/{rule_id}", response=emptied())
def delete_rule(request: PersonRequest, rule_id: UUID) -> Status[None]:
    """Remove a rule with all that it found."""
    lint_rules.delete_rule(request.auth, rule_id)
    return Status(204, None)
