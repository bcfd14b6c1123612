"""What a click on a facet or in a summary makes of a query, and which clauses are a facet's own."""

from dataclasses import dataclass, replace

from tapes_app.library.domain.tape_query.conditions import (
    AnyOf,
    Between,
    Clause,
    Compare,
    Match,
    Not,
    Sequence,
    StepPattern,
    StepTest,
    TapeQuery,
    all_of,
    any_of,
    conjuncts,
)

FACETS = ("outcome", "errors", "agent", "batch", "tag", "lint", "steps")
STEP_BUCKETS: tuple[tuple[int, int | None], ...] = (
    (0, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 499), (500, None),
)  # fmt: skip
WITH_ERROR = "with"
WITHOUT_ERROR = "without"


@dataclass(frozen=True, slots=True)
class Toggle:
    """What a click on one value of a facet does."""

    is_on: bool
    """Whether the value is chosen now."""

    query: TapeQuery
    """The query after the click."""


def without_facet(query: TapeQuery, facet: str) -> TapeQuery:
    """Return a query without a facet's own clauses: what its values are counted over."""
    rest = tuple(part for part in conjuncts(query.clause) if not _is_own(part, facet))
    return replace(query, clause=all_of(rest))


def toggle_value(query: TapeQuery, facet: str, value: str) -> Toggle:
    """Return whether a value is chosen, and the query in which that is reversed."""
    wanted, parts = _clause_of(facet, value), conjuncts(query.clause)
    chosen = [option for part in parts if _is_own(part, facet) for option in _options(part)]
    is_on = wanted in chosen
    rest = [option for option in chosen if option != wanted] if is_on else [*chosen, wanted]
    place = next((at for at, part in enumerate(parts) if _is_own(part, facet)), len(parts))
    after = (part for part in parts[place:] if not _is_own(part, facet))
    return Toggle(is_on, replace(query, clause=all_of((*parts[:place], *_join(rest), *after))))


def with_range(
    query: TapeQuery, field: str, low: float, high: float, *, is_high_open: bool = False
) -> TapeQuery:
    """Return a query that limits a number to `low` to `high`, replacing its previous conditions."""
    rest = tuple(
        part
        for part in conjuncts(query.clause)
        if not (isinstance(part, Between | Compare) and part.field == field)
    )
    wanted: tuple[Clause, ...] = (Between(field, low, high),)
    if is_high_open:
        wanted = (Compare(field, ">=", low), Compare(field, "<", high))
    return replace(query, clause=all_of((*rest, *wanted)))


def toggle_sequence(query: TapeQuery, sequence: Sequence) -> Toggle:
    """Return whether a query asks for these steps, and the query in which that is reversed.

    A query has only one sequence: another one is replaced.
    """
    is_on = query.sequence == sequence
    return Toggle(is_on, replace(query, sequence=() if is_on else sequence))


def failing_node(agent: str, node: str) -> Sequence:
    """Return the sequence that finds tapes in which a step of a node reports an error."""
    written = (StepTest("agent", (agent,)),) if agent else ()
    return (StepPattern((StepTest("error"), *written, StepTest("node", (node,)))),)


def failing_kind(kind: str) -> Sequence:
    """Return the sequence that finds tapes in which a step of a kind reports an error."""
    return (StepPattern((StepTest("error"), StepTest("kind", (kind,)))),)


def failing_tools(tools: tuple[str, ...], within: int) -> Sequence:
    """Return the sequence that finds tapes in which an answer to a tool reports an error."""
    called = StepPattern((StepTest("tool", tools),))
    return (called, StepPattern((StepTest("tool_error"),), within=within))


def bucket_value(bucket: tuple[int, int | None]) -> str:
    """Return the name of a bucket of step counts, written as a range."""
    low, high = bucket
    return f"{low}..{'' if high is None else high}"


def _is_own(clause: Clause, facet: str) -> bool:
    """Return whether a clause has the form that a click on a facet makes."""
    match clause:
        case Match(field, values):
            return (field, values) == ("has", ("error",)) if facet == "errors" else field == facet
        case Not(Match("has", ("error",))):
            return facet == "errors"
        case Between("steps") | Compare("steps"):
            return facet == "steps"
        case AnyOf(parts):
            return facet in ("steps", "errors") and all(_is_own(part, facet) for part in parts)
        case _:
            return False


def _options(clause: Clause) -> list[Clause]:
    match clause:
        case Match(field, values):
            return [Match(field, (value,)) for value in values]
        case AnyOf(parts):
            return list(parts)
        case _:
            return [clause]


def _join(options: list[Clause]) -> list[Clause]:
    if not options:
        return []
    matches = [option for option in options if isinstance(option, Match)]
    if len(matches) == len(options):
        values = tuple(dict.fromkeys(value for match in matches for value in match.values))
        return [Match(matches[0].field, values)]
    return [any_of(tuple(options))]


def _clause_of(facet: str, value: str) -> Clause:
    if facet == "errors":
        has_error = Match("has", ("error",))
        return has_error if value == WITH_ERROR else Not(has_error)
    if facet == "steps":
        low, _, high = value.partition("..")
        return Between("steps", float(low or 0), float(high) if high else None)
    return Match(facet, (value,))
