"""What the linter found, and the rules that people write."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.api.schemas.bodies import In, Line, Out
from tapes_app.engine.lint.rules import LONGEST_RULE

LintSeverity = Literal["error", "warning", "info"]
RuleName = Annotated[Line, Field(min_length=1, max_length=100)]
RuleText = Annotated[Line, Field(max_length=LONGEST_RULE)]


class FindingOut(Out):
    """One thing that is wrong, or worth a look, at one step."""

    detector: str
    """Name of the detector, or `rule:` and the name of a rule."""

    title: str
    severity: LintSeverity
    position: int
    field: str
    """JSON pointer into the step; empty: the whole of it."""

    message: str


class KeptFindingIn(In):
    """What a detector finds at a step."""

    detector: Annotated[Line, Field(min_length=1, max_length=110)]
    position: int = Field(ge=0, le=2**31 - 1)


class KeptFindingOut(Out):
    annotation_id: UUID


class TapeLintOut(Out):
    """All findings on a tape, by position, the gravest first."""

    items: list[FindingOut]


class DetectorCountOut(Out):
    """A detector or rule, and on how many tapes it found something."""

    detector: str
    title: str
    severity: LintSeverity
    tape_count: int


class LintCountsOut(Out):
    """What is found on some tapes; `linted_count` of `tape_count` were looked at."""

    items: list[DetectorCountOut]
    tape_count: int
    linted_count: int
    is_cut: bool
    """There are more tapes: only the newest were counted."""

    stale_count: int
    """Tapes of the whole project that were not linted as they and the rules are now."""


class VersionLintOut(Out):
    """What is found on the tapes of one agent version."""

    agent_version_id: UUID
    version: int
    tape_count: int
    """Tapes of the version that were linted."""

    items: list[DetectorCountOut]


class LintTrendOut(Out):
    """The versions of an agent by number."""

    versions: list[VersionLintOut]


class LintJobIn(In):
    """Which tapes to lint: those named, those of a batch, or all that are stale."""

    tape_ids: list[UUID] = Field(default_factory=list, max_length=1_000)
    batch_id: UUID | None = None


class LintRuleIn(In):
    name: RuleName
    text: RuleText
    severity: LintSeverity = "warning"
    is_enabled: bool = True


class LintRulePatchIn(In):
    """What is left out stays as it is."""

    name: RuleName | None = None
    text: RuleText | None = None
    severity: LintSeverity | None = None
    is_enabled: bool | None = None


class LintRuleOut(Out):
    id: UUID
    name: str
    text: str
    severity: LintSeverity
    is_enabled: bool
    problem: str
    """Why the rule cannot be read any more; empty when it can."""

    updated_at: datetime


class LintRuleListOut(Out):
    items: list[LintRuleOut]


class RuleCheckIn(In):
    text: RuleText


class RuleMatchOut(Out):
    """A tape that breaks a rule, with the first step that does."""

    tape_id: UUID
    title: str
    position: int


class RuleCheckOut(Out):
    """How many of the newest tapes a rule finds something on."""

    looked_at: int
    match_count: int
    matches: list[RuleMatchOut]
    """Some of them."""
