"""`/tool-rules`: what tool rules would have done on recorded tapes."""

from pydantic import Field

from tapes_app.engine.environment.tool_rules import MOST_RULES, ToolRule
from tapes_app.library.domain.tape_query.tokens import LONGEST_QUERY
from tapes_app.library.services.rule_dry_runs import (
    MOST_TAPES,
    USUAL_TAPES,
    RuleDryRun,
    dry_run_rules,
)
from tapes_app.projects.api.bodies import In
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("tool rules")


class RuleDryRunIn(In):
    rules: tuple[ToolRule, ...] = Field(max_length=MOST_RULES)
    """Rules in their order, as the definition of an agent has them."""

    q: str = Field(default="", max_length=LONGEST_QUERY)
    """Which tapes to read, such as agent:analyst or batch:nightly; the newest ones first."""

    limit: int = Field(default=USUAL_TAPES, ge=1, le=MOST_TAPES)
    """Maximum number of tapes to read."""


@router.post("/dry-run", response=RuleDryRun)
def dry_run_tool_rules(request: PersonRequest, body: RuleDryRunIn) -> RuleDryRun:
    """Return which recorded calls the rules would have denied, asked about, replaced or emulated.

    No model and no tool is called, and nothing is stored.
    """
    return dry_run_rules(request.auth, body.rules, body.q, limit=body.limit)
