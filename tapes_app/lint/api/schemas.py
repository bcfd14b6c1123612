"""What the linter found, and the rules that people write."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.lint.rules import LONGEST_RULE
from tapes_app.lint.services.lists import VersionTrend
from tapes_app.projects.api.bodies import In, Line, Out

LintSeverity = Literal["error", "warning", "info"]
RuleName = Annotated[Line, Field(min_length=1, max_length=100)]
RuleText = Annotated[Line, Field(max_length=LONGEST_RULE)]


class LintTrendOut(Out):
    """The versions of an agent by number."""

    versions: list[VersionTrend]


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


class RuleCheckIn(In):
    text: RuleText
