"""Dry runs of tool rules over recorded tapes: which calls they would not have let through."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from tapes_app.engine.environment.tool_rules import ToolRule, check_rule, describe_rule
from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.domain.ruled_calls import RuledCall, list_ruled_calls
from tapes_app.library.services.queries import read_filter
from tapes_app.library.store.lists import list_newest_ids
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited
from tapes_app.tapes.store.headers import list_titles
from tapes_app.tapes.store.loading import load_tapes

USUAL_TAPES = 200
MOST_TAPES = 2_000
MOST_STEPS = 200_000
"""Steps that one dry run reads; it takes a few seconds."""

MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class RuleCount:
    """A rule, as a sentence, and how many calls it would have decided."""

    sentence: str
    count: int


@dataclass(frozen=True, slots=True)
class StoppedCall(RuledCall):
    """A call on a tape that a rule would have denied, asked about, replaced or emulated."""

    tape_id: UUID
    title: str


@dataclass(frozen=True, slots=True)
class RuleDryRun:
    """What rules would have done on recorded tapes."""

    tape_count: int
    """Tapes read: the newest of the query."""

    is_cut: bool
    """Whether the steps to read were too many for all of them."""

    rules: tuple[RuleCount, ...]
    stopped_count: int
    """Calls that would have been denied, asked about, replaced or emulated."""

    calls: tuple[StoppedCall, ...]
    """Their beginning."""


@limited()
def dry_run_rules(
    person: Person, rules: Sequence[ToolRule], q: str, *, limit: int = USUAL_TAPES
) -> RuleDryRun:
    """Return what rules would have done on the newest tapes of a query.

    Raises:
        InvalidInputError: a rule cannot decide anything.
        QueryError: the query cannot be parsed.
    """
    for number, rule in enumerate(rules, start=1):
        try:
            check_rule(rule)
        except InvalidInputError as error:
            raise InvalidInputError(
                f"Tool rule {number}: {error.message}", rule=number - 1, **error.details
            ) from error
    ids = list_newest_ids(person.project_id, read_filter(q), limit)
    titles = list_titles(person.project_id, ids)
    counts = [0] * len(rules)
    calls: list[StoppedCall] = []
    tape_count = step_count = stopped_count = 0
    for tape_id, tape in zip(ids, load_tapes(ids, person.project_id), strict=True):
        if tape is None:
            continue
        if step_count > MOST_STEPS:
            break
        tape_count += 1
        step_count += len(tape)
        for call in list_ruled_calls(rules, tape.steps):
            counts[call.rule] += 1
            if call.action == "allow":
                continue
            stopped_count += 1
            if len(calls) < MOST_LINES:
                calls.append(StoppedCall(**asdict(call), tape_id=tape_id, title=titles[tape_id]))
    return RuleDryRun(
        tape_count=tape_count,
        is_cut=step_count > MOST_STEPS,
        rules=tuple(
            RuleCount(describe_rule(rule), count) for rule, count in zip(rules, counts, strict=True)
        ),
        stopped_count=stopped_count,
        calls=tuple(calls),
    )
